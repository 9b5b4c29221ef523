// SPDX-License-Identifier: MIT
// The window of the HUD: where the host waits, the first that is drawn, and the next one when that is gone or hidden.
#include "hud_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Overlay/overlay.h"

// MARK: Beginning and end

/// Forgets the window and what was shown in it. Controllers go with their widget.
static void forget(void) {
    atomic_store(&hud_has_window, false);
    if (hud.controller) gtk.g_object_unref(hud.controller);
    hud_clear();
    if (hud.texts) hud_texts_free(hud.texts);
    hud = (struct hud){.shortcut = hud.shortcut, .modifiers = hud.modifiers};
}

static gboolean on_choice(gpointer data) {
    (void)data;
    crerender_hud_choose();
    return G_SOURCE_REMOVE;
}

/// Looks for another window that is shown, if the host waits: one in which nothing changes does not draw again.
static void choose_soon(void) {
    if (hud_wait.is_on) gtk.g_timeout_add(0, on_choice, NULL);
}

void hud_window_ends(GtkWidget *window) {
    if (window != hud.window) return;
    struct crerender_hud_host host = hud.host;
    forget();
    host.gone(window);
    choose_soon();
}

static void on_unmap(GtkWidget *window, gpointer data) {
    (void)window, (void)data;
    choose_soon();
}

/// Ends it in its window, and removes what was added to that. The window may be at its end, where GTK and GObject have removed some.
static void detach(void) {
    GtkWidget *window = hud.window;
    if (!window) return;
    if (gtk.gtk_event_controller_get_widget(hud.controller) == window)
        gtk.gtk_widget_remove_controller(window, hud.controller);
    if (gtk.g_signal_handler_is_connected(window, hud.handler)) gtk.g_signal_handler_disconnect(window, hud.handler);
    forget();
    overlay_ask(overlay_of(window, true));
}

/// Goes to another window.
static void leave(void) {
    struct crerender_hud_host host = hud.host;
    GtkWidget *window = hud.window;
    detach();
    host.gone(window);
}

void crerender_hud_attach(void *window, const struct crerender_hud_host *host) {
    if (hud.window) leave();
    hud.window = window;
    atomic_store(&hud_has_window, true);
    hud.host = *host;
    hud.texts = hud_texts_new();
    hud.width = hud.height = -1;
    hud.controller = hud_events_controller();
    gtk.gtk_widget_add_controller(window, gtk.g_object_ref(hud.controller));
    hud.handler = gtk.g_signal_connect_data(window, "unmap", (GCallback)on_unmap, NULL, NULL, 0);
    overlay_ask(overlay_of(window, true));
}

// MARK: The choice

/// Whether it is a window that stands for itself, and no dialog of another one.
static bool is_main_window(GtkWidget *widget) {
    static GType type;
    if (gtk.gtk_widget_get_parent(widget)) return false;
    if (type == 0) type = gtk.g_type_from_name("GtkWindow");
    if (type == 0 || !gtk.g_type_check_instance_is_a((GTypeInstance *)widget, type)) return false;
    GtkWindow *window = (GtkWindow *)widget;
    return !gtk.gtk_window_get_transient_for(window) && !gtk.gtk_window_get_modal(window);
}

/// The window that was chosen, until the HUD is shown in it; with a reference.
static GtkWidget *chosen;

/// Shows the HUD after the frame: a window's controllers do not change while it is drawn.
static gboolean after_frame(gpointer data) {
    GtkWidget *window = data;
    chosen = NULL;
    if (hud_wait.is_on && gtk.gtk_widget_get_mapped(window)) {
        crerender_hud_attach(window, &hud_wait.host);
        hud.host.update(window);
    }
    gtk.g_object_unref(window);
    return G_SOURCE_REMOVE;
}

void hud_choose(GtkWidget *widget) {
    if (!hud_wait.is_on || chosen || widget == hud.window) return;
    if (hud.window && gtk.gtk_widget_get_mapped(hud.window)) return;
    if (!is_main_window(widget)) return;
    chosen = gtk.g_object_ref(widget);
    // Not when idle: a program whose frames take longer than there is time for never is.
    gtk.g_timeout_add(0, after_frame, widget);
}

bool crerender_hud_choose(void) {
    GType type = gtk.g_type_from_name("GtkWindow");
    // Also one that was drawn before widgets were counted, and never again. GTK has no list before the first window.
    GListModel *windows = type && gtk.g_type_class_peek(type) ? gtk.gtk_window_get_toplevels() : NULL;
    for (guint index = 0; windows && index < gtk.g_list_model_get_n_items(windows); index++) {
        GtkWidget *window = gtk.g_list_model_get_item(windows, index);
        if (gtk.gtk_widget_get_mapped(window)) hud_choose(window);
        gtk.g_object_unref(window);
    }
    return chosen || (hud.window && gtk.gtk_widget_get_mapped(hud.window));
}

void crerender_hud_wait(const struct crerender_hud_host *host) {
    hud_wait.is_on = true;
    hud_wait.host = *host;
}

void crerender_hud_detach(void) {
    hud_wait.is_on = false;
    detach();
}
#endif

// Turns GDK's events into those of the HUD. An event that is not the HUD's goes on untouched.

#ifdef RERENDER_GTK

/// Pixels that a step of the wheel scrolls.
static const double wheel_step = 54;

/// Keys whose press the HUD consumed: their release is not the program's, either.
static bool is_consumed_key[256];

/// Gives an event to the host.
static bool send(struct crerender_hud_event event) { return hud.host.event(hud.window, &event); }

/// Whether no button of the mouse is held, as a press or a motion tells. A release may have gone to another window.
static bool is_free(GdkEvent *gdk) {
    const GdkModifierType buttons =
        GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK | GDK_BUTTON4_MASK | GDK_BUTTON5_MASK;
    return (gtk.gdk_event_get_modifier_state(gdk) & buttons) == 0;
}

static bool press(struct crerender_hud_event event, GdkEvent *gdk) {
    event.kind = CRERENDER_PRESS;
    event.is_free = is_free(gdk);
    event.button = gtk.gdk_button_event_get_button(gdk);
    return send(event);
}

static bool motion(struct crerender_hud_event event, GdkEvent *gdk) {
    event.kind = CRERENDER_MOTION;
    event.is_free = is_free(gdk);
    return send(event);
}

static bool release(struct crerender_hud_event event, GdkEvent *gdk) {
    event.kind = CRERENDER_RELEASE;
    event.button = gtk.gdk_button_event_get_button(gdk);
    return send(event);
}

/// A finger is the primary button; further fingers are nothing to the HUD.
static bool touch(struct crerender_hud_event event, GdkEvent *gdk, int32_t kind) {
    if (!gtk.gdk_touch_event_get_emulating_pointer(gdk)) return false;
    event.kind = kind;
    event.button = 1;
    return send(event);
}

static bool scroll(struct crerender_hud_event event, GdkEvent *gdk) {
    double x = 0, y = 0;
    switch (gtk.gdk_scroll_event_get_direction(gdk)) {
    case GDK_SCROLL_UP: y = -1; break;
    case GDK_SCROLL_DOWN: y = 1; break;
    case GDK_SCROLL_SMOOTH: gtk.gdk_scroll_event_get_deltas(gdk, &x, &y); break;
    default: break;
    }
    event.kind = CRERENDER_SCROLL;
    event.distance = y * wheel_step;
    return send(event);
}

static bool key_press(struct crerender_hud_event event, GdkEvent *gdk) {
    bool is_shortcut =
        hud.shortcut != 0 && gtk.gdk_key_event_matches(gdk, hud.shortcut, hud.modifiers) == GDK_KEY_MATCH_EXACT;
    event.kind = is_shortcut ? CRERENDER_SHORTCUT : CRERENDER_KEY;
    event.key = gtk.gdk_key_event_get_keyval(gdk);
    event.character = gtk.gdk_keyval_to_unicode(event.key);
    bool is_consumed = send(event);
    guint code = gtk.gdk_key_event_get_keycode(gdk);
    if (code < 256) is_consumed_key[code] = is_consumed;
    return is_consumed;
}

static bool key_release(GdkEvent *gdk) {
    guint code = gtk.gdk_key_event_get_keycode(gdk);
    bool is_consumed = code < 256 && is_consumed_key[code];
    if (is_consumed) is_consumed_key[code] = false;
    return is_consumed;
}

static bool of_kind(struct crerender_hud_event event, int32_t kind) {
    event.kind = kind;
    return send(event);
}

/// Where the pointer was last, in the surface; unknown from when it leaves until it moves.
static struct {
    bool is_known;
    double x, y;
} last;

/// Where in the surface an event is. Those of the wheel do not say it. The display is not asked: asked for a device that it
/// does not know, GDK ends the program.
static bool position(GdkEvent *gdk, double *x, double *y) {
    if (gtk.gdk_event_get_position(gdk, x, y)) {
        last.is_known = true;
        last.x = *x;
        last.y = *y;
        return true;
    }
    *x = last.x;
    *y = last.y;
    return last.is_known && gtk.gdk_event_get_event_type(gdk) == GDK_SCROLL;
}

static bool pointer_leaves(struct crerender_hud_event event) {
    last.is_known = false;
    event.kind = CRERENDER_LEAVE;
    return send(event);
}

/// An event at a point of the window.
static bool pointer(struct crerender_hud_event event, GdkEvent *gdk) {
    double x = 0, y = 0;
    if (!position(gdk, &event.x, &event.y)) return false;
    gtk.gtk_native_get_surface_transform((GtkNative *)hud.window, &x, &y);
    event.x -= x;
    event.y -= y;
    switch (gtk.gdk_event_get_event_type(gdk)) {
    case GDK_BUTTON_PRESS: return press(event, gdk);
    case GDK_BUTTON_RELEASE: return release(event, gdk);
    case GDK_MOTION_NOTIFY: return motion(event, gdk);
    case GDK_TOUCH_BEGIN: return touch(event, gdk, CRERENDER_PRESS);
    case GDK_TOUCH_UPDATE: return touch(event, gdk, CRERENDER_MOTION);
    case GDK_TOUCH_END: return touch(event, gdk, CRERENDER_RELEASE);
    case GDK_SCROLL: return scroll(event, gdk);
    default: return false;
    }
}

static bool is_of_window(GdkSurface *surface) {
    return hud.window && surface == gtk.gtk_native_get_surface((GtkNative *)hud.window);
}

static bool take(GdkEvent *gdk) {
    struct crerender_hud_event event = {0};
    switch (gtk.gdk_event_get_event_type(gdk)) {
    case GDK_KEY_PRESS: return key_press(event, gdk);
    case GDK_KEY_RELEASE: return key_release(gdk);
    case GDK_LEAVE_NOTIFY: return pointer_leaves(event);
    case GDK_TOUCH_CANCEL:
    case GDK_GRAB_BROKEN: return of_kind(event, CRERENDER_CANCEL);
    default: return pointer(event, gdk);
    }
}

/// The last event that the host had before GTK did. It must not have it again.
static GdkEvent *taken_early;

static gboolean on_event(GtkEventControllerLegacy *controller, GdkEvent *gdk, gpointer data) {
    (void)controller, (void)data;
    // Events of popovers pass through the window that they belong to.
    return gdk != taken_early && is_of_window(gtk.gdk_event_get_surface(gdk)) && take(gdk);
}

/// Whether a modal window is shown that is not the HUD's. The HUD's window then gets no events of its own.
static bool is_behind_modal(void) {
    GListModel *windows = gtk.gtk_window_get_toplevels();
    for (guint index = gtk.g_list_model_get_n_items(windows); index-- > 0;) {
        GtkWidget *window = gtk.g_list_model_get_item(windows, index);
        bool is_modal =
            window != hud.window && gtk.gtk_window_get_modal((GtkWindow *)window) && gtk.gtk_widget_get_mapped(window);
        // The list has a reference, too.
        gtk.g_object_unref(window);
        if (is_modal) return true;
    }
    return false;
}

bool hud_events_take(GdkSurface *surface, GdkEvent *gdk) {
    if (!is_of_window(surface)) return false;
    taken_early = is_behind_modal() ? gdk : NULL;
    return taken_early && take(gdk);
}

GtkEventController *hud_events_controller(void) {
    last.is_known = false;
    GtkEventController *controller = gtk.gtk_event_controller_legacy_new();
    gtk.gtk_event_controller_set_name(controller, "rerender-hud");
    gtk.gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
    gtk.g_signal_connect_data(controller, "event", (GCallback)on_event, NULL, NULL, 0);
    return controller;
}
#endif

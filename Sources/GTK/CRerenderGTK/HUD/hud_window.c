// SPDX-License-Identifier: MIT
// The window of the HUD: where the host waits, the first that is drawn, and the next one when that is gone or hidden.

#include "hud.h"

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

// SPDX-License-Identifier: MIT
// The window of the HUD: it comes and goes.

#include "hud.h"

#ifdef RERENDER_GTK
#include "../Hooks/drawing.h"
#include "../Hooks/emissions.h"
#include "../Overlay/overlay.h"
#include "hud_events.h"
#include "hud_functions.h"

static void draw_over(GtkWidget *widget, GtkSnapshot *snapshot) { crerender_overlay_snapshot(widget, snapshot); }

/// Forgets the window and what was shown in it. Controllers go with their widget.
static void forget(void) {
    atomic_store(&hud_has_window, false);
    if (hud.controller) hud_gtk.g_object_unref(hud.controller);
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
    if (hud_wait.is_on) hud_gtk.g_timeout_add(0, on_choice, NULL);
}

static void on_end(GtkWidget *window) {
    if (window != hud.window) return;
    struct crerender_hud_host host = hud.host;
    forget();
    host.gone(window);
    choose_soon();
}

const char *crerender_hud_find(void) {
    const char *missing = hud_functions_find();
    if (missing) return missing;
    drawing_draw_over = draw_over;
    emissions_take_event = hud_events_take;
    overlay_moves = hud_moves;
    overlay_ends = on_end;
    return NULL;
}

static void on_unmap(GtkWidget *window, gpointer data) {
    (void)window, (void)data;
    choose_soon();
}

/// Ends it in its window, and removes what was added to that. The window may be at its end, where GTK and GObject have removed some.
static void detach(void) {
    GtkWidget *window = hud.window;
    if (!window) return;
    if (hud_gtk.gtk_event_controller_get_widget(hud.controller) == window)
        hud_gtk.gtk_widget_remove_controller(window, hud.controller);
    if (hud_gtk.g_signal_handler_is_connected(window, hud.handler))
        hud_gtk.g_signal_handler_disconnect(window, hud.handler);
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
    hud_gtk.gtk_widget_add_controller(window, hud_gtk.g_object_ref(hud.controller));
    hud.handler = hud_gtk.g_signal_connect_data(window, "unmap", (GCallback)on_unmap, NULL, NULL, 0);
    overlay_ask(overlay_of(window, true));
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

// SPDX-License-Identifier: MIT
// The HUD of this process: its window, and when it is drawn.

#include "hud.h"

#ifdef RERENDER_GTK
#include "../drawing.h"
#include "hud_events.h"
#include "hud_functions.h"
#include "hud_title.h"
#include "overlay.h"
#include <stdatomic.h>

struct hud hud;
struct hud_wait hud_wait;

/// Whether there is a HUD, for any thread.
static atomic_bool has_window;

static void draw_over(GtkWidget *widget, GtkSnapshot *snapshot) { crerender_overlay_snapshot(widget, snapshot); }

const char *crerender_hud_find(void) {
    const char *missing = hud_functions_find();
    if (!missing) drawing_draw_over = draw_over;
    return missing;
}

/// Forgets the window and what was shown in it. Controllers go with their widget.
static void forget(void) {
    atomic_store(&has_window, false);
    if (hud.node) hud_gtk.gsk_render_node_unref(hud.node);
    if (hud.texts) hud_texts_free(hud.texts);
    hud = (struct hud){.shortcut = hud.shortcut, .modifiers = hud.modifiers};
}

static void on_gone(gpointer data, GObject *window) {
    (void)data;
    struct crerender_hud_host host = hud.host;
    forget();
    host.gone(window);
}

/// Goes to another window.
static void leave(void) {
    struct crerender_hud_host host = hud.host;
    GtkWidget *window = hud.window;
    hud_detach();
    host.gone(window);
}

void crerender_hud_attach(void *window, const struct crerender_hud_host *host) {
    if (hud.window) leave();
    hud.window = window;
    atomic_store(&has_window, true);
    hud.host = *host;
    hud.texts = hud_texts_new();
    hud.width = hud.height = -1;
    hud.controller = hud_events_controller();
    hud_gtk.gtk_widget_add_controller(window, hud.controller);
    hud_gtk.g_object_weak_ref(window, on_gone, NULL);
    overlay_ask(overlay_of(window, true));
}

void crerender_hud_wait(const struct crerender_hud_host *host) {
    hud_wait.is_on = true;
    hud_wait.host = *host;
}

void crerender_hud_detach(void) {
    hud_wait.is_on = false;
    hud_detach();
}

void hud_detach(void) {
    GtkWidget *window = hud.window;
    if (!window) return;
    hud_gtk.gtk_widget_remove_controller(window, hud.controller);
    hud_gtk.g_object_weak_unref((GObject *)window, on_gone, NULL);
    forget();
    overlay_ask(overlay_of(window, true));
}

/// Asks for a frame, unless one is being drawn that shows it.
static void ask(void) {
    if (hud.window && !hud.is_drawing) overlay_ask(overlay_of(hud.window, true));
}

void crerender_hud_show(const struct crerender_hud_operation *operations, size_t count, const char *bytes) {
    if (!hud.window) return;
    if (hud.node) hud_gtk.gsk_render_node_unref(hud.node);
    hud.node = count > 0 ? hud_draw(hud.texts, hud.window, operations, count, bytes) : NULL;
    ask();
}

void crerender_hud_move(double x, double y) {
    hud.x = (float)x;
    hud.y = (float)y;
    ask();
}

bool hud_moves(GtkWidget *window, int64_t time) {
    if (window != hud.window || !hud.is_moving) return false;
    hud.is_moving = hud.host.frame(window, (double)time / 1e6);
    return hud.is_moving;
}

void crerender_hud_animate(void) {
    if (!hud.window) return;
    hud.is_moving = true;
    overlay_animate(overlay_of(hud.window, true));
}

/// Tells the host of a new size.
static void follow_size(GtkWidget *window) {
    int width = hud_gtk.gtk_widget_get_width(window), height = hud_gtk.gtk_widget_get_height(window);
    if (width == hud.width && height == hud.height) return;
    hud.width = width;
    hud.height = height;
    hud.top = hud_title_height(window);
    hud.host.resized(window, width, height, hud.top);
}

void hud_snapshot(GtkWidget *native, GtkSnapshot *snapshot) {
    if (native != hud.window) return;
    hud.is_drawing = true;
    follow_size(native);
    hud.is_drawing = false;
    if (!hud.node) return;
    hud_gtk.gtk_snapshot_save(snapshot);
    hud_gtk.gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(hud.x, hud.y));
    hud_gtk.gtk_snapshot_append_node(snapshot, hud.node);
    hud_gtk.gtk_snapshot_restore(snapshot);
}

void hud_follow_counts(void) {
    static uint64_t seen;
    if (!hud.window || drawing_counted == seen) return;
    seen = drawing_counted;
    crerender_hud_schedule();
}

/// Whether an update is due, and when the last one was, in microseconds.
static atomic_bool is_scheduled;
static _Atomic int64_t last_update;

/// Updates are so far apart, in microseconds.
enum { update_interval = 200000 };

static gboolean on_update(gpointer data) {
    (void)data;
    atomic_store(&last_update, hud_gtk.g_get_monotonic_time());
    atomic_store(&is_scheduled, false);
    if (hud.window) hud.host.update(hud.window);
    return G_SOURCE_REMOVE;
}

void crerender_hud_schedule(void) {
    if (!atomic_load(&has_window) || atomic_exchange(&is_scheduled, true)) return;
    int64_t wait = atomic_load(&last_update) + update_interval - hud_gtk.g_get_monotonic_time();
    hud_gtk.g_timeout_add(wait > 0 ? (guint)(wait / 1000) : 0, on_update, NULL);
}

bool crerender_hud_set_shortcut(const char *accelerator) {
    hud.shortcut = 0;
    hud.modifiers = 0;
    if (!hud_is_found) return false;
    return !accelerator || hud_gtk.gtk_accelerator_parse(accelerator, &hud.shortcut, &hud.modifiers);
}

void crerender_hud_copy(const char *text) {
    if (hud.window) hud_gtk.gdk_clipboard_set_text(hud_gtk.gtk_widget_get_clipboard(hud.window), text);
}
#endif

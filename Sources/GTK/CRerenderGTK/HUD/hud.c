// SPDX-License-Identifier: MIT
// The HUD of this process: what it shows, when it is drawn, and the title bar that it leaves free.

#include "../headers.h"
#include "hud_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Hooks/hooks.h"
#include "../Overlay/overlay.h"
#include "../Widgets/records.h"

#include <math.h>
#include <stdatomic.h>

/// Widgets that are looked at: a title bar is among the first.
enum { most_looks = 400 };

/// The lower edge of what has the window's buttons.
static float lower_edge(GtkWidget *controls, GtkWidget *window) {
    graphene_rect_t bounds;
    float edge = 0;
    for (GtkWidget *widget = controls; widget && widget != window; widget = gtk.gtk_widget_get_parent(widget)) {
        if (!gtk.gtk_widget_compute_bounds(widget, window, &bounds)) break;
        // A header bar surrounds the buttons closely; what is taller is the content.
        if (bounds.origin.y > 1 + 24 || bounds.size.height > 100) break;
        edge = MAX(edge, bounds.origin.y + bounds.size.height);
    }
    return edge;
}

/// Looks for the window's buttons in `widget` and what is in it; 0 where they are not found.
static float search(GtkWidget *widget, GtkWidget *window, GType controls, unsigned *looks) {
    for (; widget && *looks < most_looks; widget = gtk.gtk_widget_get_next_sibling(widget)) {
        (*looks)++;
        if (!gtk.gtk_widget_get_mapped(widget)) continue;
        if (((GTypeInstance *)widget)->g_class->g_type == controls) return lower_edge(widget, window);
        float edge = search(gtk.gtk_widget_get_first_child(widget), window, controls, looks);
        if (edge > 0) return edge;
    }
    return 0;
}

/// The height of the title bar, which has the buttons that close the window; 0 where the window manager draws it.
static int hud_title_height(GtkWidget *window) {
    GType controls = gtk.g_type_from_name("GtkWindowControls");
    unsigned looks = 0;
    if (controls == 0) return 0;
    return (int)ceilf(search(gtk.gtk_widget_get_first_child(window), window, controls, &looks));
}

struct hud hud;
struct hud_wait hud_wait;
atomic_bool hud_has_window;
atomic_bool hud_is_found;

/// Asks for a frame, unless one is being drawn that shows it.
static void ask(void) {
    if (hud.window && !hud.is_drawing) overlay_ask(overlay_of(hud.window, true));
}

/// Forgets the image of what is shown.
static void clear_image(void) {
    if (hud.image) gtk.gsk_render_node_unref(hud.image);
    hud.image = NULL;
}

void hud_clear(void) {
    clear_image();
    if (hud.node) gtk.gsk_render_node_unref(hud.node);
    hud.node = NULL;
}

void crerender_hud_show(const struct crerender_hud_operation *operations, size_t count, const char *bytes) {
    if (!hud.window) return;
    hud_clear();
    hud.node = count > 0 ? hud_draw(hud.texts, hud.window, operations, count, bytes) : NULL;
    ask();
}

void crerender_hud_move(double x, double y) {
    hud.x = (float)x;
    hud.y = (float)y;
    ask();
}

/// Tells the host of a new size.
static void follow_size(GtkWidget *window) {
    int width = gtk.gtk_widget_get_width(window), height = gtk.gtk_widget_get_height(window);
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
    int scale = gtk.gtk_widget_get_scale_factor(native);
    if (scale != hud.scale) clear_image();
    hud.scale = scale;
    if (!hud.image) hud.image = hud_image(hud.node, scale);
    gtk.gtk_snapshot_save(snapshot);
    gtk.gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(hud.x, hud.y));
    gtk.gtk_snapshot_append_node(snapshot, hud.image);
    gtk.gtk_snapshot_restore(snapshot);
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
    atomic_store(&last_update, gtk.g_get_monotonic_time());
    atomic_store(&is_scheduled, false);
    if (hud.window) hud.host.update(hud.window);
    return G_SOURCE_REMOVE;
}

void crerender_hud_schedule(void) {
    if (!atomic_load(&hud_has_window) || atomic_exchange(&is_scheduled, true)) return;
    int64_t wait = atomic_load(&last_update) + update_interval - gtk.g_get_monotonic_time();
    gtk.g_timeout_add(wait > 0 ? (guint)(wait / 1000) : 0, on_update, NULL);
}

/// What is to be called.
struct call {
    void (*body)(void *context);
    void *context;
};

static gboolean on_call(gpointer data) {
    struct call *call = data;
    call->body(call->context);
    gtk.g_free(call);
    return G_SOURCE_REMOVE;
}

void crerender_hud_call(void (*body)(void *context), void *context) {
    struct call *call = gtk.g_malloc0(sizeof *call);
    *call = (struct call){body, context};
    // Before the next frame: a program that is busy with frames is never idle.
    gtk.g_timeout_add(0, on_call, call);
}

bool crerender_hud_set_shortcut(const char *accelerator) {
    hud.shortcut = 0;
    hud.modifiers = 0;
    if (!hud_is_found) return false;
    return !accelerator || gtk.gtk_accelerator_parse(accelerator, &hud.shortcut, &hud.modifiers);
}

const char *crerender_hud_pick(double x, double y) {
    if (!hud.window) return NULL;
    // Also what is insensitive or lets clicks through is drawn.
    GtkPickFlags flags = GTK_PICK_INSENSITIVE | GTK_PICK_NON_TARGETABLE;
    GtkWidget *widget = gtk.gtk_widget_pick(hud.window, x, y, flags);
    for (; widget; widget = gtk.gtk_widget_get_parent(widget)) {
        struct record *record = drawn_record_of(widget);
        if (record && record->key) return record->key;
    }
    return NULL;
}
#endif

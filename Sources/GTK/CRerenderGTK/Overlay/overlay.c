// SPDX-License-Identifier: MIT
// The overlays of windows and popovers, and which of them move.

#include "overlay.h"

#ifdef RERENDER_GTK
#include "../Hooks/drawing.h"
#include "../HUD/hud_functions.h"

bool (*overlay_moves)(GtkWidget *native, int64_t time);
void (*overlay_ends)(GtkWidget *native);

/// The overlays: few, so that looking through them costs each widget that is drawn little.
static struct overlay *first;

/// Lets go of the frame clock.
static void stop(struct overlay *overlay) {
    GdkFrameClock *clock = overlay->clock;
    if (!clock) return;
    overlay->clock = NULL;
    // The clock of a window that was hidden for good has dropped its handlers.
    if (hud_gtk.g_signal_handler_is_connected(clock, overlay->handler)) {
        hud_gtk.g_signal_handler_disconnect(clock, overlay->handler);
        hud_gtk.gdk_frame_clock_end_updating(clock);
    }
    hud_gtk.g_object_unref(clock);
}

/// Called while GObject disposes of it: what it has of weak functions can neither be taken back now, nor asked for. So nothing is ever
/// taken back of them.
static void on_end(gpointer data, GObject *native) {
    struct overlay *overlay = data;
    struct overlay **link = &first;
    while (*link && *link != overlay) link = &(*link)->next;
    if (*link) *link = overlay->next;
    stop(overlay);
    marks_free(&overlay->pulses);
    marks_free(&overlay->flashes);
    for (size_t i = 0; i < 10; i++) {
        if (overlay->digits[i]) hud_gtk.gsk_render_node_unref(overlay->digits[i]);
    }
    hud_gtk.g_free(overlay);
    if (overlay_ends) overlay_ends((GtkWidget *)native);
}

struct overlay *overlay_of(GtkWidget *native, bool make) {
    for (struct overlay *overlay = first; overlay; overlay = overlay->next) {
        if (overlay->native == native) return overlay;
    }
    if (!make) return NULL;
    struct overlay *overlay = hud_gtk.g_malloc0(sizeof *overlay);
    overlay->native = native;
    overlay->next = first;
    first = overlay;
    hud_gtk.g_object_weak_ref((GObject *)native, on_end, overlay);
    return overlay;
}

void overlay_ask(struct overlay *overlay) {
    overlay->has_asked = true;
    drawing_expect_hud(overlay->native);
    hud_gtk.gtk_widget_queue_draw(overlay->native);
}

int64_t overlay_time(struct overlay *overlay) {
    GdkFrameClock *clock = hud_gtk.gtk_widget_get_frame_clock(overlay->native);
    return clock ? hud_gtk.gdk_frame_clock_get_frame_time(clock) : hud_gtk.g_get_monotonic_time();
}

static void on_update(GdkFrameClock *clock, gpointer data) {
    struct overlay *overlay = data;
    int64_t now = hud_gtk.gdk_frame_clock_get_frame_time(clock);
    bool had_marks = overlay->pulses.count > 0 || overlay->flashes.count > 0;
    // Hidden, it draws no frame in which they would begin.
    if (had_marks && !hud_gtk.gtk_widget_get_mapped(overlay->native)) {
        marks_begin(&overlay->pulses, now);
        marks_begin(&overlay->flashes, now);
    }
    marks_drop(&overlay->pulses, now, pulse_time);
    marks_drop(&overlay->flashes, now, flash_time);
    // Also for the last time, which leaves nothing behind.
    if (had_marks) overlay_ask(overlay);
    bool moves = overlay_moves && overlay_moves(overlay->native, now);
    if (!moves && overlay->pulses.count == 0 && overlay->flashes.count == 0) stop(overlay);
}

void overlay_animate(struct overlay *overlay) {
    GdkFrameClock *clock = hud_gtk.gtk_widget_get_frame_clock(overlay->native);
    if (clock == overlay->clock) return;
    stop(overlay);
    if (!clock) return;
    overlay->clock = hud_gtk.g_object_ref(clock);
    overlay->handler = hud_gtk.g_signal_connect_data(clock, "update", (GCallback)on_update, overlay, NULL, 0);
    hud_gtk.gdk_frame_clock_begin_updating(clock);
}
#endif

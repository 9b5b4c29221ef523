// SPDX-License-Identifier: MIT
// The overlays of windows and popovers, and when they are drawn.

#include "overlay.h"

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../drawing.h"
#include "hud.h"
#include "hud_choice.h"
#include "hud_functions.h"
#include "mark_drawing.h"

/// The overlays: few, so that looking through them costs each widget that is drawn little.
static struct overlay *first;

static void on_end(gpointer data, GObject *native) {
    (void)native;
    struct overlay *overlay = data;
    struct overlay **link = &first;
    while (*link && *link != overlay) link = &(*link)->next;
    if (*link) *link = overlay->next;
    marks_free(&overlay->pulses);
    marks_free(&overlay->flashes);
    for (size_t i = 0; i < 10; i++) {
        if (overlay->digits[i]) hud_gtk.gsk_render_node_unref(overlay->digits[i]);
    }
    hud_gtk.g_free(overlay);
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

static gboolean on_tick(GtkWidget *native, GdkFrameClock *clock, gpointer data) {
    (void)native;
    struct overlay *overlay = data;
    int64_t now = hud_gtk.gdk_frame_clock_get_frame_time(clock);
    marks_drop(&overlay->pulses, now, pulse_time);
    marks_drop(&overlay->flashes, now, flash_time);
    // Also for the last time, which leaves nothing behind.
    overlay_ask(overlay);
    if (overlay->pulses.count > 0 || overlay->flashes.count > 0) return G_SOURCE_CONTINUE;
    overlay->tick = 0;
    return G_SOURCE_REMOVE;
}

void overlay_animate(struct overlay *overlay) {
    if (overlay->tick != 0) return;
    overlay->tick = hud_gtk.gtk_widget_add_tick_callback(overlay->native, on_tick, overlay, NULL);
}

void crerender_overlay_snapshot(void *native, void *snapshot) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    hud_choose(native);
    if (!overlay) return;
    overlay->has_asked = false;
    marks_draw(overlay, snapshot);
    hud_snapshot(native, snapshot);
    hud_follow_counts();
}

bool crerender_overlay_asked(void *native) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    return overlay && overlay->has_asked;
}
#endif

// SPDX-License-Identifier: MIT
// The overlays of windows and popovers: the marks in each of them, and which of them move.

#include "overlay.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Hooks/hooks.h"
#include "../Replacement/replacement.h"

void (*overlay_ends)(GtkWidget *native);

/// The overlays: few, so that looking through them costs each widget that is drawn little.
static struct overlay *first;

/// Lets go of the frame clock.
static void stop(struct overlay *overlay) {
    GdkFrameClock *clock = overlay->clock;
    if (!clock) return;
    overlay->clock = NULL;
    // The clock of a window that was hidden for good has dropped its handlers.
    if (gtk.g_signal_handler_is_connected(clock, overlay->handler)) {
        gtk.g_signal_handler_disconnect(clock, overlay->handler);
        gtk.gdk_frame_clock_end_updating(clock);
    }
    gtk.g_object_unref(clock);
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
        if (overlay->digits[i]) gtk.gsk_render_node_unref(overlay->digits[i]);
    }
    gtk.g_free(overlay);
    if (overlay_ends) overlay_ends((GtkWidget *)native);
}

struct overlay *overlay_of(GtkWidget *native, bool make) {
    for (struct overlay *overlay = first; overlay; overlay = overlay->next) {
        if (overlay->native == native) return overlay;
    }
    if (!make) return NULL;
    struct overlay *overlay = gtk.g_malloc0(sizeof *overlay);
    overlay->native = native;
    overlay->next = first;
    first = overlay;
    gtk.g_object_weak_ref((GObject *)native, on_end, overlay);
    return overlay;
}

void overlay_ask(struct overlay *overlay) {
    overlay->has_asked = true;
    drawing_expect_hud(overlay->native);
    gtk.gtk_widget_queue_draw(overlay->native);
}

int64_t overlay_time(struct overlay *overlay) {
    GdkFrameClock *clock = gtk.gtk_widget_get_frame_clock(overlay->native);
    return clock ? gtk.gdk_frame_clock_get_frame_time(clock) : gtk.g_get_monotonic_time();
}

static void on_update(GdkFrameClock *clock, gpointer data) {
    struct overlay *overlay = data;
    int64_t now = gtk.gdk_frame_clock_get_frame_time(clock);
    bool had_marks = overlay->pulses.count > 0 || overlay->flashes.count > 0;
    // Hidden, it draws no frame in which they would begin, and once all was put back, nothing draws them.
    if (had_marks && (must_put_back() || !gtk.gtk_widget_get_mapped(overlay->native))) {
        marks_begin(&overlay->pulses, now);
        marks_begin(&overlay->flashes, now);
    }
    marks_drop(&overlay->pulses, now, pulse_time);
    marks_drop(&overlay->flashes, now, flash_time);
    // Also for the last time, which leaves nothing behind.
    if (had_marks) overlay_ask(overlay);
    if (overlay->pulses.count == 0 && overlay->flashes.count == 0) stop(overlay);
}

void overlay_animate(struct overlay *overlay) {
    GdkFrameClock *clock = gtk.gtk_widget_get_frame_clock(overlay->native);
    if (clock == overlay->clock) return;
    stop(overlay);
    if (!clock) return;
    overlay->clock = gtk.g_object_ref(clock);
    overlay->handler = gtk.g_signal_connect_data(clock, "update", (GCallback)on_update, overlay, NULL, 0);
    gtk.gdk_frame_clock_begin_updating(clock);
}

static struct mark *found(struct marks *marks, GtkWidget *widget) {
    for (unsigned i = 0; i < marks->count; i++) {
        if (marks->items[i]->address == widget) return marks->items[i];
    }
    return NULL;
}

/// Begins a mark anew, if it does not wait for its first frame already.
static void begin(struct marks *marks, struct mark *mark) {
    if (mark->start != 0) marks->fresh++;
    mark->start = 0;
}

static struct mark *appended(struct marks *marks, GtkWidget *widget) {
    if (marks->count == most_marks) return NULL;
    if (!marks->items) marks->items = gtk.g_malloc0(most_marks * sizeof *marks->items);
    // All zero, a weak reference is an empty one.
    if (marks->made == marks->count) marks->items[marks->made++] = gtk.g_malloc0(sizeof(struct mark));
    struct mark *mark = marks->items[marks->count++];
    mark->address = widget;
    mark->start = 0;
    marks->fresh++;
    return mark;
}

struct mark *marks_add(struct marks *marks, GtkWidget *widget) {
    // Where all of them are of this frame, nothing is looked for: ten thousand widgets may follow.
    struct mark *mark = marks->fresh == most_marks ? NULL : found(marks, widget);
    if (mark) {
        begin(marks, mark);
    } else {
        mark = appended(marks, widget);
    }
    if (mark)
        gtk.g_weak_ref_set(&mark->widget, widget);
    else
        marks->left_out++;
    return mark;
}

void marks_begin(struct marks *marks, int64_t now) {
    if (marks->fresh > 0 || marks->left_out > 0) marks->left_out_before = marks->left_out;
    marks->left_out = 0;
    for (unsigned i = 0; i < marks->count && marks->fresh > 0; i++) {
        if (marks->items[i]->start != 0) continue;
        marks->items[i]->start = now;
        marks->fresh--;
    }
}

void marks_drop(struct marks *marks, int64_t now, int64_t time) {
    unsigned kept = 0;
    for (unsigned i = 0; i < marks->count; i++) {
        struct mark *mark = marks->items[i];
        bool is_fresh = mark->start == 0;
        if (!is_fresh && now - mark->start >= time) {
            gtk.g_weak_ref_set(&mark->widget, NULL);
            continue;
        }
        // In their order; the dropped one is kept behind.
        marks->items[i] = marks->items[kept];
        marks->items[kept++] = mark;
    }
    marks->count = kept;
    if (kept == 0) marks->left_out_before = 0;
}

GtkWidget *mark_hold(struct mark *mark) { return gtk.g_weak_ref_get(&mark->widget); }

void marks_free(struct marks *marks) {
    for (unsigned i = 0; i < marks->made; i++) {
        gtk.g_weak_ref_clear(&marks->items[i]->widget);
        gtk.g_free(marks->items[i]);
    }
    gtk.g_free(marks->items);
    *marks = (struct marks){0};
}

float mark_strength(const struct mark *mark, int64_t now, int64_t time) {
    if (mark->start == 0 || now <= mark->start) return 1;
    int64_t age = now - mark->start;
    return age >= time ? 0 : 1 - (float)age / (float)time;
}
#endif

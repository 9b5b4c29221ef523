// SPDX-License-Identifier: MIT
// Keeps the marks of one window.

#include "marks.h"

#ifdef RERENDER_GTK
#include "../HUD/hud_functions.h"

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
    if (!marks->items) marks->items = hud_gtk.g_malloc0(most_marks * sizeof *marks->items);
    // All zero, a weak reference is an empty one.
    if (marks->made == marks->count) marks->items[marks->made++] = hud_gtk.g_malloc0(sizeof(struct mark));
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
        hud_gtk.g_weak_ref_set(&mark->widget, widget);
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
            hud_gtk.g_weak_ref_set(&mark->widget, NULL);
            continue;
        }
        // In their order; the dropped one is kept behind.
        marks->items[i] = marks->items[kept];
        marks->items[kept++] = mark;
    }
    marks->count = kept;
    if (kept == 0) marks->left_out_before = 0;
}

GtkWidget *mark_hold(struct mark *mark) { return hud_gtk.g_weak_ref_get(&mark->widget); }

void marks_free(struct marks *marks) {
    for (unsigned i = 0; i < marks->made; i++) {
        hud_gtk.g_weak_ref_clear(&marks->items[i]->widget);
        hud_gtk.g_free(marks->items[i]);
    }
    hud_gtk.g_free(marks->items);
    *marks = (struct marks){0};
}

float mark_strength(const struct mark *mark, int64_t now, int64_t time) {
    if (mark->start == 0 || now <= mark->start) return 1;
    int64_t age = now - mark->start;
    return age >= time ? 0 : 1 - (float)age / (float)time;
}
#endif

// SPDX-License-Identifier: MIT
// Keeps the marks of one window.

#include "marks.h"

#ifdef RERENDER_GTK
#include "../HUD/hud_functions.h"

static struct mark *found(struct marks *marks, GtkWidget *widget) {
    for (unsigned i = 0; i < marks->count; i++) {
        if (marks->items[i].widget == widget) return &marks->items[i];
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
    struct mark *mark = &marks->items[marks->count++];
    *mark = (struct mark){.widget = widget};
    hud_gtk.g_object_add_weak_pointer((GObject *)widget, (gpointer *)&mark->widget);
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
    if (!mark) marks->left_out++;
    return mark;
}

void marks_begin(struct marks *marks, int64_t now) {
    if (marks->fresh > 0 || marks->left_out > 0) marks->left_out_before = marks->left_out;
    marks->left_out = 0;
    for (unsigned i = 0; i < marks->count && marks->fresh > 0; i++) {
        if (marks->items[i].start != 0) continue;
        marks->items[i].start = now;
        marks->fresh--;
    }
}

static void forget(struct mark *mark) {
    if (mark->widget) {
        hud_gtk.g_object_remove_weak_pointer((GObject *)mark->widget, (gpointer *)&mark->widget);
    }
    mark->widget = NULL;
}

/// Moves a mark to another place of the list; GObject is told where it is now.
static void move(struct mark *to, struct mark *from) {
    GtkWidget *widget = from->widget;
    forget(from);
    *to = *from;
    to->widget = widget;
    if (widget) hud_gtk.g_object_add_weak_pointer((GObject *)widget, (gpointer *)&to->widget);
}

void marks_drop(struct marks *marks, int64_t now, int64_t time) {
    unsigned kept = 0;
    for (unsigned i = 0; i < marks->count; i++) {
        struct mark *mark = &marks->items[i];
        bool is_fresh = mark->start == 0;
        if (!mark->widget || (!is_fresh && now - mark->start >= time)) {
            if (is_fresh) marks->fresh--;
            forget(mark);
            continue;
        }
        if (kept != i) move(&marks->items[kept], mark);
        kept++;
    }
    marks->count = kept;
    if (kept == 0) marks->left_out_before = 0;
}

void marks_free(struct marks *marks) {
    for (unsigned i = 0; i < marks->count; i++) forget(&marks->items[i]);
    hud_gtk.g_free(marks->items);
    *marks = (struct marks){0};
}

float mark_strength(const struct mark *mark, int64_t now, int64_t time) {
    if (mark->start == 0 || now <= mark->start) return 1;
    int64_t age = now - mark->start;
    return age >= time ? 0 : 1 - (float)age / (float)time;
}
#endif

// SPDX-License-Identifier: MIT
// Finds who asked for a layout by marks in the records of widgets, which are of the frame that comes next.

#include "askers.h"

#ifdef RERENDER_GTK
#include "../functions.h"

/// The number of the frame that comes next.
static uint32_t frame = 1;

/// So many records are looked at for one widget. Where that is too few, it is not known who asked.
enum { MOST_LOOKS = 1024 };

void askers_drawn(void) { frame++; }

void askers_measured(struct record *record) {
    record->measured_for = frame;
    GtkWidget *outer = gtk.gtk_widget_get_parent(record->widget);
    for (; outer; outer = gtk.gtk_widget_get_parent(outer)) {
        struct record *around = record_of(outer);
        if (!around || around->measured_inside_for == frame) return;
        around->measured_inside_for = frame;
    }
}

static bool is_marked(const struct record *record) {
    return record && (record->measured_for == frame || record->measured_inside_for == frame);
}

/// The first marked widget in one; null where there is none, or looks are used up.
static struct record *marked_inside(GtkWidget *widget, int *looks, bool *has_more) {
    struct record *found = NULL;
    for (GtkWidget *inner = gtk.gtk_widget_get_first_child(widget); inner;
         inner = gtk.gtk_widget_get_next_sibling(inner)) {
        if (--*looks < 0) return NULL;
        struct record *record = record_of(inner);
        if (!is_marked(record)) continue;
        if (found) {
            *has_more = true;
            return found;
        }
        found = record;
    }
    return found;
}

const char *asker_of(const struct record *record, bool *has_more) {
    *has_more = false;
    int looks = MOST_LOOKS;
    GtkWidget *widget = record->widget;
    const struct record *asker = record;
    while (!is_marked(asker)) {
        widget = gtk.gtk_widget_get_parent(widget);
        if (!widget || --looks < 0) return NULL;
        asker = record_of(widget);
    }
    while (asker && asker->measured_inside_for == frame) {
        asker = marked_inside(widget, &looks, has_more);
        if (asker) widget = asker->widget;
    }
    // A window asks where the program gives it a size.
    return asker && asker != record && gtk.gtk_widget_get_parent(widget) ? asker->key : NULL;
}
#endif

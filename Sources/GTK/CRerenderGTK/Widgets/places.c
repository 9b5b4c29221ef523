// SPDX-License-Identifier: MIT
// Tells whether a widget and those in it are where they were: by a number for their places and sizes.

#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"

#include <string.h>

enum { BASIS = 1469598103 };

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t index = 0; index + sizeof(uint32_t) <= size; index += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, at + index, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

/// Takes in where a widget is in the one around it, and how large it is.
static bool mix_place(uint64_t *hash, GtkWidget *widget, GtkWidget *outer) {
    graphene_matrix_t place;
    if (!gtk.gtk_widget_compute_transform(widget, outer, &place)) return false;
    const int size[] = {gtk.gtk_widget_get_width(widget), gtk.gtk_widget_get_height(widget)};
    *hash = mix(mix(*hash, &place, sizeof place), size, sizeof size);
    return true;
}

uint64_t places_of(GtkWidget *widget, uint64_t most) {
    uint64_t hash = BASIS;
    // A window is in nothing.
    GtkWidget *outer = gtk.gtk_widget_get_parent(widget);
    if (most == 0 || (outer && !mix_place(&hash, widget, outer))) return 0;
    for (GtkWidget *inner = gtk.gtk_widget_get_first_child(widget); inner;
         inner = gtk.gtk_widget_get_next_sibling(inner)) {
        if (most-- == 0 || !mix_place(&hash, inner, widget)) return 0;
        const bool is_shown = gtk.gtk_widget_get_mapped(inner);
        hash = mix(hash, &(const uint32_t){is_shown}, sizeof(uint32_t));
    }
    return hash ? hash : 1;
}

/// With more, the places count as unknown.
enum { MOST_PLACES = 1024 };

bool places_stay(struct record *record) {
    uint64_t before = record->places;
    record->places = places_of(record->widget, MOST_PLACES);
    return before != 0 && record->places == before;
}
#endif

// SPDX-License-Identifier: MIT
// Widgets that are marked for a short time.
#ifndef CRERENDER_GTK_MARKS_H
#define CRERENDER_GTK_MARKS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// Widgets of one window that flash at once, and that pulse at once. The others are counted.
enum { most_marks = 200 };

/// How long a border and a flash take to fade, in microseconds.
enum { pulse_time = 1000000, flash_time = 300000 };

/// A marked widget.
struct mark {
    /// Null once it is gone: GObject clears it.
    GtkWidget *widget;
    /// The frame in which it was drawn first; 0 until then.
    int64_t start;
    uint64_t count;
    bool is_wasted;
};

/// Marks that last for the same time.
struct marks {
    struct mark *items;
    unsigned count;
    /// Marks that wait for their first frame.
    unsigned fresh;
    /// Widgets for which there was no room, in the frame that is being drawn and in the last one with marks.
    uint64_t left_out, left_out_before;
};

/// Marks a widget, or begins its mark anew.
///
/// - Returns: Null where there is no room.
struct mark *marks_add(struct marks *marks, GtkWidget *widget);

/// Gives all marks that wait for their first frame its time.
void marks_begin(struct marks *marks, int64_t now);

/// Drops the marks that have faded, and those of widgets that are gone.
void marks_drop(struct marks *marks, int64_t now, int64_t time);

/// Drops all of them.
void marks_free(struct marks *marks);

/// How much of a mark is still to be seen: 1 in its first frame, 0 at its end.
float mark_strength(const struct mark *mark, int64_t now, int64_t time);

#endif
#endif

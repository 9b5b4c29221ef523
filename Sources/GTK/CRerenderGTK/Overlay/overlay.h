// SPDX-License-Identifier: MIT
// What is drawn above one window or popover, and the widgets in it that are marked for a short time.
#ifndef CRERENDER_GTK_OVERLAY_H
#define CRERENDER_GTK_OVERLAY_H

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
    /// Empty once it is gone. It may end before its window, after it and while that ends, in any thread. Of all ways in which GObject
    /// tells of an end, only this one can be taken back at any time: weak functions and pointers cannot while the object is disposed of.
    GWeakRef widget;
    /// Its address, to find the mark by. Another widget may have the address by now.
    const GtkWidget *address;
    /// The frame in which it was drawn first; 0 until then.
    int64_t start;
    uint64_t count;
    bool is_wasted;
};

/// Marks that last for the same time.
struct marks {
    /// Those in use, and behind them others that are kept. GObject knows their addresses, so that they stay where they are.
    struct mark **items;
    unsigned count, made;
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

/// Drops the marks that have faded.
void marks_drop(struct marks *marks, int64_t now, int64_t time);

/// The widget of a mark, held; null once it is gone.
GtkWidget *mark_hold(struct mark *mark);

/// Drops all of them.
void marks_free(struct marks *marks);

/// How much of a mark is still to be seen: 1 in its first frame, 0 at its end.
float mark_strength(const struct mark *mark, int64_t now, int64_t time);

/// Of one window or popover, until GObject disposes of that. All that belongs to a window or popover hangs on it: nothing else listens
/// for their ends.
struct overlay {
    struct overlay *next;
    GtkWidget *native;
    struct marks pulses;
    struct marks flashes;
    /// The digits of the counts and how wide each is in pixels, made when the first count is drawn.
    GskRenderNode *digits[10];
    float digit_width;
    /// The frame clock that is followed until the marks have faded; null where there are none. No tick
    /// callback of the widget's: those are taken for animations of the program's.
    GdkFrameClock *clock;
    gulong handler;
    /// A frame was asked for here since the last one was drawn.
    bool has_asked;
};

/// The overlay of a window or popover.
///
/// - Parameter make: Whether it is made where there is none.
struct overlay *overlay_of(GtkWidget *native, bool make);

/// Asks for a frame.
void overlay_ask(struct overlay *overlay);

/// Told that a window or popover with an overlay ends; null for nothing.
extern void (*overlay_ends)(GtkWidget *native);

/// Draws each frame from now on, until the marks have faded and the HUD stands still.
void overlay_animate(struct overlay *overlay);

/// The time of the frame that is being drawn, in microseconds of the monotonic clock.
int64_t overlay_time(struct overlay *overlay);

#endif
#endif

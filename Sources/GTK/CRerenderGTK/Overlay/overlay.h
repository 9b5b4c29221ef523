// SPDX-License-Identifier: MIT
// What is drawn above one window or popover.
#ifndef CRERENDER_GTK_OVERLAY_H
#define CRERENDER_GTK_OVERLAY_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "marks.h"

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
    /// The frame clock that is followed until the marks have faded and the HUD stands still; null where nothing moves. No tick
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

/// Asked in each frame whether something else moves above a window or popover, at a time in microseconds; null for nothing.
extern bool (*overlay_moves)(GtkWidget *native, int64_t time);

/// Told that a window or popover with an overlay ends; null for nothing.
extern void (*overlay_ends)(GtkWidget *native);

/// Draws each frame from now on, until the marks have faded and the HUD stands still.
void overlay_animate(struct overlay *overlay);

/// The time of the frame that is being drawn, in microseconds of the monotonic clock.
int64_t overlay_time(struct overlay *overlay);

#endif
#endif

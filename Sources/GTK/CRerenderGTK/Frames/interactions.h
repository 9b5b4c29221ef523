// SPDX-License-Identifier: MIT
// From input to frame: how long it took until a press, a click or a key could be seen, and where that time went.
#ifndef CRERENDER_GTK_INTERACTIONS_H
#define CRERENDER_GTK_INTERACTIONS_H

#include "../headers.h"
#include "crerender_facts.h"
#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// GTK is about to hand out input to a window with that key, which is kept for as long as the process runs.
void interactions_began(enum crerender_input input, const char *window);

/// GTK has handed it out.
void interactions_handed_out(void);

/// A handler that runs: when it began, and what is known of that moment where an interaction goes on.
struct interaction_handler {
    /// By the clock; the time of handlers and sources, and that of earlier runs of the same function.
    uint64_t began, sources, before;
    /// The key of its widget, which is kept for as long as the process runs.
    const char *view;
    /// The program's function; 0 where it is not known.
    uintptr_t function;
};

/// A handler begins.
struct interaction_handler interactions_handler_began(uint64_t began, const char *view, uintptr_t function);

/// It has ended.
void interactions_handler_ended(const struct interaction_handler *handler);

/// A widget that is drawn was changed.
void interactions_note_write(void);

/// A frame that painted something.
struct interaction_frame {
    GdkFrameClock *clock;
    int64_t counter;
    uint64_t began, drawings;
};

/// Such a frame has ended. Returns whether it shows what slow input led to, which is to be told at once: the program may rest now.
bool interactions_frame_ended(const struct interaction_frame *frame);

/// Asks when earlier frames of a clock were presented, whose frame `counter` has ended now.
void interactions_look(GdkFrameClock *clock, int64_t counter, const struct crerender_presentation_source *source);

#endif
#endif

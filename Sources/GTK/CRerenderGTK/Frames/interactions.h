// SPDX-License-Identifier: MIT
// From input to frame: how long it took until a press, a click or a key could be seen, and where that time went.
#ifndef CRERENDER_GTK_INTERACTIONS_H
#define CRERENDER_GTK_INTERACTIONS_H

#include "../headers.h"
#include "crerender_facts.h"
#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include <stdint.h>

/// GTK is about to hand out input to a window with that key, which is kept for as long as the process runs.
void interactions_began(enum crerender_input input, const char *window);

/// GTK has handed it out.
void interactions_handed_out(void);

/// The time of handlers and sources until now, where an interaction goes on; else 0.
uint64_t interactions_sources(void);

/// A handler has ended.
///
/// - Parameters:
///   - began: When it began.
///   - sources: What `interactions_sources` returned then.
///   - view: The key of its widget, which is kept for as long as the process runs.
///   - function: The program's function; 0 where it is not known.
void interactions_handler_ended(uint64_t began, uint64_t sources, const char *view, uintptr_t function);

/// A widget that is drawn was changed.
void interactions_note_write(void);

/// A frame that painted something.
struct interaction_frame {
    GdkFrameClock *clock;
    int64_t counter;
    uint64_t began, drawings;
};

/// Such a frame has ended.
void interactions_frame_ended(const struct interaction_frame *frame);

/// Asks when earlier frames of a clock were presented, whose frame `counter` has ended now.
void interactions_look(GdkFrameClock *clock, int64_t counter, const struct crerender_presentation_source *source);

#endif
#endif

// SPDX-License-Identifier: MIT
// When frames were presented, which is known some frames later or never. No types of GTK, so that it can be tried without one.
#ifndef CRERENDER_PRESENTATION_H
#define CRERENDER_PRESENTATION_H

#include <stdbool.h>
#include <stdint.h>

/// What a clock knows of one of its frames.
struct crerender_presentation {
    /// Whether the clock has it still, and whether all is known of it that ever will be.
    bool is_kept, is_complete;
    /// When it was presented, in nanoseconds; 0 where nobody tells.
    uint64_t at;
};

/// Whom to ask and to tell.
struct crerender_presentation_source {
    struct crerender_presentation (*ask)(const void *clock, int64_t counter);
    /// A frame was presented so long after it began.
    void (*tell)(uint64_t nanoseconds);
};

/// Frames that are waited for, of all clocks; more take the places of the oldest.
enum { CRERENDER_PRESENTATIONS = 8 };

/// A frame was drawn; its presentation will be asked for. One thread; no allocation.
void crerender_presentation_note(const void *clock, int64_t counter, uint64_t began);

/// Asks for the earlier frames of a clock whose frame `counter` is drawn now. Each is asked for in the next few frames alone.
void crerender_presentation_look(const void *clock, int64_t counter,
                                 const struct crerender_presentation_source *source);

#endif

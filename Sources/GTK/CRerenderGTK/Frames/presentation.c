// SPDX-License-Identifier: MIT
// Keeps the frames of which it is not yet known when they were presented.

#include "crerender_presentation.h"

#include <stddef.h>

static struct {
    const void *clock;
    int64_t counter;
    uint64_t began;
} waiting[CRERENDER_PRESENTATIONS];
static size_t next;

void crerender_presentation_note(const void *clock, int64_t counter, uint64_t began) {
    waiting[next].clock = clock;
    waiting[next].counter = counter;
    waiting[next].began = began;
    next = (next + 1) % CRERENDER_PRESENTATIONS;
}

/// Whether nothing more is to be learned of a frame.
static bool look(size_t place, int64_t counter, const struct crerender_presentation_source *source) {
    int64_t age = counter - waiting[place].counter;
    // A new clock may have the address of an old one.
    if (age <= 0 || age > CRERENDER_PRESENTATIONS) return true;
    struct crerender_presentation found = source->ask(waiting[place].clock, waiting[place].counter);
    if (!found.is_kept) return true;
    if (!found.is_complete) return false;
    if (found.at > waiting[place].began) source->tell(found.at - waiting[place].began);
    return true;
}

void crerender_presentation_look(const void *clock, int64_t counter,
                                 const struct crerender_presentation_source *source) {
    for (size_t place = 0; place < CRERENDER_PRESENTATIONS; place++)
        if (waiting[place].clock == clock && look(place, counter, source)) waiting[place].clock = NULL;
}

// SPDX-License-Identifier: MIT
// Keeps the spans of GTK's thread. A program may leave a handler by a jump, so that the call that a span is of never returns: what
// lies on the stack is gone then, and what lies here is not.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "spans.h"

#ifdef RERENDER_GTK
#include "../part.h"

#include <pthread.h>

/// A span, and the place on the stack of the call that it is of. The stack grows down: a call in another one has a lower place.
struct span {
    uintptr_t place;
    void *phase;
    struct crerender_gtk_span memory;
};

/// Deeper ones have no span of their own.
enum { MOST_SPANS = 256 };
static struct span spans[MOST_SPANS];
static size_t count;

bool spans_is_own_stack(const void *place) {
    static pthread_t thread;
    static uintptr_t low, high;
    if (!high || !pthread_equal(thread, pthread_self())) {
        pthread_attr_t attributes;
        void *address = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
        pthread_attr_getstack(&attributes, &address, &size);
        pthread_attr_destroy(&attributes);
        thread = pthread_self();
        low = (uintptr_t)address;
        high = low + size;
    }
    return (uintptr_t)place >= low && (uintptr_t)place < high;
}

/// Forgets the spans of calls below a place, which has been left by a jump.
static void forget_below(uintptr_t place) {
    while (count > 0 && spans[count - 1].place < place) part.swift.span_forgotten(&spans[--count].memory);
}

bool spans_begin(void *phase, const void *place, uint64_t *began) {
    if (!spans_is_own_stack(place)) return false;
    forget_below((uintptr_t)place + 1);
    if (count == MOST_SPANS) return false;
    struct span *span = &spans[count++];
    span->place = (uintptr_t)place;
    span->phase = phase;
    *began = part.swift.span_began(phase, &span->memory);
    return true;
}

uint64_t spans_end(const void *place) {
    forget_below((uintptr_t)place);
    if (count == 0 || spans[count - 1].place != (uintptr_t)place) return part_now();
    struct span *span = &spans[--count];
    return part.swift.span_ended(span->phase, &span->memory);
}
#endif

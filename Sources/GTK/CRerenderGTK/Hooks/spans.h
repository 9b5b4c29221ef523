// SPDX-License-Identifier: MIT
// Phases and handlers that run on GTK's thread, in memory that outlives the calls that they are of.
#ifndef CRERENDER_GTK_SPANS_H
#define CRERENDER_GTK_SPANS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// Whether a place is on the thread's own stack. On a coroutine's, calls end in another order than they began in.
bool spans_is_own_stack(const void *place);

/// Begins a phase or handler for the call that a place on the stack is in. False where there is no room, and on another stack.
bool spans_begin(void *phase, const void *place, uint64_t *began);

/// Ends what was begun for a place, and forgets what was begun in it and jumped over. Returns when, in nanoseconds.
uint64_t spans_end(const void *place);

#endif
#endif

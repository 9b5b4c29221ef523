// SPDX-License-Identifier: MIT
// What steps of a cycle put on queues of libdispatch: blocks, and jobs of Swift's tasks.
#ifndef CRERENDER_QUEUE_STEPS_H
#define CRERENDER_QUEUE_STEPS_H

#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// What lies between a step and what it leads to.
enum { CRERENDER_OVER_QUEUE, CRERENDER_OVER_TASK };

/// Returns the step that runs on the calling thread, as one that leads on over something: an object of Swift's that the caller releases.
/// 0 where none runs, after some nanoseconds and without an allocation.
typedef uintptr_t (*crerender_leading_step)(int passage);

/// Follows steps to what they put on queues, if libdispatch is in the process; again for files that were loaded since. On a thread that
/// may wait for the loader; one caller at a time.
void crerender_hook_queues(crerender_leading_step leading);

/// The step that led to the block or job that runs on the calling thread, until that has ended; null where none did.
void *_Nullable crerender_queue_step(void);
/// Says that what runs on the calling thread from now on is nothing that such a step led to: a turn of the main loop begins. A block may
/// run a loop of its own, or have been left by a jump.
void crerender_end_queue_step(void);
/// Runs a function as what a step led to. The caller keeps the step until it returns.
void crerender_run_led(void *_Nullable step, void (*run)(void *context), void *context);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

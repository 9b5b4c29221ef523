// SPDX-License-Identifier: MIT
// Functions of ours that programs call in the place of others: a program may give such a one to others as a callback.
#ifndef CRERENDER_STAND_INS_H
#define CRERENDER_STAND_INS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Says that a function stands in the place of another one, by that one's name, which stays where it is. 64 at most; later ones are left out. Any
/// thread, any number of times.
void crerender_stands_in(uintptr_t function, const char *name);
/// The name of the function that one stands in for; null for all that stand in for none. Any thread.
const char *_Nullable crerender_stands_in_for(uintptr_t function);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// Calls over D-Bus that wait for their answers, and whom they are for.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Has the names of peers noted while programs wait for them by GIO's functions, if GIO is in the process; again for files that were
/// loaded since. On a thread that may wait for the loader; one caller at a time.
void crerender_hook_bus_calls(void);

/// The name of the peer that a thread began to wait for last, closed by NUL, and the address that the call returns to: it is the call
/// that the thread is in if its stack has that address. False if none is known. Any thread.
bool crerender_bus_peer(pid_t thread, char *name, size_t room, uintptr_t *caller);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// What steps of a cycle put on queues of libdispatch: blocks, and jobs of Swift's tasks.

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

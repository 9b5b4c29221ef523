// SPDX-License-Identifier: MIT
// Takes the stack of another thread, without making that thread wait.
#ifndef CRERENDER_SAMPLE_H
#define CRERENDER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Installs the handler under SIGURG; false if the program uses that signal, and on other machines than x86-64 and arm64.
/// One thread calls this and the next two.
bool crerender_sampler_install(void);
/// Takes the handler out; a signal that is under way is dropped.
void crerender_sampler_remove(void);
/// Takes the stack of a thread of this process, innermost first, and waits for it, at most `nanoseconds` and once more as
/// long where it has begun. Stores the instruction that runs and then return addresses; how many, 0 if it cannot be had.
///
/// The stack of the main thread, or of the one that called `crerender_note_stack` last.
uint32_t crerender_sample(pid_t thread, uint64_t nanoseconds, uintptr_t *addresses, uint32_t capacity);
/// Notes where the calling thread's stack is, and returns the thread's number. Microseconds; once for a thread that is to be
/// sampled and is not the main one.
pid_t crerender_note_stack(void);
/// The bounds of the calling thread's stack; false if they cannot be had. The first call on a thread allocates.
bool crerender_stack_bounds(uintptr_t *low, uintptr_t *high);

#pragma clang assume_nonnull end

#endif

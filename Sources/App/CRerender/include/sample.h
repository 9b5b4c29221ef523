// SPDX-License-Identifier: MIT
// Looks at another thread of the process: what it waits in, and its stack. That thread is not made to wait.
#ifndef CRERENDER_SAMPLE_H
#define CRERENDER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// What a blocked thread waits in, as the kernel tells it.
struct crerender_wait {
    /// The system call's number; -1 outside of one, as in a page fault.
    int64_t call;
    uint64_t arguments[6];
    uintptr_t stack, instruction;
};
enum crerender_thread_state { CRERENDER_UNKNOWN, CRERENDER_RUNNING, CRERENDER_BLOCKED };

/// What a thread of this process waits in. Microseconds; the thread notices nothing.
enum crerender_thread_state crerender_wait_of(pid_t thread, struct crerender_wait *wait);
/// Copies memory of this process, which may be anything; returns how many bytes could be read, 256 KiB at most.
size_t crerender_read_memory(uintptr_t address, void *to, size_t size);
/// The same as `crerender_wait_of`, with at most `*size` bytes of the thread's stack, and what `also` reads of it, all of the same moment.
enum crerender_thread_state crerender_blocked_stack(pid_t thread, struct crerender_wait *wait, void *bytes,
                                                    size_t *size, void (*also)(pid_t thread));
/// Reads a file of a thread of this process in /proc, closed by NUL and cut to `capacity`; how many bytes, 0 if it cannot be had.
size_t crerender_read_line(pid_t thread, const char *name, char *text, size_t capacity);

/// Installs the handler under SIGURG; false if the program uses that signal, and on other machines than x86-64 and arm64.
/// One thread calls this and the next two.
bool crerender_sampler_install(void);
/// Takes the handler out; a signal that is under way is dropped.
void crerender_sampler_remove(void);
/// Takes the stack of a thread of this process, innermost first, and waits for it, at most `nanoseconds` and once more as
/// long where it has begun. Stores the instruction that runs and then return addresses; `count` is how many, 0 if it cannot be had.
/// Functions of scripts stand in the place of their interpreter's.
///
/// A blocked thread is only looked at, with the handler or without, and `wait` tells what it waits in. One that runs is
/// interrupted where the handler is installed: the main thread, or the one that called `crerender_note_stack` last.
enum crerender_thread_state crerender_sample(pid_t thread, uint64_t nanoseconds, struct crerender_wait *wait,
                                             uintptr_t *addresses, uint32_t capacity, uint32_t *count);
/// The row whose function ran when the last stack of a running thread was taken, plus 1; 0 for none. Of the main loop's thread alone it says
/// something. The thread that took the stack calls this.
uint32_t crerender_sampled_row(void);
/// Notes where the calling thread's stack is, and returns the thread's number. Microseconds; once for a thread that is to be
/// sampled and is not the main one.
pid_t crerender_note_stack(void);
/// The bounds of the calling thread's stack; false if they cannot be had. The first call on a thread allocates.
bool crerender_stack_bounds(uintptr_t *low, uintptr_t *high);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// What a thread waits for: who holds a mutex, and who has the other end of a pipe or a socket. Everything that is read may be
// anything: no call faults, blocks for long, or leaves a descriptor open.
#ifndef CRERENDER_WAITS_H
#define CRERENDER_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Reads a file up to `capacity`, or a symbolic link; how many bytes, 0 if it cannot be had. Without a NUL.
size_t crerender_read_file(const char *path, char *text, size_t capacity);
size_t crerender_read_link(const char *path, char *text, size_t capacity);

struct crerender_file {
    bool is_pipe, is_regular;
    uint32_t major, minor;
    uint64_t inode;
};
/// What a descriptor of a thread of this process is, as the kernel has it: a server of a network is not asked. False if that
/// is not known.
bool crerender_file_of(pid_t thread, int descriptor, struct crerender_file *file);

enum { CRERENDER_ANY_ACCESS, CRERENDER_READS, CRERENDER_WRITES };
/// The processes that have a pipe or a socket open, by the kernel's name of it, or with `file` the file that this tells; those
/// whose descriptors this user may see. Returns how many there are, of which at most `capacity` are stored; there may be others
/// unless `is_complete`: the time `end` came first. Milliseconds.
int crerender_openers(const char *target, const struct crerender_file *_Nullable file, int access, uint64_t end,
                      pid_t *processes, int capacity, bool *is_complete);

/// A lock of a file that is wanted.
struct crerender_lock {
    /// Of flock(2), which knows no bytes; otherwise of fcntl(2). The two kinds do not conflict.
    bool is_whole;
    bool is_exclusive;
    /// Bytes.
    uint64_t first, last;
};
/// The processes that have a file open with a lock that conflicts with the wanted one; for the rest as `crerender_openers`.
int crerender_lock_holders(const struct crerender_file *file, const struct crerender_lock *wanted, uint64_t end,
                           pid_t *processes, int capacity, bool *is_complete);
/// The inode of the other end of a Unix socket; 0 if there is none, or if that cannot be told.
uint32_t crerender_unix_peer(uint32_t inode);
/// The thread that holds the mutex of the C library at an address; 0 if none does, if it is no such mutex, or if it is shared
/// between processes: the number in it may be of another namespace.
pid_t crerender_mutex_holder(uintptr_t address);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// Looks at another thread of the process: what it waits in, and its stack. That thread is not made to wait.

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

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

#endif

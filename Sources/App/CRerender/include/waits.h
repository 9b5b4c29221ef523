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

/// Reads the beginning of a file, or a symbolic link; how many bytes, 0 if it cannot be had. Without a NUL.
size_t crerender_read_file(const char *path, char *text, size_t capacity);
size_t crerender_read_link(const char *path, char *text, size_t capacity);

struct crerender_file {
    bool is_pipe;
    uint32_t major, minor;
    uint64_t inode;
};
/// What a descriptor of this process is, as the kernel has it: a server of a network is not asked. False if that is not known.
bool crerender_file_of(int descriptor, struct crerender_file *file);

enum { CRERENDER_ANY_ACCESS, CRERENDER_READS, CRERENDER_WRITES };
/// The processes that have a file open, as `/proc/PID/fd` names it; those whose descriptors this user may see. Returns how many
/// there are, of which at most `capacity` are stored; -1 if the time `end` came first. Milliseconds.
int crerender_openers(const char *target, int access, uint64_t end, pid_t *processes, int capacity);
/// The inode of the other end of a Unix socket; 0 if there is none, or if that cannot be told.
uint32_t crerender_unix_peer(uint32_t inode);
/// The thread that holds the mutex of the C library at an address; 0 if none does, or if it is no such mutex.
pid_t crerender_mutex_holder(uintptr_t address);

#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// Looks at a thread that is blocked, without disturbing it: which system call it is in, and its stack.
//
// The kernel tells the call, its arguments, the stack pointer and the instruction of any thread of the own process
// (`/proc/self/task/TID/syscall`). It tells them of a thread that does not run, and says `running` of one that does. What the
// thread has in its other registers is not told. Memory is copied by the kernel (`process_vm_readv`), for which memory that is
// gone is a short read and no fault.
#define _GNU_SOURCE
#include "CRerender.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

size_t crerender_read_line(pid_t thread, const char *name, char *text, size_t capacity) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)thread, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, capacity - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    return count > 0 ? (size_t)count : 0;
}

/// How often the thread has got a processor, and for how long: it stays the same while the thread does not run. False where
/// the kernel does not count that: then it says 0.
static bool runs_of(pid_t thread, uint64_t runs[2]) {
    char text[128];
    if (!crerender_read_line(thread, "schedstat", text, sizeof text)) return false;
    return sscanf(text, "%" SCNu64 " %*u %" SCNu64, &runs[0], &runs[1]) == 2 && runs[1] > 0;
}

enum crerender_thread_state crerender_wait_of(pid_t thread, struct crerender_wait *wait) {
    char text[256];
    memset(wait, 0, sizeof *wait);
    if (!crerender_read_line(thread, "syscall", text, sizeof text)) return CRERENDER_UNKNOWN;
    if (strncmp(text, "running", 7) == 0) return CRERENDER_RUNNING;
    char *at = text;
    wait->call = strtoll(at, &at, 10);
    uint64_t words[8];
    int count = 0;
    for (char *next; count < 8; at = next) {
        words[count] = strtoull(at, &next, 16);
        if (next == at) break;
        count++;
    }
    // Outside of a system call there are no arguments.
    if (count != 8 && count != 2) return CRERENDER_UNKNOWN;
    if (count == 8) memcpy(wait->arguments, words, sizeof wait->arguments);
    wait->stack = (uintptr_t)words[count - 2];
    wait->instruction = (uintptr_t)words[count - 1];
    return CRERENDER_BLOCKED;
}

enum { PAGE = 4096, PIECES_MAX = 64 };

size_t crerender_read_memory(uintptr_t address, void *to, size_t size) {
    struct iovec pieces[PIECES_MAX], own = {to, size};
    size_t count = 0, given = 0;
    // What is copied ends with the piece before the first that cannot be read.
    while (given < size && count < PIECES_MAX) {
        size_t length = PAGE - (address + given) % PAGE;
        if (length > size - given) length = size - given;
        pieces[count++] = (struct iovec){(void *)(address + given), length};
        given += length;
    }
    own.iov_len = given;
    ssize_t copied = process_vm_readv(getpid(), &own, 1, pieces, count, 0);
    return copied > 0 ? (size_t)copied : 0;
}

enum { ATTEMPTS = 3 };

enum crerender_thread_state crerender_blocked_stack(pid_t thread, struct crerender_wait *wait, void *bytes,
                                                    size_t *size, void (*also)(pid_t thread)) {
    size_t room = *size;
    *size = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint64_t before[2], after[2];
        if (!runs_of(thread, before)) return CRERENDER_UNKNOWN;
        enum crerender_thread_state state = crerender_wait_of(thread, wait);
        if (state != CRERENDER_BLOCKED) return state;
        size_t count = crerender_read_memory(wait->stack, bytes, room);
        also(thread);
        if (!runs_of(thread, after)) return CRERENDER_UNKNOWN;
        // It has not run in between, so that all is of one moment.
        if (memcmp(before, after, sizeof before) != 0) continue;
        *size = count;
        return CRERENDER_BLOCKED;
    }
    return CRERENDER_RUNNING;
}

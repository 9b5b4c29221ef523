// SPDX-License-Identifier: MIT
// Compares what the process has mapped with its limits.
#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/// What the library's threads and LTTng take together, with room. Most of the address space is what the C library's malloc reserves for
/// each thread that allocates, 64 MiB; of that, little is ever memory.
static const uint64_t ADDRESS_SPACE = UINT64_C(512) << 20, DATA = UINT64_C(32) << 20;

static uint64_t limit_of(__rlimit_resource_t resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

static bool leaves(uint64_t limit, uint64_t pages, uint64_t needed) {
    uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return used <= limit && limit - used >= needed;
}

bool cdescriptors_memory_is_limited(void) {
    return limit_of(RLIMIT_AS) != UINT64_MAX || limit_of(RLIMIT_DATA) != UINT64_MAX;
}

bool cdescriptors_memory_suffices(unsigned times) {
    if (!cdescriptors_memory_is_limited()) return true;
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    unsigned long size, data;
    // Of seven fields the first is all that is mapped, and the sixth what is private and may be written.
    return sscanf(text, "%lu %*u %*u %*u %*u %lu", &size, &data) == 2 &&
           leaves(limit_of(RLIMIT_AS), size, times * ADDRESS_SPACE) &&
           leaves(limit_of(RLIMIT_DATA), data, times * DATA);
}

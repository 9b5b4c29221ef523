// SPDX-License-Identifier: MIT
// How much a host's limits leave it: descriptors, found without taking one, and memory.
#define _GNU_SOURCE
#include "CDescriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// MARK: Descriptors

/// So many numbers are asked about at once.
enum { NUMBERS = 128 };

bool cdescriptors_have_room(unsigned count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    struct pollfd asked[NUMBERS];
    unsigned free_numbers = 0;
    for (rlim_t first = 0; first < limit.rlim_cur && free_numbers < count; first += NUMBERS) {
        nfds_t numbers = limit.rlim_cur - first < NUMBERS ? (nfds_t)(limit.rlim_cur - first) : NUMBERS;
        for (nfds_t i = 0; i < numbers; i++) asked[i] = (struct pollfd){.fd = (int)(first + i)};
        // Of a number that is free, poll(2) says that it is not valid.
        if (poll(asked, numbers, 0) < 0) return false;
        for (nfds_t i = 0; i < numbers; i++) free_numbers += (asked[i].revents & POLLNVAL) != 0;
    }
    return free_numbers >= count;
}

// MARK: Memory

/// What the library's threads and LTTng take together, with room. Most of the address space is what the C library's malloc reserves for
/// each thread that allocates, 64 MiB; of that, little is ever memory.
static const uint64_t ADDRESS_SPACE = UINT64_C(512) << 20, DATA = UINT64_C(32) << 20;

struct look {
    uint64_t times;
    bool has_memory;
};

static uint64_t limit_of(__rlimit_resource_t resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

static bool leaves(uint64_t limit, uint64_t pages, uint64_t needed) {
    uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return used <= limit && limit - used >= needed;
}

static void look_at_memory(void *context) {
    struct look *look = context;
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    unsigned long size, data;
    // Of seven fields the first is all that is mapped, and the sixth what is private and may be written.
    look->has_memory = sscanf(text, "%lu %*u %*u %*u %*u %lu", &size, &data) == 2 &&
                       leaves(limit_of(RLIMIT_AS), size, look->times * ADDRESS_SPACE) &&
                       leaves(limit_of(RLIMIT_DATA), data, look->times * DATA);
}

bool cdescriptors_have_memory(unsigned times) {
    if (limit_of(RLIMIT_AS) == UINT64_MAX && limit_of(RLIMIT_DATA) == UINT64_MAX) return true;
    struct look look = {.times = times};
    return cdescriptors_run(look_at_memory, &look) && look.has_memory;
}

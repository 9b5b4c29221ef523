// SPDX-License-Identifier: MIT
// How much a host's limits leave it: descriptors, found without taking one, and memory.
#define _GNU_SOURCE
#include "CDescriptors.h"
#include "memory.h"

#include <poll.h>
#include <sys/resource.h>

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

struct look {
    unsigned times;
    bool suffices;
};

static void look_at_memory(void *context) {
    struct look *look = context;
    look->suffices = cdescriptors_memory_suffices(look->times);
}

bool cdescriptors_have_memory(unsigned times) {
    if (!cdescriptors_memory_is_limited()) return true;
    struct look look = {.times = times};
    return cdescriptors_run(look_at_memory, &look) && look.suffices;
}

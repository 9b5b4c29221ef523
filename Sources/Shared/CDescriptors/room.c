// SPDX-License-Identifier: MIT
// How many descriptors a host has left, found without taking one.
#define _GNU_SOURCE
#include "CDescriptors.h"

#include <poll.h>
#include <sys/resource.h>

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

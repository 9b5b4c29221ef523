// SPDX-License-Identifier: MIT
// Maps the time-stamp counter to nanoseconds, if the kernel itself keeps time with that counter.
#include "CRerender.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct crerender_clock crerender_clock;

// The kernel keeps its own time with the counter only if it found it constant, running through idle states and
// equal on all processors; it drops it for another source the moment it finds otherwise.
bool crerender_counter_is_trusted(void) {
#if defined(__x86_64__)
    char source[8] = {0};
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, source, sizeof source - 1);
    close(file);
    return count >= 4 && memcmp(source, "tsc\n", 4) == 0;
#else
    return false;
#endif
}

// The tightest of a few tries, so that an interruption between the two clocks does not tilt the map.
struct crerender_reading crerender_read_clocks(void) {
    struct crerender_reading best = {0, 0};
#if defined(__x86_64__)
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = __rdtsc(), nanoseconds = crerender_monotonic(), after = __rdtsc();
        if (after - before < narrowest) {
            narrowest = after - before;
            best = (struct crerender_reading){before + (after - before) / 2, nanoseconds};
        }
    }
#endif
    return best;
}

void crerender_distrust_counter(void) { __atomic_store_n(&crerender_clock.scale, 0, __ATOMIC_RELEASE); }

void crerender_calibrate(struct crerender_reading first, struct crerender_reading second) {
    uint64_t ticks = second.ticks - first.ticks, nanoseconds = second.nanoseconds - first.nanoseconds;
    if (second.ticks <= first.ticks || second.nanoseconds <= first.nanoseconds) return;
    crerender_clock.base_ticks = second.ticks;
    crerender_clock.base_nanoseconds = second.nanoseconds;
    uint64_t scale = (uint64_t)(((unsigned __int128)nanoseconds << 32) / ticks);
    __atomic_store_n(&crerender_clock.scale, scale, __ATOMIC_RELEASE);
}

// SPDX-License-Identifier: MIT
// Maps the time-stamp counter to nanoseconds, if the kernel itself keeps time with that counter.
#include "CRerender.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

struct crerender_clock crerender_clock;

/// How long a map holds. The kernel bends its clock by at most 500 ppm to follow the network's time, one way or the other, so that a rate
/// which was measured before may be 1,000 ppm off: half a microsecond in this time.
enum { PERIOD = 500000 };

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

// The tightest of at most `tries`, so that an interruption between the two clocks does not tilt the map. Returns how long it took.
static uint64_t read_clocks(struct crerender_reading *reading, int tries, uint64_t narrow) {
    uint64_t narrowest = UINT64_MAX;
#if defined(__x86_64__)
    for (int i = 0; i < tries && narrowest > narrow; i++) {
        uint64_t before = __rdtsc(), nanoseconds = crerender_monotonic(), after = __rdtsc();
        if (after - before >= narrowest) continue;
        narrowest = after - before;
        *reading = (struct crerender_reading){before + (after - before) / 2, nanoseconds};
    }
#else
    (void)reading, (void)tries, (void)narrow;
#endif
    return narrowest;
}

struct crerender_reading crerender_read_clocks(void) {
    struct crerender_reading reading = {0, 0};
    read_clocks(&reading, 16, 0);
    return reading;
}

uint64_t crerender_rate(struct crerender_reading first, struct crerender_reading second) {
    if (second.ticks <= first.ticks || second.nanoseconds <= first.nanoseconds) return 0;
    return (uint64_t)(((unsigned __int128)(second.nanoseconds - first.nanoseconds) << 32) /
                      (second.ticks - first.ticks));
}

struct crerender_clock_map crerender_next_map(struct crerender_clock_map old, uint64_t rate,
                                              struct crerender_reading reading) {
    struct crerender_clock_map next = {reading.ticks, reading.nanoseconds, rate, ((uint64_t)PERIOD << 32) / rate};
    uint64_t ticks = reading.ticks - old.base_ticks;
    // The map is half its time too old: its error has grown.
    if (old.limit == 0 || ticks >= old.limit + old.limit / 2) return next;
    uint64_t told = old.base_nanoseconds + ((ticks * old.scale) >> 32);
    int64_t ahead = (int64_t)(told - reading.nanoseconds);
    // No clock is bent that much: one of them was set.
    if (ahead > PERIOD / 8 || ahead < -PERIOD / 8) return next;
    next.base_nanoseconds = told;
    next.scale = (uint64_t)((int64_t)rate - (int64_t)rate / PERIOD * ahead);
    return next;
}

// True for one thread at a time, which then writes the map.
static bool begin_writing(uint32_t *sequence) {
    *sequence = __atomic_load_n(&crerender_clock.sequence, __ATOMIC_RELAXED);
    if (*sequence & 1) return false;
    bool is_ours = __atomic_compare_exchange_n(&crerender_clock.sequence, sequence, *sequence + 1, false,
                                               __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    // Nothing of the map is seen before the odd number.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return is_ours;
}

static void end_writing(uint32_t sequence, struct crerender_clock_map map) {
    __atomic_store_n(&crerender_clock.map.base_ticks, map.base_ticks, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.base_nanoseconds, map.base_nanoseconds, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.scale, map.scale, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.map.limit, map.limit, __ATOMIC_RELAXED);
    __atomic_store_n(&crerender_clock.sequence, sequence + 2, __ATOMIC_RELEASE);
}

uint64_t crerender_now_anew(void) {
    uint64_t rate = __atomic_load_n(&crerender_clock.rate, __ATOMIC_RELAXED), now;
    uint32_t sequence;
    if (rate == 0) return crerender_monotonic();
    if (!begin_writing(&sequence)) {
        // Another thread does, which takes less time than to ask the kernel, unless it lost its processor.
        for (int i = 0; i < 64; i++)
            if (crerender_now_by_map(&now)) return now;
        return crerender_monotonic();
    }
    struct crerender_clock_map map = crerender_clock.map;
    now = 0;
    rate = __atomic_load_n(&crerender_clock.rate, __ATOMIC_RELAXED);
    if (rate != 0) {
        struct crerender_reading reading = {0, 0};
        uint64_t narrow = (100ULL << 32) / rate, widest = (1000ULL << 32) / rate;
        if (read_clocks(&reading, 4, narrow) <= widest) {
            map = crerender_next_map(map, rate, reading);
            now = map.base_nanoseconds;
        }
    }
    end_writing(sequence, map);
    return now != 0 ? now : crerender_monotonic();
}

void crerender_set_counter_rate(uint64_t rate) {
    uint32_t sequence;
    while (!begin_writing(&sequence)) sched_yield();
    __atomic_store_n(&crerender_clock.rate, rate, __ATOMIC_RELAXED);
    struct crerender_clock_map map = crerender_clock.map;
    // A map of this rate goes on to its end. Without one the next reading finds none.
    if (rate == 0) map.limit = 0;
    end_writing(sequence, map);
}

// SPDX-License-Identifier: MIT
// What a benchmark needs and Swift cannot express: barriers that the optimiser respects, and a bare C loop.
#ifndef CBENCH_H
#define CBENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Nothing is moved over it and no loop with it is deleted; costs no instruction.
static inline __attribute__((always_inline)) void cbench_barrier(void) { __asm__ volatile("" ::: "memory"); }

/// The value counts as used; costs no instruction.
static inline __attribute__((always_inline)) void cbench_use(int64_t value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

/// Monotonic nanoseconds.
static inline uint64_t cbench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Nanoseconds of processor time that this thread has used.
static inline uint64_t cbench_thread_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Bends the kernel's clocks by parts per million, as following the network's time does; 0 puts them back. False where they cannot
/// be bent. One thread.
bool cbench_bend_clock(int ppm);

/// Bytes that this process has from malloc and has not given back.
int64_t cbench_heap_bytes(void);

/// Reads the monotonic clock four times, `count` times.
void cbench_four_clocks(int64_t count);

/// A function of the yardstick library.
typedef int (*_Nullable cbench_is_on)(void);
typedef void (*_Nullable cbench_generic_pair)(uint64_t count, const char *_Nonnull name, const char *_Nonnull message,
                                              const char *_Nonnull scope);
typedef void (*_Nullable cbench_body_pair)(uint64_t count, const char *_Nonnull name, const char *_Nonnull file,
                                           uint32_t line, const char *_Nonnull parent, const char *_Nonnull reason);

struct cbench_yardstick {
    cbench_is_on is_on;
    cbench_generic_pair generic_pair;
    cbench_body_pair body_pair;
};
/// Loads the library that Benchmarks/CBench/Programs/lttng-macros/build made; NULL, or why it cannot be used.
const char *_Nullable cbench_load_yardstick(const char *_Nonnull path, struct cbench_yardstick *_Nonnull yardstick);

#endif

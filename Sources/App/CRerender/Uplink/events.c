// SPDX-License-Identifier: MIT
// Tells the uplink's thread what happened: a word that it waits on (futex(2)).
#define _GNU_SOURCE
#include "events.h"
#include "CRerender.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t told, finished;
/// Whether the uplink's thread waits, or is about to.
static uint32_t waits;

static void wait_on(uint32_t *word, uint64_t deadline) {
    struct timespec at = {(time_t)(deadline / 1000000000), (long)(deadline % 1000000000)};
    // With a bit set, the deadline is one of the monotonic clock.
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, 0, deadline ? &at : NULL, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }

void crerender_tell(uint32_t events) {
    __atomic_fetch_or(&told, events, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&waits, __ATOMIC_SEQ_CST)) wake(&told);
}

uint32_t crerender_take_events(uint64_t deadline) {
    __atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
    uint32_t events;
    while (!(events = __atomic_exchange_n(&told, 0, __ATOMIC_SEQ_CST))) {
        if (deadline && crerender_monotonic() >= deadline) break;
        wait_on(&told, deadline);
    }
    __atomic_store_n(&waits, 0, __ATOMIC_SEQ_CST);
    return events;
}

void crerender_tell_finished(void) {
    __atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
    wake(&finished);
}

void crerender_wait_until_finished(uint64_t deadline) {
    while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE) && crerender_monotonic() < deadline)
        wait_on(&finished, deadline);
}

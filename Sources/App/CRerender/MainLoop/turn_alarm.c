// SPDX-License-Identifier: MIT
// A timer that expires while a turn lasts long, of GLib's loop or of the main queue. Short turns set it and cancel it,
// so it wakes the thread only for long ones. An idle loop sets none.
#define _GNU_SOURCE
#include "turn_alarm.h"
#include "CRerender.h"

#include <sys/timerfd.h>

static int timer = -1;
static uint64_t patience = 50000000;
/// 0 while it is not set. One thread at a time runs the loop, but several work off queues.
static uint64_t rings_at;

int crerender_turn_alarm(uint64_t nanoseconds) {
    __atomic_store_n(&patience, nanoseconds, __ATOMIC_RELAXED);
    int known = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (known >= 0) return known;
    int made = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    __atomic_store_n(&timer, made, __ATOMIC_RELEASE);
    return made;
}

static void set(int file, uint64_t at) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = (time_t)(at / 1000000000);
    when.it_value.tv_nsec = (long)(at % 1000000000);
    timerfd_settime(file, TFD_TIMER_ABSTIME, &when, NULL);
    __atomic_store_n(&rings_at, at, __ATOMIC_SEQ_CST);
}

void turn_begins(void) {
    int file = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (file < 0) return;
    uint64_t now = crerender_monotonic(), least = __atomic_load_n(&patience, __ATOMIC_RELAXED);
    // One that a turn before left behind will do, unless it rings too soon.
    if (__atomic_load_n(&rings_at, __ATOMIC_RELAXED) < now + least) set(file, now + 2 * least);
}

void turn_ends(bool waits) {
    // A loop that only looks is about to begin another turn: it is spared the two system calls.
    if (!waits || __atomic_load_n(&rings_at, __ATOMIC_RELAXED) == 0) return;
    int file = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (file >= 0) set(file, 0);
}

/// How long a thread works before the alarm: a hang of the main queue is known that soon.
enum { DRAIN_PATIENCE = 5000000 };

uint64_t drain_begins(void) {
    int file = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    // One that is set for another thread rings sooner, and what is looked at then is the main queue.
    if (file < 0 || __atomic_load_n(&rings_at, __ATOMIC_SEQ_CST) != 0) return 0;
    uint64_t at = crerender_monotonic() + DRAIN_PATIENCE;
    set(file, at);
    return at;
}

void drain_ends(uint64_t rings) {
    if (rings != 0 && __atomic_load_n(&rings_at, __ATOMIC_RELAXED) == rings) turn_ends(true);
}

void crerender_turn_alarm_rang(void) { __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED); }

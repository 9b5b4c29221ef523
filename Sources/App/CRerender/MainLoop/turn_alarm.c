// SPDX-License-Identifier: MIT
// A timer that expires while a turn of GLib's loop lasts long. Short turns set it and cancel it, so it wakes a thread only for long
// ones. An idle loop sets none. It is a timer with a number (timer_create(2)) and not one with a descriptor, because hosts' threads
// set it.
#define _GNU_SOURCE
#include "turn_alarm.h"
#include "CRerender.h"

#include <sys/syscall.h>
#include <unistd.h>

static int timer = -1;
static uint64_t patience = 50000000;
/// When it rings for a turn; 0 while it is not set for one. One thread at a time runs the loop.
static uint64_t rings_at;

void crerender_set_turn_alarm(uint64_t nanoseconds) { __atomic_store_n(&patience, nanoseconds, __ATOMIC_RELAXED); }

void turn_alarm_has(int made) { __atomic_store_n(&timer, made, __ATOMIC_SEQ_CST); }

static int ends;

bool turn_alarm_ends(void) { return __atomic_load_n(&ends, __ATOMIC_SEQ_CST); }

static void set(int known_timer, uint64_t at) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = (time_t)(at / 1000000000);
    when.it_value.tv_nsec = (long)(at % 1000000000);
    syscall(SYS_timer_settime, known_timer, TIMER_ABSTIME, &when, NULL);
}

void crerender_stop_turn_alarm(void) {
    __atomic_store_n(&ends, 1, __ATOMIC_SEQ_CST);
    int known_timer = __atomic_load_n(&timer, __ATOMIC_SEQ_CST);
    // A time that is over: the thread gets its signal now.
    if (known_timer >= 0) set(known_timer, 1);
}

void turn_begins(void) {
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (known_timer < 0) return;
    uint64_t now = crerender_monotonic(), least = __atomic_load_n(&patience, __ATOMIC_RELAXED);
    // One that a turn before left behind will do, unless it rings too soon.
    if (__atomic_load_n(&rings_at, __ATOMIC_RELAXED) >= now + least) return;
    set(known_timer, now + 2 * least);
    __atomic_store_n(&rings_at, now + 2 * least, __ATOMIC_RELAXED);
}

void turn_ends(bool waits) {
    // A loop that only looks is about to begin another turn: it is spared the two system calls.
    if (!waits || __atomic_load_n(&rings_at, __ATOMIC_RELAXED) == 0) return;
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (known_timer < 0) return;
    set(known_timer, 0);
    __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED);
}

void crerender_turn_alarm_rang(void) { __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED); }

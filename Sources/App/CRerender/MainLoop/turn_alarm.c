// SPDX-License-Identifier: MIT
// A timer that expires while a turn lasts long, of GLib's loop or of the main queue. Short turns set it and cancel it,
// so it wakes a thread only for long ones. An idle loop sets none. It is a timer with a number (timer_create(2)) and not one with
// a descriptor, because hosts' threads set it.
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

/// How long a thread works before the alarm: a hang of the main queue is known that soon.
enum { DRAIN_PATIENCE = 5000000 };

/// The number of the alarm, and in the lower half how many threads need it. It is set while there are some. A number is
/// used once, so that one who comes late takes nothing from those of a later alarm.
static uint64_t needs;
static const uint64_t next_number = UINT64_C(1) << 32;
static uint32_t number_of(uint64_t word) { return (uint32_t)(word >> 32); }
static uint32_t threads_of(uint64_t word) { return (uint32_t)word; }

static bool changes_needs(uint64_t *known, uint64_t to) {
    return __atomic_compare_exchange_n(&needs, known, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

uint32_t drain_begins(uint32_t number) {
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    // A loop whose turns are known needs no other alarm.
    if (known_timer < 0 || __atomic_load_n(&rings_at, __ATOMIC_RELAXED) != 0) return 0;
    uint64_t known = __atomic_load_n(&needs, __ATOMIC_SEQ_CST), to;
    do {
        if (number != 0 && threads_of(known) > 0 && number_of(known) == number) return number;
        to = threads_of(known) > 0 ? known + 1 : (known + next_number) | 1;
        if (number_of(to) == 0) to += next_number;
    } while (!changes_needs(&known, to));
    // Who takes the number sets the alarm, however late: those who need it, too, count on that.
    if (threads_of(to) == 1) set(known_timer, crerender_monotonic() + DRAIN_PATIENCE);
    return number_of(to);
}

void drain_ends(uint32_t number) {
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (number == 0 || known_timer < 0) return;
    uint64_t known = __atomic_load_n(&needs, __ATOMIC_SEQ_CST);
    do {
        if (number_of(known) != number || threads_of(known) == 0) return;
    } while (!changes_needs(&known, known - 1));
    if (threads_of(known) > 1 || __atomic_load_n(&rings_at, __ATOMIC_RELAXED) != 0) return;
    set(known_timer, 0);
    // One that began in this moment may have set it before that.
    if (threads_of(__atomic_load_n(&needs, __ATOMIC_SEQ_CST)) > 0)
        set(known_timer, crerender_monotonic() + DRAIN_PATIENCE);
}

void crerender_turn_alarm_rang(void) {
    __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED);
    uint64_t known = __atomic_load_n(&needs, __ATOMIC_SEQ_CST);
    // One that never comes out of its work needs it no longer.
    while (threads_of(known) > 0 && !changes_needs(&known, known & ~UINT64_C(0xFFFFFFFF))) continue;
}

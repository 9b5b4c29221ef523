// SPDX-License-Identifier: MIT
// The account of the process, its clocks, and accounts of tests.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static uint64_t real_clock(clockid_t clock) {
    struct timespec t = {0};
    if (clock_gettime(clock, &t) != 0) return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static uint64_t real_now(void) { return crerender_now(); }
static uint64_t real_own(void) { return real_clock(CLOCK_THREAD_CPUTIME_ID); }
/// The kernel's number for the clock of a thread of this process: clock_getcpuclockid(3) makes such a one of a process.
static uint64_t real_thread(pid_t thread) { return real_clock((clockid_t)((~(unsigned)thread << 3) | 6)); }
static uint64_t real_process(void) { return real_clock(CLOCK_PROCESS_CPUTIME_ID); }

struct loop_account process_account = {.clocks = {real_now, real_own, real_thread, real_process}};
_Thread_local struct loop_account *test_account;

void crerender_account_set_test_clocks(const struct crerender_account_clocks *clocks) {
    free(test_account);
    test_account = clocks ? calloc(1, sizeof *test_account) : NULL;
    if (test_account) test_account->clocks = *clocks;
}

// Copies words for readers under a sequence number, and reads them.

/// Writes words for readers, unless another thread does so at this moment: it has taken the loop over, and shows its own.
static void show(struct loop_account *a, size_t place, const uint64_t *from, size_t bytes) {
    uint32_t sequence = GET(a->shown_sequence);
    if ((sequence & 1) || !__atomic_compare_exchange_n(&a->shown_sequence, &sequence, sequence + 1, false,
                                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    // Nothing of what follows is seen before the odd number.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (size_t i = 0; i < bytes / sizeof *from; i++) PUT(a->shown[place / sizeof *from + i], GET(from[i]));
    __atomic_store_n(&a->shown_sequence, sequence + 2, __ATOMIC_RELEASE);
}

void account_show_totals(struct loop_account *a) {
    show(a, offsetof(struct shown, totals), (const uint64_t *)&a->totals, offsetof(struct crerender_account, frames));
    const uint64_t others[] = {a->generation,   (uint64_t)a->thread, a->began_at,
                               a->process_base, a->read_at,          a->read_processor};
    show(a, offsetof(struct shown, generation), others, sizeof others);
}

void account_show_stretches(struct loop_account *a) {
    struct crerender_stretch all[2][STRETCHES];
    for (int i = 0; i < STRETCHES; i++) {
        all[0][i] = a->stretches[i].kept;
        all[1][i] = a->stretches[i].current;
    }
    show(a, offsetof(struct shown, kept), (const uint64_t *)all, sizeof all);
}

// MARK: Reading

/// Copies what is shown; false where the writer was faster each time, or lost its processor.
static bool copy_shown(struct loop_account *a, struct shown *copy) {
    uint64_t words[SHOWN_WORDS];
    for (int attempt = 0; attempt < 1000; attempt++) {
        uint32_t sequence = __atomic_load_n(&a->shown_sequence, __ATOMIC_ACQUIRE);
        if ((sequence & 1) == 0) {
            for (int i = 0; i < SHOWN_WORDS; i++) words[i] = GET(a->shown[i]);
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
            if (GET(a->shown_sequence) == sequence) {
                memcpy(copy, words, sizeof *copy);
                return true;
            }
        }
        sched_yield();
    }
    return false;
}

/// What the thread has run since it was read; never more than has passed.
static uint64_t ran_since(struct loop_account *a, const struct shown *known, uint64_t now) {
    uint64_t reading = a->clocks.thread((pid_t)known->thread);
    if (reading <= known->read_processor || now <= known->read_at) return 0;
    uint64_t ran = reading - known->read_processor, passed = now - known->read_at;
    return ran < passed ? ran : passed;
}

/// The longer one of the two. One that is not told of any more has ended by itself.
static struct crerender_stretch longest(struct loop_account *a, const struct shown *known, int which, uint64_t now) {
    struct crerender_stretch current = known->current[which], kept = known->kept[which];
    bool goes_on = now <= current.latest_at + (uint64_t)(QUIETER + 1) * SECOND;
    bool counts = goes_on || current.nanoseconds >= LEAST_OVER || GET(a->input_at) > current.latest_at;
    return counts && current.nanoseconds > kept.nanoseconds ? current : kept;
}

bool crerender_account_read(struct crerender_account *account) {
    struct loop_account *a = known_account();
    struct shown known;
    memset(account, 0, sizeof *account);
    if (!copy_shown(a, &known) || known.thread == 0) return false;
    uint64_t now = a->clocks.now(), began_at = known.began_at, process_base = known.process_base;
    if (known.generation == __atomic_load_n(&a->wanted_generation, __ATOMIC_ACQUIRE)) {
        *account = known.totals;
        account->processor += ran_since(a, &known, now);
        account->frames = longest(a, &known, FRAMES, now);
        account->spinning = longest(a, &known, SPINNING, now);
        account->busy = longest(a, &known, BUSY, now);
    } else {
        // The loop has not turned since.
        uint64_t reading = a->clocks.thread((pid_t)known.thread), base = GET(a->reset_processor);
        account->processor = reading > base ? reading - base : 0;
        began_at = GET(a->reset_at);
        process_base = GET(a->reset_process);
    }
    uint64_t process = a->clocks.process();
    account->counted = now > began_at ? now - began_at : 0;
    account->process = process > process_base ? process - process_base : 0;
    if (account->process < account->processor) account->process = account->processor;
    account->is_input_known = GET(a->is_input_known) || (GET(a->sources_tell_input) && account_sees_all(a));
    return true;
}

pid_t crerender_account_thread(void) { return GET(known_account()->thread); }

void crerender_account_reset(void) {
    struct loop_account *a = known_account();
    pid_t thread = GET(a->thread);
    if (thread == 0) return;
    PUT(a->reset_at, a->clocks.now());
    PUT(a->reset_processor, a->clocks.thread(thread));
    PUT(a->reset_process, a->clocks.process());
    __atomic_fetch_add(&a->wanted_generation, 1, __ATOMIC_RELEASE);
}

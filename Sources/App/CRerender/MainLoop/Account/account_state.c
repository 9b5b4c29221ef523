// SPDX-License-Identifier: MIT
// The account of the process, its clocks, and accounts of tests.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

#include <stdlib.h>

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

// SPDX-License-Identifier: MIT
// Ends an input that takes too long, in seconds of processor time.
#include "CFuzzer.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/// Odd while an input is read; each has another one.
static _Atomic uint64_t moment;
static uint64_t seen;
static unsigned ticks, most;

void cfuzzer_begin(void) { atomic_fetch_add_explicit(&moment, 1, memory_order_relaxed); }
void cfuzzer_end(void) { atomic_fetch_add_explicit(&moment, 1, memory_order_relaxed); }

/// Each second of processor time. What an earlier tick saw has taken another one.
static void tick(int signal) {
    (void)signal;
    uint64_t now = atomic_load_explicit(&moment, memory_order_relaxed);
    if (now != seen || now % 2 == 0) {
        seen = now;
        ticks = 0;
        return;
    }
    if (++ticks < most) return;
    static const char text[] = "finding: an input takes too much processor time\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

void cfuzzer_limit(unsigned seconds) {
    most = seconds;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = tick;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    struct itimerval second = {{1, 0}, {1, 0}};
    setitimer(ITIMER_PROF, &second, NULL);
}

// SPDX-License-Identifier: MIT
// Bounds how long a real-time thread runs without waiting.
#define _GNU_SOURCE
#include "CMessageBus.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic pid_t guarded;
static _Atomic bool demoted;

// Proof: atomics without a lock and one system call, both allowed in a handler of signals.
static void demote(int signal) {
    (void)signal;
    int saved = errno;
    const struct sched_param none = {0};
    pid_t thread = atomic_load(&guarded);
    // By the thread's number, since the signal is the whole process's. To give up the bit would need a right.
    if (thread != 0 && syscall(SYS_sched_setscheduler, thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0)
        atomic_store(&demoted, true);
    errno = saved;
}

int cmessagebus_limit_rttime(uint64_t microseconds) {
    atomic_store(&guarded, (pid_t)syscall(SYS_gettid));
    struct sigaction action = {.sa_handler = demote, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    struct rlimit limit;
    if (sigaction(SIGXCPU, &action, NULL) != 0 || getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
    // The soft limit brings the signal, every second anew; the hard one would kill at once if it were the same.
    if (limit.rlim_max > microseconds) limit.rlim_max = microseconds;
    if (limit.rlim_cur > microseconds / 2) limit.rlim_cur = microseconds / 2;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

bool cmessagebus_was_demoted(void) { return atomic_load(&demoted); }

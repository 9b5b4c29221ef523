// SPDX-License-Identifier: MIT
// The scheduling of the calling thread.
#define _GNU_SOURCE
#include "CMessageBus.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct cmessagebus_scheduling cmessagebus_scheduling(void) {
    // The bit of SCHED_RESET_ON_FORK comes back with the policy.
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    struct sched_param param = {0};
    bool is_realtime = policy == SCHED_RR || policy == SCHED_FIFO;
    if (is_realtime) sched_getparam(0, &param);
    // On Linux the 0 of PRIO_PROCESS is the calling thread.
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, 0);
    return (struct cmessagebus_scheduling){
        .realtime_priority = is_realtime ? param.sched_priority : 0,
        .nice = errno == 0 ? nice : 0,
    };
}

int cmessagebus_set_realtime(int32_t priority) {
    const struct sched_param param = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_RR | SCHED_RESET_ON_FORK, &param);
}

int cmessagebus_set_nice(int32_t nice) { return setpriority(PRIO_PROCESS, 0, nice) == 0 ? 0 : errno; }

static uint64_t soft_limit(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

uint64_t cmessagebus_limit_rtprio(void) { return soft_limit(RLIMIT_RTPRIO); }
uint64_t cmessagebus_limit_nice(void) { return soft_limit(RLIMIT_NICE); }

int cmessagebus_limit_rttime(uint64_t microseconds) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
    // The soft limit brings the signal, every second anew; the hard one would kill at once if it were the same.
    if (limit.rlim_max > microseconds) limit.rlim_max = microseconds;
    if (limit.rlim_cur > microseconds / 2) limit.rlim_cur = microseconds / 2;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

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

int cmessagebus_guard_rttime(void) {
    atomic_store(&guarded, (pid_t)syscall(SYS_gettid));
    struct sigaction action = {.sa_handler = demote, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGXCPU, &action, NULL) == 0 ? 0 : errno;
}

bool cmessagebus_was_demoted(void) { return atomic_load(&demoted); }

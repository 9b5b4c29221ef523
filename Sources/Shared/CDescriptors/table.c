// SPDX-License-Identifier: MIT
// The thread that has our table of descriptors, and does there what other threads ask for, one piece of work at a time.
//
// Proof that no descriptor of ours is in the host's table: the thread leaves that table before it opens anything
// (`CLOSE_RANGE_UNSHARE`), and a table is shared with the threads that one of its threads makes, and with no others. It begins
// empty, so that what the host has closed is closed: a pipe whose end we held on to would never end for its reader.
#define _GNU_SOURCE
#include "CDescriptors.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/close_range.h, which older headers do not have.
#define UNSHARE (1U << 1)

/// Reading /proc and making pages takes little; the default of 8 MiB would count against RLIMIT_AS.
enum { STACK_SIZE = 512 * 1024 };

enum { IDLE, ASKED, DONE };
enum { NOT_STARTED, STARTING, RUNS, REFUSED };

/// Held by the thread whose work is done; the others wait for it.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static uint32_t work = IDLE, status = NOT_STARTED;
static void (*work_body)(void *);
static void *work_context;
/// The threads of the parent do not exist in a forked child.
static volatile int is_forked;
static _Thread_local bool has_table;

static void in_child(void) { is_forked = 1; }

static void wait_while(uint32_t *word, uint32_t value) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void set(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/// Leaves the host's table. What is written to the first three numbers, such as the last words of a crash, then ends in events
/// that nobody reads: none of our files has such a number.
static bool take_table(void) {
    if (syscall(SYS_close_range, 0U, ~0U, UNSHARE) != 0) return false;
    for (int number = 0; number < 3; number++)
        if (eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) != number) return false;
    return true;
}

static void *serve(void *unused) {
    (void)unused;
    // By the thread itself: for another one the C library opens a file.
    prctl(PR_SET_NAME, "rerender-files");
    has_table = take_table();
    set(&status, has_table ? RUNS : REFUSED);
    while (has_table) {
        while (__atomic_load_n(&work, __ATOMIC_ACQUIRE) != ASKED) {
            uint32_t seen = __atomic_load_n(&work, __ATOMIC_ACQUIRE);
            if (seen != ASKED) syscall(SYS_futex, &work, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
        }
        work_body(work_context);
        set(&work, DONE);
    }
    return NULL;
}

/// All signals blocked, so that no handler of the host's runs here; ordinary priority, even if the caller has another.
static bool start(void) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    struct sched_param ordinary = {0};
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &ordinary);
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attributes, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

/// The lock is held.
static bool is_started(void) {
    if (status == NOT_STARTED) {
        pthread_atfork(NULL, NULL, in_child);
        status = STARTING;
        if (start()) {
            wait_while(&status, STARTING);
        } else {
            status = REFUSED;
        }
    }
    return status == RUNS;
}

bool cdescriptors_run(void (*body)(void *), void *context) {
    if (is_forked) return false;
    if (has_table) {
        body(context);
        return true;
    }
    pthread_mutex_lock(&turn);
    bool runs = is_started();
    if (runs) {
        work_body = body;
        work_context = context;
        set(&work, ASKED);
        wait_while(&work, ASKED);
        work = IDLE;
    }
    pthread_mutex_unlock(&turn);
    return runs;
}

// SPDX-License-Identifier: MIT
// fork() without exec: the child is silent, and may end with exit().
//
// A child has no LTTng threads. Left alone, its exit() would run LTTng's destructor, which takes LTTng's lock and waits
// for every thread that was inside a tracepoint at the fork: locks and threads that the child does not have, so it would
// hang. Therefore the parent forks with LTTng's locks held, as LTTng's own liblttng-ust-fork does, and the child frees
// them and forgets the other threads. lttng/library.c keeps its destructor from ending them. The wait in the parent lasts as long as one command of the session daemon.
// Where the locks cannot be taken (LTTng is loading just then), the child's exit() leaves out the libraries' destructors.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "registry.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lttng/library.h"
#include "registry.h"

int cs_forked;

/// In a child: LTTng may be half-loaded or locked for ever, so its destructor must not run.
static int must_skip_destructors;
static __thread int holds_locks;
/// This fork is made without LTTng's locks, so any thread may hold them: LTTng was loading, or a tracepoint is
/// interrupted.
static __thread int is_unprotected;
static __thread sigset_t saved_signals;

/// With every signal blocked, liblttng-ust-fork (or a program that calls lttng_ust_before_fork itself) is likely to hold
/// the locks already: taking them again would never end.
static int all_signals_are_blocked(void) {
    sigset_t now;
    if (pthread_sigmask(SIG_SETMASK, NULL, &now)) return 1;
    return sigismember(&now, SIGSEGV) && sigismember(&now, SIGCHLD) && sigismember(&now, SIGTRAP) &&
           sigismember(&now, SIGWINCH);
}

static void before(void) {
    holds_locks = 0;
    is_unprotected = 0;
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED) || all_signals_are_blocked()) return;
    is_unprotected = 1;
    if (cs_library_state() != CSIGNPOST_LOADED || !cs_library.before_fork) return;
    // A signal handler that forks inside a tracepoint: the holder of the locks may be waiting for this very thread.
    if (cs_library.read_ongoing()) return;
    cs_library.before_fork(&saved_signals);
    holds_locks = 1;
    is_unprotected = 0;
}

static void after_in_parent(void) {
    if (holds_locks) cs_library.after_fork_parent(&saved_signals);
    holds_locks = 0;
}

static void after_in_child(void) {
    __atomic_store_n(&cs_forked, 1, __ATOMIC_RELAXED);
    cs_threads_note_fork();
    for (struct csignpost_provider *p = cs_providers; p; p = p->next) {
        for (int kind = 0; kind < CSIGNPOST_KINDS; kind++) {
            // liblttng-ust-fork starts LTTng anew in the child: with another signature it leaves us off.
            if (p->tracepoint[kind].signature) p->tracepoint[kind].signature = "forked";
            __atomic_store_n(&p->tracepoint[kind].state, 0, __ATOMIC_RELAXED);
        }
    }
    int state = cs_library_state();
    if (is_unprotected && (state == CSIGNPOST_LOADING || state == CSIGNPOST_LOADED)) must_skip_destructors = 1;
    if (!holds_locks) return;
    // Free what the parent took, then have the reader list cut down to this thread; both end in the old signal mask.
    cs_library.after_fork_parent(&saved_signals);
    cs_library.rcu_before_fork();
    cs_library.rcu_after_fork_child();
    holds_locks = 0;
}

/// Runs before the destructors of libraries; handlers registered before ours are left out with them.
static void at_exit(int status, void *unused) {
    (void)unused;
    if (!must_skip_destructors) return;
    fflush(NULL);
    _exit(status);
}

// Not in a constructor: a process that makes no signposter must not run a line of ours.
int cs_fork_handlers_install(void) {
    return pthread_atfork(before, after_in_parent, after_in_child) == 0 && on_exit(at_exit, NULL) == 0;
}

// SPDX-License-Identifier: MIT
// Has LTTng loaded and providers registered, on a thread that lives only while there is something to do.
//
// Loading takes 3 to 260 ms and up to LTTNG_UST_REGISTER_TIMEOUT (3 s) with a session daemon that hangs, so it must
// never happen on a caller's thread. Once it returns, the daemons have told which events they record, and registering
// a provider turns its recorded tracepoints on before it returns: that is what "ready" means here.
//
// LTTng has threads, memory and descriptors in the host, and can end it while it is being loaded. So Rerender's own events
// load it only where a session daemon is, which alone can record them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lttng/library.h"
#include "signpost_parts.h"

/// LTTng's constructor keeps paths on the stack; the default of 8 MiB would count against RLIMIT_AS for nothing.
enum { CS_LOADER_STACK = 512 * 1024 };

/// Requests not yet served. Above zero exactly while a loader thread exists (or is being started).
static unsigned pending;
/// Counts the times that `pending` fell to zero; waiters sleep on it.
static uint32_t rounds;
static int handlers_installed;
/// Whether LTTng is loaded without a session daemon, too: then it waits for one.
static int is_asked_for;
/// Where else than in root's directory a session daemon is looked for. A copy, because a host may change its environment, on any thread.
static char *app_path, *home;

/// In any order: each stands for itself.
static void register_new(void) {
    for (struct csignpost_provider *p = __atomic_load_n(&cs_providers, __ATOMIC_ACQUIRE); p; p = p->next) {
        if (p->registered) continue;
        p->registered = 1;
        if (cs_library.register_probe(&p->desc)) {
            cs_library.register_tracepoints(p->tracepoints, (int)p->desc.event_count);
        } else {
            __atomic_add_fetch(&cs_refused, 1, __ATOMIC_RELAXED);
        }
    }
}

static void finish_round(void) {
    __atomic_add_fetch(&rounds, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &rounds, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static char *variable(const char *name) {
    const char *text = getenv(name);
    return text ? strdup(text) : NULL;
}

/// On the thread that makes the first provider.
static void read_environment(void) {
    char *own = variable("LTTNG_HOME");
    __atomic_store_n(&home, own ? own : variable("HOME"), __ATOMIC_RELEASE);
    __atomic_store_n(&app_path, variable("LTTNG_UST_APP_PATH"), __ATOMIC_RELEASE);
}

static int must_load(void) {
    if (cs_library_state() != CSIGNPOST_NOT_TRIED) return 0;
    if (__atomic_load_n(&is_asked_for, __ATOMIC_RELAXED)) return 1;
    return csignpost_finds_session_daemon("/var/run/lttng", __atomic_load_n(&app_path, __ATOMIC_ACQUIRE),
                                          __atomic_load_n(&home, __ATOMIC_ACQUIRE));
}

static void *serve(void *unused) {
    (void)unused;
    unsigned seen;
    do {
        seen = __atomic_load_n(&pending, __ATOMIC_ACQUIRE);
        if (must_load()) cs_library_load();
        if (cs_library_state() == CSIGNPOST_LOADED) register_new();
    } while (!__atomic_compare_exchange_n(&pending, &seen, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    finish_round();
    return NULL;
}

/// All signals blocked, so that no handler of the host runs here; ordinary priority even if the caller is real-time.
static int start_thread(void) {
    sigset_t all, saved;
    pthread_t thread;
    pthread_attr_t attributes;
    struct sched_param ordinary = {0};
    if (pthread_attr_init(&attributes)) return 0;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, CS_LOADER_STACK);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &ordinary);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    int error = pthread_create(&thread, &attributes, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

/// Has the loader thread register what is not registered yet, starting it if need be. Returns at once.
static void wake(void) {
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED)) return;
    if (__atomic_fetch_add(&pending, 1, __ATOMIC_ACQ_REL) != 0) return;
    // Only the thread that raised `pending` from zero is here, so this runs once at a time.
    if (!handlers_installed) {
        read_environment();
        handlers_installed = cs_fork_handlers_install();
    }
    if (handlers_installed && start_thread()) return;
    // No thread to be had: off for now; the next provider or wait tries again.
    __atomic_store_n(&pending, 0, __ATOMIC_RELEASE);
    finish_round();
}

void csignpost_load(void) {
    __atomic_store_n(&is_asked_for, 1, __ATOMIC_RELAXED);
    wake();
}

void csignpost_look(void) {
    if (must_load()) wake();
}

static void sleep_until(uint32_t seen, int64_t deadline) {
    int64_t left = deadline - cs_now_ms();
    struct timespec time = {left / 1000, (left % 1000) * 1000000};
    if (left > 0) syscall(SYS_futex, &rounds, FUTEX_WAIT_PRIVATE, seen, &time, NULL, 0);
}

int csignpost_wait_until_ready(int timeout_ms) {
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED)) return CSIGNPOST_NO_LIBRARY;
    int64_t deadline = cs_now_ms() + timeout_ms;
    csignpost_load();
    for (;;) {
        uint32_t seen = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&pending, __ATOMIC_ACQUIRE) == 0) break;
        if (cs_now_ms() >= deadline) return CSIGNPOST_TIMED_OUT;
        sleep_until(seen, deadline);
    }
    struct csignpost_status status = csignpost_status();
    if (status.library == CSIGNPOST_MISSING) return CSIGNPOST_NO_LIBRARY;
    return status.library == CSIGNPOST_LOADED && status.answered ? CSIGNPOST_READY : CSIGNPOST_TIMED_OUT;
}

struct csignpost_status csignpost_status(void) {
    struct csignpost_status status = {.dropped = __atomic_load_n(&cs_dropped, __ATOMIC_RELAXED)};
    cs_library_describe(&status);
    // The thread that loads it may not have begun.
    if (status.library == CSIGNPOST_NOT_TRIED && __atomic_load_n(&pending, __ATOMIC_ACQUIRE) > 0)
        status.library = CSIGNPOST_LOADING;
    for (struct csignpost_provider *p = __atomic_load_n(&cs_providers, __ATOMIC_ACQUIRE); p; p = p->next) {
        status.providers++;
    }
    status.refused = __atomic_load_n(&cs_refused, __ATOMIC_RELAXED);
    return status;
}

struct csignpost_provider *csignpost_provider_make(const char *name, int shape, int *error) {
    int ignored, is_new = 0;
    struct csignpost_provider *provider = cs_registry_make(name, shape, error ? error : &ignored, &is_new);
    if (is_new) shape == CSIGNPOST_GENERIC ? csignpost_load() : wake();
    return provider;
}

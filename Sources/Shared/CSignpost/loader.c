// SPDX-License-Identifier: MIT
// Loads LTTng and registers providers, on a thread of its own that lives only while there is something to do.
//
// Loading takes 3 to 260 ms and up to LTTNG_UST_REGISTER_TIMEOUT (3 s) with a session daemon that hangs, so it must
// never happen on a caller's thread. Once it returns, the daemons have told which events they record, and registering
// a provider turns its recorded tracepoints on before it returns: that is what "ready" means here.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/// LTTng's constructor keeps paths on the stack; the default of 8 MiB would count against RLIMIT_AS for nothing.
enum { CS_LOADER_STACK = 512 * 1024 };
/// LTTng's own default of LTTNG_UST_REGISTER_TIMEOUT, in milliseconds.
enum { CS_REGISTER_TIMEOUT_MS = 3000 };

struct cs_library cs_library;
static int library_state = CSIGNPOST_NOT_TRIED;
static int library_answered;
static char library_path[sizeof((struct csignpost_status *)0)->path];

/// Requests not yet served. Above zero exactly while a loader thread exists (or is being started).
static unsigned pending;
/// Counts the times that `pending` fell to zero; waiters sleep on it.
static uint32_t rounds;
static int handlers_installed;

int cs_library_is_loaded(void) { return __atomic_load_n(&library_state, __ATOMIC_ACQUIRE) == CSIGNPOST_LOADED; }

int cs_library_is_loading(void) { return __atomic_load_n(&library_state, __ATOMIC_ACQUIRE) == CSIGNPOST_LOADING; }

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *symbol(void *library, const char *name, int *missing) {
    void *address = dlsym(library, name);
    if (!address) (*missing)++;
    return address;
}

static int find_symbols(void *ust) {
    int missing = 0, optional = 0;
    *(void **)&cs_library.register_probe = symbol(ust, "lttng_ust_probe_register", &missing);
    *(void **)&cs_library.register_tracepoints = symbol(ust, "lttng_ust_tracepoint_module_register", &missing);
    *(void **)&cs_library.read_lock = symbol(ust, "lttng_ust_tp_rcu_read_lock", &missing);
    *(void **)&cs_library.read_unlock = symbol(ust, "lttng_ust_tp_rcu_read_unlock", &missing);
    *(void **)&cs_library.read_ongoing = symbol(ust, "lttng_ust_urcu_read_ongoing", &optional);
    *(void **)&cs_library.before_fork = symbol(ust, "lttng_ust_before_fork", &optional);
    *(void **)&cs_library.after_fork_parent = symbol(ust, "lttng_ust_after_fork_parent", &optional);
    *(void **)&cs_library.rcu_before_fork = symbol(ust, "lttng_ust_urcu_before_fork", &optional);
    *(void **)&cs_library.rcu_after_fork_child = symbol(ust, "lttng_ust_urcu_after_fork_child", &optional);
    if (optional) cs_library.before_fork = NULL;
    return missing == 0;
}

static void note_path(void) {
    Dl_info info;
    char real[PATH_MAX];
    void *address = *(void **)&cs_library.register_probe;
    if (!dladdr(address, &info) || !info.dli_fname) return;
    snprintf(library_path, sizeof library_path, "%s", realpath(info.dli_fname, real) ? real : info.dli_fname);
}

/// LTTng gives the loading thread's name to the session daemon as the name of the process.
static void take_process_name(void) {
    char name[32] = "";
    int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = read(file, name, sizeof name - 1);
    close(file);
    if (count <= 0) return;
    name[strcspn(name, "\n")] = 0;
    prctl(PR_SET_NAME, name);
}

static int register_timeout_ms(void) {
    const char *text = getenv("LTTNG_UST_REGISTER_TIMEOUT");
    long value = text ? strtol(text, NULL, 10) : CS_REGISTER_TIMEOUT_MS;
    return value < 0 ? INT_MAX : value > INT_MAX ? INT_MAX : (int)value;
}

static void load(void) {
    __atomic_store_n(&library_state, CSIGNPOST_LOADING, __ATOMIC_RELEASE);
    take_process_name();
    int timeout = register_timeout_ms();
    int64_t start = now_ms();
    void *ust = dlopen("liblttng-ust.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    // The constructor returns early when the daemons answered or there is none, else when the time was up.
    int answered = ust && now_ms() - start < timeout;
    const char *error = ust ? "liblttng-ust.so.1 lacks functions of LTTng-UST 2.13" : dlerror();
    int state = ust && find_symbols(ust) ? CSIGNPOST_LOADED : CSIGNPOST_MISSING;
    if (state == CSIGNPOST_LOADED) {
        note_path();
    } else {
        snprintf(library_path, sizeof library_path, "%s", error ? error : "dlopen failed");
    }
    __atomic_store_n(&library_answered, answered, __ATOMIC_RELAXED);
    __atomic_store_n(&library_state, state, __ATOMIC_RELEASE);
}

/// Oldest first would be nicer and matters to nobody: each stands for itself.
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

static void *serve(void *unused) {
    (void)unused;
    unsigned seen;
    do {
        seen = __atomic_load_n(&pending, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&library_state, __ATOMIC_RELAXED) == CSIGNPOST_NOT_TRIED) load();
        if (cs_library_is_loaded()) register_new();
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

void cs_loader_wake(void) {
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED)) return;
    if (__atomic_fetch_add(&pending, 1, __ATOMIC_ACQ_REL) != 0) return;
    // Only the thread that raised `pending` from zero is here, so this runs once at a time.
    if (!handlers_installed) handlers_installed = cs_fork_handlers_install();
    if (handlers_installed && start_thread()) return;
    // No thread to be had: off for now; the next provider or wait tries again.
    __atomic_store_n(&pending, 0, __ATOMIC_RELEASE);
    finish_round();
}

static void sleep_until(uint32_t seen, int64_t deadline) {
    int64_t left = deadline - now_ms();
    struct timespec time = {left / 1000, (left % 1000) * 1000000};
    if (left > 0) syscall(SYS_futex, &rounds, FUTEX_WAIT_PRIVATE, seen, &time, NULL, 0);
}

int csignpost_wait_until_ready(int timeout_ms) {
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED)) return CSIGNPOST_NO_LIBRARY;
    int64_t deadline = now_ms() + timeout_ms;
    cs_loader_wake();
    for (;;) {
        uint32_t seen = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&pending, __ATOMIC_ACQUIRE) == 0) break;
        if (now_ms() >= deadline) return CSIGNPOST_TIMED_OUT;
        sleep_until(seen, deadline);
    }
    int state = __atomic_load_n(&library_state, __ATOMIC_ACQUIRE);
    if (state == CSIGNPOST_MISSING) return CSIGNPOST_NO_LIBRARY;
    int answered = __atomic_load_n(&library_answered, __ATOMIC_RELAXED);
    return state == CSIGNPOST_LOADED && answered ? CSIGNPOST_READY : CSIGNPOST_TIMED_OUT;
}

struct csignpost_status csignpost_status(void) {
    struct csignpost_status status = {.library = __atomic_load_n(&library_state, __ATOMIC_ACQUIRE)};
    status.answered = __atomic_load_n(&library_answered, __ATOMIC_RELAXED);
    for (struct csignpost_provider *p = __atomic_load_n(&cs_providers, __ATOMIC_ACQUIRE); p; p = p->next) {
        status.providers++;
    }
    status.refused = __atomic_load_n(&cs_refused, __ATOMIC_RELAXED);
    status.dropped = __atomic_load_n(&cs_dropped, __ATOMIC_RELAXED);
    int is_settled = status.library == CSIGNPOST_LOADED || status.library == CSIGNPOST_MISSING;
    if (is_settled) memcpy(status.path, library_path, sizeof status.path);
    return status;
}

// SPDX-License-Identifier: MIT
// Loads liblttng-ust, finds the functions that are called in it, and stands in for two that it calls.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "library.h"
#include "CDescriptors.h"
#include "CImports.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/// LTTng's own default of LTTNG_UST_REGISTER_TIMEOUT, in milliseconds.
enum { CS_REGISTER_TIMEOUT_MS = 3000 };

struct cs_library cs_library;
static int library_state = CSIGNPOST_NOT_TRIED;
static int library_answered;
static char library_path[sizeof((struct csignpost_status *)0)->path];

int cs_library_state(void) { return __atomic_load_n(&library_state, __ATOMIC_ACQUIRE); }

int64_t cs_now_ms(void) {
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

/// LTTng's own descriptors are in the host's table. Where there are fewer left than it takes to load it and to listen, they stay the
/// host's.
enum { CS_DESCRIPTORS = 16 };

/// LTTng starts two threads when it is loaded. Where it gets fewer, it waits for the missing one while it has the loader's lock, up to the
/// time that it waits for a session daemon; and where there is no memory for one, its end at `exit` reads from address 0. Some more,
/// because the library's other threads are started at the same time.
enum { CS_THREADS = 6 };

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/// Whether there can be so many at once, tried.
static int has_threads(void) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[CS_THREADS];
    int count = 0;
    pthread_mutex_lock(&gate);
    while (count < CS_THREADS && pthread_create(&threads[count], NULL, wait_at, &gate) == 0) count++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    return count == CS_THREADS;
}

/// LTTng's threads get stacks of the default size, and keep paths on them. The least default of C libraries is this, that of musl.
enum { CS_LEAST_STACK = 128 * 1024 };

static int has_small_stacks(void) {
    pthread_attr_t attributes;
    size_t size = CS_LEAST_STACK;
    if (pthread_getattr_default_np(&attributes) != 0) return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size < CS_LEAST_STACK;
}

/// The number in the name of a session daemon's socket is 8 in LTTng 2.13 and 2.14, and 11 from 2.15 on.
enum { CS_FIRST_SOCKET = 8, CS_LAST_SOCKET = 31 };

/// Opens nothing: a descriptor would be in the host's table.
static int has_socket(const char *directory, size_t length, const char *below) {
    char path[PATH_MAX];
    if (length >= sizeof path) return 0;
    size_t end = (size_t)snprintf(path, sizeof path, "%.*s%s", (int)length, directory, below);
    if (end + sizeof "/lttng-ust-sock-31" > sizeof path || access(path, F_OK) != 0) return 0;
    for (int number = CS_FIRST_SOCKET; number <= CS_LAST_SOCKET; number++) {
        snprintf(path + end, sizeof path - end, "/lttng-ust-sock-%d", number);
        if (access(path, F_OK) == 0) return 1;
    }
    return 0;
}

int csignpost_finds_session_daemon(const char *root, const char *app_path, const char *home) {
    if (has_socket(root, strlen(root), "")) return 1;
    if (app_path && has_socket(app_path, strcspn(app_path, ":"), "")) return 1;
    return home && has_socket(home, strlen(home), "/.lttng");
}

/// Why LTTng must not be loaded; empty where it may.
static const char *refusal(void) {
    // Whoever starts such a program chooses its environment and its session daemon.
    if (getauxval(AT_SECURE)) return "the program has other rights than its user's";
    // LTTng ends the process where it can allocate nothing.
    if (!cdescriptors_have_memory(1)) return "the process's limits leave it too little memory";
    if (has_small_stacks()) return "the process's threads have stacks of less than 128 KiB";
    if (!has_threads()) return "the process can have no more threads";
    return cdescriptors_have_room(CS_DESCRIPTORS) ? "" : "the process has fewer than 16 descriptors left";
}

void cs_library_load(void) {
    const char *reason = refusal();
    if (*reason) {
        snprintf(library_path, sizeof library_path, "%s", reason);
        __atomic_store_n(&library_state, CSIGNPOST_MISSING, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n(&library_state, CSIGNPOST_LOADING, __ATOMIC_RELEASE);
    take_process_name();
    int timeout = register_timeout_ms();
    int64_t start = cs_now_ms();
    void *ust = dlopen("liblttng-ust.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    // The constructor returns early when the daemons answered or there is none, else when the time was up.
    int answered = ust && cs_now_ms() - start < timeout;
    const char *error = ust ? "liblttng-ust.so.1 lacks functions of LTTng-UST 2.13" : dlerror();
    if (ust) cs_threads_watch(ust);
    int state = ust && find_symbols(ust) ? CSIGNPOST_LOADED : CSIGNPOST_MISSING;
    if (state == CSIGNPOST_LOADED) {
        note_path();
    } else {
        snprintf(library_path, sizeof library_path, "%s", error ? error : "dlopen failed");
    }
    __atomic_store_n(&library_answered, answered, __ATOMIC_RELAXED);
    __atomic_store_n(&library_state, state, __ATOMIC_RELEASE);
}

void cs_library_describe(struct csignpost_status *status) {
    status->library = cs_library_state();
    status->answered = __atomic_load_n(&library_answered, __ATOMIC_RELAXED);
    int is_settled = status->library == CSIGNPOST_LOADED || status->library == CSIGNPOST_MISSING;
    if (is_settled) memcpy(status->path, library_path, sizeof status->path);
}

// MARK: Threads that a forked child does not have

// Stands in for two functions that liblttng-ust calls, so that a forked child does not end threads that it does not have.
//
// LTTng's destructor calls pthread_cancel for the threads that listen for session daemons. A child has none of them, and what the
// C library keeps of them is on their stacks. It frees these stacks when another thread ends, such as one of Mesa's at exit, and
// pthread_cancel reads there. After a fork, LTTng gets the answer that there is no such thread. liblttng-ust-fork has LTTng start its
// threads anew in the child: these are ended.

/// How many forks this process is away from the one that loaded LTTng, and how many it was when LTTng started a thread last.
static unsigned forks, forks_at_start;

static int start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context) {
    __atomic_store_n(&forks_at_start, __atomic_load_n(&forks, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    return pthread_create(thread, attributes, run, context);
}

static int end_thread(pthread_t thread) {
    int has_threads = __atomic_load_n(&forks_at_start, __ATOMIC_RELAXED) == __atomic_load_n(&forks, __ATOMIC_RELAXED);
    return has_threads ? pthread_cancel(thread) : ESRCH;
}

static void replace(const struct dl_phdr_info *file, void **place, void *function) {
    cimports_write(file, place, function);
}

/// Nothing is asked of the loader here: its locks are held.
static int visit(struct dl_phdr_info *file, size_t size, void *library) {
    (void)size;
    if (file->dlpi_addr != ((const struct link_map *)library)->l_addr) return 0;
    cimports_each(file, "pthread_create", replace, (void *)start_thread);
    cimports_each(file, "pthread_cancel", replace, (void *)end_thread);
    return 1;
}

void cs_threads_watch(void *library) {
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) dl_iterate_phdr(visit, map);
}

void cs_threads_note_fork(void) { __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED); }

// SPDX-License-Identifier: MIT
// The main queue: pings it, tells which thread serves it and since when, and has GLib's loop serve it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"
#include "CDescriptors.h"
#include "CRerender.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int (*fd_function)(int fd, int condition, void *data);
WEAK unsigned g_unix_fd_add(int fd, int condition, fd_function function, void *data);

WEAK extern struct main_queue _dispatch_main_q;
WEAK void dispatch_async_f(void *queue, void *context, void (*function)(void *));
WEAK int _dispatch_get_main_queue_handle_4CF(void);
WEAK void _dispatch_main_queue_callback_4CF(void *ignored);
WEAK extern void *(*_dispatch_begin_NSAutoReleasePool)(void);
WEAK extern void (*_dispatch_end_NSAutoReleasePool)(void *);

static const char dispatch_file[] = "libdispatch.so";

// MARK: Who serves it
/// Where libdispatch keeps which thread serves a queue; no header says so. It is believed while each answer to a ping, on the
/// main queue, finds its own thread there; after one that does not, never again.
enum { OWNER_OFFSET = 56, OWNER_MASK = 0x3fffffff };
static const char *main_queue;
enum { OWNER_UNTRIED, OWNER_KNOWN, OWNER_ELSEWHERE };
static int owner_place;

// Proof: the queue is an object of libdispatch's that lives for ever, and is 128 bytes long; the word is one that it writes
// atomically.
static pid_t owner(void) {
    const char *queue = __atomic_load_n(&main_queue, __ATOMIC_ACQUIRE);
    return (pid_t)(__atomic_load_n((const uint32_t *)(const void *)(queue + OWNER_OFFSET), __ATOMIC_RELAXED) &
                   OWNER_MASK);
}

pid_t crerender_main_queue_owner(void) {
    return __atomic_load_n(&owner_place, __ATOMIC_ACQUIRE) == OWNER_KNOWN ? owner() : -1;
}

static void answer_ping(void *function) {
    if (crerender_is_silent()) return;
    if (__atomic_load_n(&owner_place, __ATOMIC_RELAXED) != OWNER_ELSEWHERE) {
        bool is_here = owner() == (pid_t)syscall(SYS_gettid);
        __atomic_store_n(&owner_place, is_here ? OWNER_KNOWN : OWNER_ELSEWHERE, __ATOMIC_RELEASE);
    }
    ((void (*)(void))function)();
}

/// The event by which libdispatch wakes the main queue's thread.
struct wake_event {
    int file;
    /// The kernel's number for it, which no other event has; -1 if the file is none.
    long long number;
};

static void look_at_event(void *context) {
    struct wake_event *event = context;
    char path[48], line[64];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", event->file);
    FILE *file = fopen(path, "re");
    if (!file) return;
    while (event->number < 0 && fgets(line, sizeof line, file)) sscanf(line, "eventfd-id: %lld", &event->number);
    fclose(file);
}

/// libdispatch makes one descriptor for the main queue, the first time that it is asked for it or that something is sent to the queue. It
/// ends the process where it gets none. Some more, because the host's other threads take descriptors meanwhile.
enum { QUEUE_DESCRIPTORS = 4 };

enum crerender_wake_state crerender_main_queue_wake_state(void) {
    static long long known = -1;
    __typeof__(&_dispatch_get_main_queue_handle_4CF) handle = FIND(dispatch_file, _dispatch_get_main_queue_handle_4CF);
    if (!handle) return CRERENDER_WAKES;
    if (known < 0 && !cdescriptors_have_room(QUEUE_DESCRIPTORS)) return CRERENDER_WAKE_UNKNOWN;
    struct wake_event event = {handle(), -1};
    // After dispatchMain() any thread of the pool serves the queue, and there is none.
    if (event.file < 0) return CRERENDER_WAKES;
    if (!cdescriptors_run(look_at_event, &event) || event.number < 0) return CRERENDER_WAKE_UNKNOWN;
    if (known < 0) known = event.number;
    return event.number == known ? CRERENDER_WAKES : CRERENDER_WAKE_LOST;
}

bool crerender_ping_main_queue(void (*answer)(void)) {
    __typeof__(&dispatch_async_f) async = FIND(dispatch_file, dispatch_async_f);
    void *queue = FIND(dispatch_file, _dispatch_main_q);
    if (!async || !queue) return false;
    __atomic_store_n(&main_queue, queue, __ATOMIC_RELEASE);
    async(queue, (void *)answer, answer_ping);
    return true;
}

// MARK: When a thread began to work off queues

/// A thread of libdispatch's that works off queues, the main one or others, until there is nothing left to do.
struct drain {
    pid_t thread;
    uint64_t began;
};

/// libdispatch has about as many threads as processors; threads beyond these are not known.
enum { DRAINS = 64 };
static struct drain drains[DRAINS];
static _Thread_local struct {
    struct drain *drain;
    int depth;
} own;
static void (*drained)(void);

static struct drain *take_drain(pid_t thread) {
    for (int i = 0; i < DRAINS; i++) {
        pid_t expected = 0;
        if (__atomic_load_n(&drains[i].thread, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&drains[i].thread, &expected, thread, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return &drains[i];
    }
    return NULL;
}

// libdispatch calls this with nothing locked when one of its threads has got work, and `end_drain` before that thread waits; also
// around the items of some queues, inside of that. A host's own functions are never replaced.
static void *begin_drain(void) {
    if (crerender_is_silent()) return NULL;
    if (own.depth++ > 0) return &own;
    own.drain = take_drain(crerender_this_thread());
    if (own.drain) __atomic_store_n(&own.drain->began, crerender_monotonic(), __ATOMIC_RELEASE);
    return &own;
}

static void end_drain(void *token) {
    // A drain that began before the hooks were there has another token.
    if (token != &own || crerender_is_silent() || --own.depth > 0) return;
    drained();
    if (!own.drain) return;
    __atomic_store_n(&own.drain->began, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&own.drain->thread, 0, __ATOMIC_RELEASE);
    own.drain = NULL;
}

bool crerender_watch_drains(void (*ended)(void)) {
    __typeof__(&_dispatch_begin_NSAutoReleasePool) begin = FIND(dispatch_file, _dispatch_begin_NSAutoReleasePool);
    __typeof__(&_dispatch_end_NSAutoReleasePool) end = FIND(dispatch_file, _dispatch_end_NSAutoReleasePool);
    if (!begin || !end) return false;
    drained = ended;
    // The end first: a thread that sees only that has no token, and does not call it.
    void (*no_end)(void *) = NULL;
    void *(*no_begin)(void) = NULL;
    if (!__atomic_compare_exchange_n(end, &no_end, end_drain, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
    if (__atomic_compare_exchange_n(begin, &no_begin, begin_drain, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return true;
    // The host's own: its tokens are for its own end.
    __atomic_store_n(end, NULL, __ATOMIC_RELEASE);
    return false;
}

uint64_t crerender_drain_began(pid_t thread) {
    if (thread == 0) return 0;
    for (int i = 0; i < DRAINS; i++)
        if (__atomic_load_n(&drains[i].thread, __ATOMIC_ACQUIRE) == thread)
            return __atomic_load_n(&drains[i].began, __ATOMIC_ACQUIRE);
    return 0;
}

uint64_t crerender_own_drain_began(void) {
    return own.drain ? __atomic_load_n(&own.drain->began, __ATOMIC_RELAXED) : 0;
}

// MARK: Served by GLib

static pid_t serving_process;
static __typeof__(&_dispatch_main_queue_callback_4CF) drain_main_queue;

enum { SOURCE_REMOVE = 0, SOURCE_CONTINUE = 1, IO_IN = 1 };

static int serve(int fd, int condition, void *data) {
    (void)condition;
    (void)data;
    pid_t process = getpid();
    // libdispatch ends a process that drains the main queue on another thread than the first, and in a forked child.
    if (__atomic_load_n(&serving_process, __ATOMIC_RELAXED) != process || (pid_t)syscall(SYS_gettid) != process) {
        __atomic_store_n(&serving_process, 0, __ATOMIC_RELAXED);
        return SOURCE_REMOVE;
    }
    uint64_t value;
    // Without reading it the descriptor stays ready and the loop spins.
    (void)!read(fd, &value, sizeof value);
    drain_main_queue(NULL);
    return SOURCE_CONTINUE;
}

static bool serve_main_queue(void) {
    __typeof__(&_dispatch_get_main_queue_handle_4CF) handle = FIND(dispatch_file, _dispatch_get_main_queue_handle_4CF);
    drain_main_queue = FIND(dispatch_file, _dispatch_main_queue_callback_4CF);
    __typeof__(&g_unix_fd_add) add = FIND(glib_file, g_unix_fd_add);
    if (!handle || !drain_main_queue || !add) return false;
    pid_t expected = 0;
    if (!__atomic_compare_exchange_n(&serving_process, &expected, getpid(), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return expected == getpid();
    int fd = cdescriptors_have_room(QUEUE_DESCRIPTORS) ? handle() : -1;
    if (fd >= 0 && add(fd, IO_IN, serve, NULL) != 0) return true;
    __atomic_store_n(&serving_process, 0, __ATOMIC_RELAXED);
    return false;
}

bool crerender_serve_main_queue(void) {
    // The app asks for it and needs the answer.
    bool might = crerender_thread_may_wait_for_loader();
    crerender_let_thread_wait_for_loader(true);
    bool serves = serve_main_queue();
    crerender_let_thread_wait_for_loader(might);
    return serves;
}

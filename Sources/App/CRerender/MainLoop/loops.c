// SPDX-License-Identifier: MIT
// Hooks the main loops of GLib and CoreFoundation, and serves and pings the main queue.
//
// None of them is linked. The weak symbols are there where the program itself links the library, also statically; what was
// loaded later is looked up. A library that is not in the process is never loaded.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRerender.h"
#include "turn_alarm.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

// GLib's types: gint and guint are int and unsigned, GIOCondition an enum.
typedef int (*poll_function)(void *fds, unsigned count, int timeout);
typedef int (*fd_function)(int fd, int condition, void *data);
WEAK poll_function g_main_context_get_poll_func(void *context);
WEAK void g_main_context_set_poll_func(void *context, poll_function function);
WEAK int g_main_context_acquire(void *context);
WEAK void g_main_context_release(void *context);
WEAK int g_main_context_is_owner(void *context);
WEAK unsigned g_unix_fd_add(int fd, int condition, fd_function function, void *data);

// CoreFoundation's: CFOptionFlags is unsigned long, CFIndex long, Boolean unsigned char.
typedef void (*observer_function)(const void *observer, unsigned long activity, void *data);
WEAK const void *CFRunLoopGetMain(void);
WEAK const void *CFRunLoopObserverCreate(const void *allocator, unsigned long activities, unsigned char repeats,
                                         long order, observer_function function, void *context);
WEAK void CFRunLoopAddObserver(const void *loop, const void *observer, const void *mode);
WEAK extern const void *const kCFRunLoopCommonModes;

WEAK extern struct main_queue _dispatch_main_q;
WEAK void dispatch_async_f(void *queue, void *context, void (*function)(void *));
WEAK int _dispatch_get_main_queue_handle_4CF(void);
WEAK void _dispatch_main_queue_callback_4CF(void *ignored);

static const char glib_file[] = "libglib-2.0.so.0";
static const char foundation_file[] = "libFoundation.so";
static const char dispatch_file[] = "libdispatch.so";

/// A symbol of a library that is in the process, or NULL. The library then stays loaded, because its symbol is called later.
static void *find(const void *linked, const char *file, const char *name) {
    if (linked) return (void *)(uintptr_t)linked;
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = library ? dlsym(library, name) : NULL;
    // Without one of that name it may be a part of the program, or of another file.
    return symbol ? symbol : dlsym(RTLD_DEFAULT, name);
}
#define FIND(file, name) ((__typeof__(&name))find((const void *)(uintptr_t)&name, file, #name))

void crerender_stay_loaded(void) {
    Dl_info own;
    if (!dladdr((const void *)(uintptr_t)crerender_stay_loaded, &own) || !own.dli_fname) return;
    // The program itself is not found so, and never goes.
    (void)dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// GLib

/// Poll functions of the app's, each with a wrapper of its own that calls it and no other. So an app that takes its function
/// back, by setting the one that it had found, takes our wrapper of that one; and one whose function calls what it had found
/// calls that. Beyond that many, further ones are left alone.
enum { MAX_POLL_FUNCTIONS = 8 };
static poll_function poll_functions[MAX_POLL_FUNCTIONS];
static int poll_function_count;
/// How many wrappers the thread is in.
static _Thread_local int poll_depth;

static crerender_edge glib_edge;

static __typeof__(&g_main_context_acquire) glib_acquire;
static __typeof__(&g_main_context_release) glib_release;
static __typeof__(&g_main_context_is_owner) glib_is_owner;
static int glib_is_hooked;

static int wrapped_poll(int which, void *fds, unsigned count, int timeout) {
    poll_function inner = __atomic_load_n(&poll_functions[which], __ATOMIC_ACQUIRE);
    if (poll_depth > 0 || crerender_is_forked()) return inner(fds, count, timeout);
    turn_ends(timeout != 0);
    glib_edge(CRERENDER_GLIB, CRERENDER_BEFORE_WAIT);
    poll_depth++;
    int ready = inner(fds, count, timeout);
    int error = errno; // GLib tells an interruption from a failure by it
    poll_depth--;
    turn_begins();
    glib_edge(CRERENDER_GLIB, CRERENDER_AFTER_WAIT);
    errno = error;
    return ready;
}

#define WRAPPER(which) \
    static int wrapped_poll_##which(void *fds, unsigned count, int timeout) { \
        return wrapped_poll(which, fds, count, timeout); \
    }
WRAPPER(0)
WRAPPER(1)
WRAPPER(2)
WRAPPER(3)
WRAPPER(4)
WRAPPER(5)
WRAPPER(6)
WRAPPER(7)
static const poll_function wrappers[MAX_POLL_FUNCTIONS] = {
    wrapped_poll_0, wrapped_poll_1, wrapped_poll_2, wrapped_poll_3,
    wrapped_poll_4, wrapped_poll_5, wrapped_poll_6, wrapped_poll_7,
};

/// The wrapper of a poll function; that itself if it is one, NULL if there is none left.
static poll_function wrapper_of(poll_function function) {
    for (int i = 0; i < MAX_POLL_FUNCTIONS; i++)
        if (function == wrappers[i]) return function;
    for (int i = 0; i < poll_function_count; i++)
        if (function == poll_functions[i]) return wrappers[i];
    if (poll_function_count == MAX_POLL_FUNCTIONS) return NULL;
    __atomic_store_n(&poll_functions[poll_function_count], function, __ATOMIC_RELEASE);
    return wrappers[poll_function_count++];
}

void crerender_hook_glib(crerender_edge edge) {
    __typeof__(&g_main_context_get_poll_func) get = FIND(glib_file, g_main_context_get_poll_func);
    __typeof__(&g_main_context_set_poll_func) set = FIND(glib_file, g_main_context_set_poll_func);
    if (!get || !set) return;
    // Before the app's function is read: the less time passes until ours is set, the less can come in between.
    if (!glib_is_hooked) {
        glib_edge = edge;
        glib_acquire = FIND(glib_file, g_main_context_acquire);
        glib_release = FIND(glib_file, g_main_context_release);
        glib_is_owner = FIND(glib_file, g_main_context_is_owner);
        __atomic_store_n(&glib_is_hooked, 1, __ATOMIC_RELEASE);
    }
    poll_function current = get(NULL), wrapper = wrapper_of(current);
    if (wrapper && wrapper != current) set(NULL, wrapper);
}

bool crerender_owns_glib(void) {
    return __atomic_load_n(&glib_is_hooked, __ATOMIC_ACQUIRE) && glib_is_owner && glib_is_owner(NULL);
}

bool crerender_glib_is_free(void) {
    if (!__atomic_load_n(&glib_is_hooked, __ATOMIC_ACQUIRE) || !glib_acquire || !glib_release) return false;
    if (!glib_acquire(NULL)) return false;
    glib_release(NULL);
    return true;
}

// CoreFoundation

enum { CF_ENTRY = 1, CF_BEFORE_WAITING = 32, CF_AFTER_WAITING = 64, CF_EXIT = 128 };

static crerender_edge cf_edge;

static void observe(const void *observer, unsigned long activity, void *data) {
    (void)observer;
    (void)data;
    if (crerender_is_forked()) return;
    int error = errno;
    switch (activity) {
    case CF_ENTRY: cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_ENTERED); break;
    case CF_BEFORE_WAITING: cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_BEFORE_WAIT); break;
    case CF_AFTER_WAITING: cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_AFTER_WAIT); break;
    case CF_EXIT: cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_LEFT); break;
    default: break;
    }
    errno = error;
}

void crerender_hook_cfrunloop(crerender_edge edge) {
    if (cf_edge) return;
    __typeof__(&CFRunLoopGetMain) main_loop = FIND(foundation_file, CFRunLoopGetMain);
    __typeof__(&CFRunLoopObserverCreate) create = FIND(foundation_file, CFRunLoopObserverCreate);
    __typeof__(&CFRunLoopAddObserver) add = FIND(foundation_file, CFRunLoopAddObserver);
    const void *const *modes = FIND(foundation_file, kCFRunLoopCommonModes);
    if (!main_loop || !create || !add || !modes) return;
    cf_edge = edge;
    // The first of all when the loop wakes up and the last before it waits, so that the host's observers are in the turn.
    const struct {
        unsigned long activities;
        long order;
    } observers[] = {{CF_ENTRY | CF_AFTER_WAITING, INT64_MIN}, {CF_BEFORE_WAITING | CF_EXIT, INT64_MAX}};
    for (int i = 0; i < 2; i++) {
        const void *observer = create(NULL, observers[i].activities, 1, observers[i].order, observe, NULL);
        if (observer) add(main_loop(), observer, *modes);
    }
}

// libdispatch

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
    if (crerender_is_forked()) return;
    if (__atomic_load_n(&owner_place, __ATOMIC_RELAXED) != OWNER_ELSEWHERE) {
        bool is_here = owner() == (pid_t)syscall(SYS_gettid);
        __atomic_store_n(&owner_place, is_here ? OWNER_KNOWN : OWNER_ELSEWHERE, __ATOMIC_RELEASE);
    }
    ((void (*)(void))function)();
}

bool crerender_ping_main_queue(void (*answer)(void)) {
    __typeof__(&dispatch_async_f) async = FIND(dispatch_file, dispatch_async_f);
    void *queue = find(&_dispatch_main_q, dispatch_file, "_dispatch_main_q");
    if (!async || !queue) return false;
    __atomic_store_n(&main_queue, queue, __ATOMIC_RELEASE);
    async(queue, (void *)answer, answer_ping);
    return true;
}

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

bool crerender_serve_main_queue(void) {
    __typeof__(&_dispatch_get_main_queue_handle_4CF) handle = FIND(dispatch_file, _dispatch_get_main_queue_handle_4CF);
    drain_main_queue = FIND(dispatch_file, _dispatch_main_queue_callback_4CF);
    __typeof__(&g_unix_fd_add) add = FIND(glib_file, g_unix_fd_add);
    if (!handle || !drain_main_queue || !add) return false;
    crerender_stay_loaded();
    pid_t expected = 0;
    if (!__atomic_compare_exchange_n(&serving_process, &expected, getpid(), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return expected == getpid();
    int fd = handle();
    if (fd >= 0 && add(fd, IO_IN, serve, NULL) != 0) return true;
    __atomic_store_n(&serving_process, 0, __ATOMIC_RELAXED);
    return false;
}

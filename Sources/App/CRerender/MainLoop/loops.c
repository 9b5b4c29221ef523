// SPDX-License-Identifier: MIT
// Hooks the main loops of GLib and CoreFoundation. None of them is linked: see `loaded.h`.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"

#include "CDescriptors.h"
#include "CRerender.h"
#include "loop_parts.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// GLib's types: gint and guint are int and unsigned, GIOCondition an enum.
typedef int (*poll_function)(void *fds, unsigned count, int timeout);
WEAK poll_function g_main_context_get_poll_func(void *context);
WEAK void g_main_context_set_poll_func(void *context, poll_function function);
WEAK int g_main_context_acquire(void *context);
WEAK void g_main_context_release(void *context);
WEAK int g_main_context_is_owner(void *context);
WEAK void g_main_context_wakeup(void *context);

// CoreFoundation's: CFOptionFlags is unsigned long, CFIndex long, Boolean unsigned char.
typedef void (*observer_function)(const void *observer, unsigned long activity, void *data);
WEAK const void *CFRunLoopGetMain(void);
WEAK const void *CFRunLoopObserverCreate(const void *allocator, unsigned long activities, unsigned char repeats,
                                         long order, observer_function function, void *context);
WEAK void CFRunLoopAddObserver(const void *loop, const void *observer, const void *mode);
WEAK void CFRunLoopObserverInvalidate(const void *observer);
WEAK extern const void *const kCFRunLoopCommonModes;

static const char foundation_file[] = "libFoundation.so";

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

/// GLib takes one or two for a context. Some more, because the host's other threads take descriptors meanwhile.
enum { CONTEXT_DESCRIPTORS = 4 };

static __typeof__(&g_main_context_get_poll_func) glib_get;
static __typeof__(&g_main_context_set_poll_func) glib_set;
static __typeof__(&g_main_context_acquire) glib_acquire;
static __typeof__(&g_main_context_release) glib_release;
static __typeof__(&g_main_context_is_owner) glib_is_owner;
static int glib_is_hooked;

// GLib calls the wrappers. For their names, see `glib_sources.h`.
static int crerender_wrapped_poll(int which, void *fds, unsigned count, int timeout) {
    poll_function inner = __atomic_load_n(&poll_functions[which], __ATOMIC_ACQUIRE);
    if (poll_depth > 0 || crerender_is_silent()) return inner(fds, count, timeout);
    turn_ends(timeout != 0);
    glib_edge(CRERENDER_GLIB, CRERENDER_BEFORE_WAIT);
    crerender_account_turn_ended(CRERENDER_GLIB, crerender_now(), timeout != 0);
    poll_depth++;
    int ready = inner(fds, count, timeout);
    int error = errno; // GLib tells an interruption from a failure by it
    poll_depth--;
    // It may have been switched off meanwhile.
    if (!crerender_is_silent()) {
        crerender_account_turn_began(CRERENDER_GLIB, crerender_now());
        // GPollFD is this.
        if (ready > 0) crerender_descriptors_ready(fds, count);
        turn_begins();
        glib_edge(CRERENDER_GLIB, CRERENDER_AFTER_WAIT);
    }
    errno = error;
    return ready;
}

#define WRAPPER(which) \
    static int crerender_wrapped_poll_##which(void *fds, unsigned count, int timeout) { \
        return crerender_wrapped_poll(which, fds, count, timeout); \
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
    crerender_wrapped_poll_0, crerender_wrapped_poll_1, crerender_wrapped_poll_2, crerender_wrapped_poll_3,
    crerender_wrapped_poll_4, crerender_wrapped_poll_5, crerender_wrapped_poll_6, crerender_wrapped_poll_7,
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
    // The first question makes the default context where there is none yet, and GLib ends a process that has no descriptor for it.
    if (!glib_is_hooked && !cdescriptors_have_room(CONTEXT_DESCRIPTORS)) return;
    bool is_first = !glib_is_hooked;
    // Before the app's function is read: the less time passes until ours is set, the less can come in between.
    if (!glib_is_hooked) {
        glib_edge = edge;
        glib_get = get;
        glib_set = set;
        glib_acquire = FIND(glib_file, g_main_context_acquire);
        glib_release = FIND(glib_file, g_main_context_release);
        glib_is_owner = FIND(glib_file, g_main_context_is_owner);
        __atomic_store_n(&glib_is_hooked, 1, __ATOMIC_RELEASE);
    }
    poll_function current = get(NULL), wrapper = wrapper_of(current);
    if (!wrapper || wrapper == current) return;
    set(NULL, wrapper);
    // A loop that runs already is in a wait that nobody sees, and its next turn would not be seen to begin: it is woken, once.
    __typeof__(&g_main_context_wakeup) wake = FIND(glib_file, g_main_context_wakeup);
    if (is_first && wake && !crerender_glib_is_free()) wake(NULL);
}

/// The preloaded library's, where the process has it: what its own poll function stands for; of others, the function itself.
__attribute__((weak, visibility("default"))) poll_function rerender_preload_poll(poll_function function);

void crerender_unhook_glib(void) {
    poll_function current = __atomic_load_n(&glib_is_hooked, __ATOMIC_ACQUIRE) ? glib_get(NULL) : NULL, own = current;
    // One that the app has set since may call ours, and stays.
    for (int i = 0; current && i < MAX_POLL_FUNCTIONS; i++)
        if (current == wrappers[i]) own = poll_functions[i];
    if (own && rerender_preload_poll) own = rerender_preload_poll(own);
    if (own != current) glib_set(NULL, own);
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
enum { OBSERVERS = 2 };
static const void *own_observers[OBSERVERS];
static __typeof__(&CFRunLoopObserverInvalidate) cf_invalidate;

/// As many as CoreFoundation opens for a run loop, and some more. It ends the process where it finds none for the main loop, which the
/// first call of `CFRunLoopGetMain` makes.
enum { RUN_LOOP_DESCRIPTORS = 8 };

static void observe(const void *observer, unsigned long activity, void *data) {
    (void)observer;
    (void)data;
    if (crerender_is_silent()) return;
    int error = errno;
    switch (activity) {
    case CF_ENTRY:
        crerender_account_turn_began(CRERENDER_CFRUNLOOP, crerender_now());
        cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_ENTERED);
        break;
    case CF_BEFORE_WAITING:
        cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_BEFORE_WAIT);
        crerender_account_turn_ended(CRERENDER_CFRUNLOOP, crerender_now(), true);
        break;
    case CF_AFTER_WAITING:
        crerender_account_turn_began(CRERENDER_CFRUNLOOP, crerender_now());
        cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_AFTER_WAIT);
        break;
    case CF_EXIT:
        cf_edge(CRERENDER_CFRUNLOOP, CRERENDER_LEFT);
        crerender_account_loop_was_left(CRERENDER_CFRUNLOOP, crerender_now());
        break;
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
    cf_invalidate = FIND(foundation_file, CFRunLoopObserverInvalidate);
    if (!main_loop || !create || !add || !cf_invalidate || !modes) return;
    if (!cdescriptors_have_room(RUN_LOOP_DESCRIPTORS)) return;
    cf_edge = edge;
    // The first of all when the loop wakes up and the last before it waits, so that the host's observers are in the turn.
    const struct {
        unsigned long activities;
        long order;
    } observers[OBSERVERS] = {{CF_ENTRY | CF_AFTER_WAITING, INT64_MIN}, {CF_BEFORE_WAITING | CF_EXIT, INT64_MAX}};
    for (int i = 0; i < OBSERVERS; i++) {
        const void *observer = create(NULL, observers[i].activities, 1, observers[i].order, observe, NULL);
        if (observer) add(main_loop(), observer, *modes);
        __atomic_store_n(&own_observers[i], observer, __ATOMIC_RELEASE);
    }
}

void crerender_unhook_cfrunloop(void) {
    for (int i = 0; i < OBSERVERS; i++) {
        const void *observer = __atomic_load_n(&own_observers[i], __ATOMIC_ACQUIRE);
        // Again, it does nothing.
        if (observer) cf_invalidate(observer);
    }
}

// A timer that expires while a turn of GLib's loop lasts long. Short turns set it and cancel it, so it wakes a thread only for long
// ones. An idle loop sets none. It is a timer with a number (timer_create(2)) and not one with a descriptor, because hosts' threads
// set it.

static int timer = -1;
static uint64_t patience = 50000000;
/// When it rings for a turn; 0 while it is not set for one. One thread at a time runs the loop.
static uint64_t rings_at;

void crerender_set_turn_alarm(uint64_t nanoseconds) { __atomic_store_n(&patience, nanoseconds, __ATOMIC_RELAXED); }

void turn_alarm_has(int made) { __atomic_store_n(&timer, made, __ATOMIC_SEQ_CST); }

static int ends;

bool turn_alarm_ends(void) { return __atomic_load_n(&ends, __ATOMIC_SEQ_CST); }

static void set(int known_timer, uint64_t at) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = (time_t)(at / 1000000000);
    when.it_value.tv_nsec = (long)(at % 1000000000);
    syscall(SYS_timer_settime, known_timer, TIMER_ABSTIME, &when, NULL);
}

void crerender_stop_turn_alarm(void) {
    __atomic_store_n(&ends, 1, __ATOMIC_SEQ_CST);
    int known_timer = __atomic_load_n(&timer, __ATOMIC_SEQ_CST);
    // A time that is over: the thread gets its signal now.
    if (known_timer >= 0) set(known_timer, 1);
}

void turn_begins(void) {
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (known_timer < 0) return;
    uint64_t now = crerender_monotonic(), least = __atomic_load_n(&patience, __ATOMIC_RELAXED);
    // One that a turn before left behind will do, unless it rings too soon.
    if (__atomic_load_n(&rings_at, __ATOMIC_RELAXED) >= now + least) return;
    set(known_timer, now + 2 * least);
    __atomic_store_n(&rings_at, now + 2 * least, __ATOMIC_RELAXED);
}

void turn_ends(bool waits) {
    // A loop that only looks is about to begin another turn: it is spared the two system calls.
    if (!waits || __atomic_load_n(&rings_at, __ATOMIC_RELAXED) == 0) return;
    int known_timer = __atomic_load_n(&timer, __ATOMIC_ACQUIRE);
    if (known_timer < 0) return;
    set(known_timer, 0);
    __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED);
}

void crerender_turn_alarm_rang(void) { __atomic_store_n(&rings_at, 0, __ATOMIC_RELAXED); }

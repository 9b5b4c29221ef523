// SPDX-License-Identifier: MIT
// Decides whether a handler may work here and now: the program must have all that it has without one.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

extern void *__libc_stack_end;

static _Thread_local struct crerender_thread of_thread;

uint64_t crerender_refused;

static void set_stack(struct crerender_thread *thread, uintptr_t end, uintptr_t bytes) {
    // A handler takes up to 5 KB, with each body that it runs around. Nested ones may take what a thread has: the rest is the program's.
    enum { LEAST = 64 << 10 };
    uintptr_t kept = bytes / 4 * 3 > LEAST ? bytes / 4 * 3 : LEAST;
    thread->end = end;
    thread->least = bytes > kept && bytes < end ? end - bytes + kept : end;
}

/// glibc would read a file to find the main thread's.
static void find_stack_of_main(struct crerender_thread *thread) {
    enum { USUAL = 8 << 20 };
    struct rlimit limit;
    bool is_limited = !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY;
    set_stack(thread, (uintptr_t)__libc_stack_end, is_limited ? (uintptr_t)limit.rlim_cur : (uintptr_t)USUAL);
}

static void find_stack(struct crerender_thread *thread) {
    if (getpid() == gettid()) return find_stack_of_main(thread);
    pthread_attr_t attributes;
    void *start = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    if (!pthread_attr_getstack(&attributes, &start, &bytes)) set_stack(thread, (uintptr_t)start + bytes, bytes);
    pthread_attr_destroy(&attributes);
}

extern bool crerender_counts __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) bool crerender_is_idle(const struct crerender_hook *);
__attribute__((visibility("hidden"))) bool crerender_enter(struct crerender_call *call);

/// Called by each thunk.
bool crerender_enter(struct crerender_call *call) {
    if (!__atomic_load_n(&crerender_counts, __ATOMIC_RELAXED) && crerender_is_idle(call->hook)) return false;
    struct crerender_thread *thread = &of_thread;
    if (thread->is_working) goto no;
    if (!thread->end) find_stack(thread);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here < thread->least || here >= thread->end) goto no;
    thread->is_working = true;
    call->thread = thread;
    return true;
no:
    __atomic_fetch_add(&crerender_refused, 1, __ATOMIC_RELAXED);
    return false;
}

void crerender_tell_refused_calls(void) {
    static _Atomic bool is_told;
    if (crerender_refused_calls() == 0 || atomic_exchange_explicit(&is_told, true, memory_order_relaxed)) return;
    crerender_report("stack", "some");
}

/// Where no call had room, no handler could say so.
__attribute__((destructor)) static void tell_at_exit(void) { crerender_tell_refused_calls(); }

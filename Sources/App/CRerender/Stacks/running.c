// SPDX-License-Identifier: MIT
// Keeps the calls of a thread, and drops those that will not return.

#include "CRerender.h"

#include <pthread.h>
#include <stdlib.h>

_Thread_local struct crerender_running_list *crerender_running_slot;

static pthread_key_t key;
static bool has_key;

/// Gives back the memory of the innermost calls that have ended. One that ended before a call in it waits for that.
static void give_back(struct crerender_running_list *calls) {
    while (calls->innermost->number == 0) calls->innermost = calls->innermost->outer;
}

static void drop_all(struct crerender_running_list *calls) {
    for (give_back(calls); calls->innermost != &calls->outermost;) crerender_drop(calls->innermost);
}

// The thread ends, by pthread_exit in a call, too. All are dropped before any memory is freed: one may have begun inside of another.
static void end_thread(void *context) {
    struct crerender_running_list *calls = context;
    drop_all(calls);
    crerender_running_slot = NULL;
    struct crerender_running *call = calls->outermost.inner;
    while (call) {
        struct crerender_running *inner = call->inner;
        if (call->kept) call->release(call->kept);
        free(call);
        call = inner;
    }
    free(calls);
}

static void make_key(void) { has_key = pthread_key_create(&key, end_thread) == 0; }

__attribute__((noinline, cold)) struct crerender_running_list *crerender_make_running_list(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    struct crerender_running_list *calls = has_key ? calloc(1, sizeof *calls) : NULL;
    if (!calls) return NULL;
    uintptr_t high;
    if (crerender_stack_bounds(&calls->low, &high)) {
        // The first thread's may be as large as memory. Only of its upper part it is sure that nothing else is there.
        const uintptr_t sure = (uintptr_t)128 << 20;
        if (high - calls->low > sure) calls->low = high - sure;
        calls->size = high - calls->low;
        calls->easy_low = calls->low + calls->size / 4;
        calls->easy_size = high - calls->easy_low;
    }
    static uint64_t latest;
    calls->number = __atomic_add_fetch(&latest, (uint64_t)1 << 40, __ATOMIC_RELAXED);
    calls->innermost = &calls->outermost;
    calls->outermost.number = UINT64_MAX;
    if (!crerender_add_running(calls) || pthread_setspecific(key, calls) != 0) {
        free(calls->outermost.inner);
        free(calls);
        return NULL;
    }
    crerender_running_slot = calls;
    return calls;
}

__attribute__((noinline, cold)) struct crerender_running *crerender_add_running(struct crerender_running_list *calls) {
    if (calls->capacity == CRERENDER_MOST_RUNNING) {
        // Such a one goes on to use its memory.
        for (give_back(calls); calls->innermost->drop && !calls->innermost->is_beginning;)
            crerender_drop(calls->innermost);
        return calls->innermost->inner;
    }
    struct crerender_running *call = calloc(1, sizeof *call + CRERENDER_RUNNING_BYTES);
    if (!call) return NULL;
    call->outer = calls->innermost;
    calls->innermost->inner = call;
    calls->capacity++;
    return call;
}

/// Of more calls in each other, the outer ones are not looked at before the inner ones have ended.
enum { MOST_LOOKS = 4 };

// Whether a call was surely left, seen from the frame of a function that runs. Stacks grow down: a function that called this one has a
// higher frame. What lies above can be read, whatever it is by now. A sanitizer must not look: it may be a red zone.
static __attribute__((noinline, no_sanitize("address", "thread", "memory"))) bool
is_left(const struct crerender_running *call, const uintptr_t *frame) {
    return call->frame < frame || call->mark->number != call->number || call->frame[1] != call->return_address;
}

struct crerender_running *crerender_begin_running(struct crerender_running_mark *mark, const uintptr_t *frame,
                                                  void (*drop)(void *memory)) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (!calls && !(calls = crerender_make_running_list())) return NULL;
    // One that was left may have had its mark here.
    mark->number = 0;
    crerender_drop_left_at(calls, frame);
    struct crerender_running *call = calls->innermost->inner;
    if (!call && !(call = crerender_add_running(calls))) return NULL;
    bool is_own = (uintptr_t)frame - calls->low < calls->size;
    call->mark = mark;
    call->frame = is_own ? frame : NULL;
    call->return_address = is_own ? frame[1] : 0;
    call->drop = drop;
    call->ready_for = NULL;
    mark->number = call->number = ++calls->number;
    calls->innermost = call;
    return call;
}

/// What calls in each other may take of a stack that is small: in a debug build, each keeps 8 KiB and more.
enum { SMALL_STACK = 16 << 20, MOST_OF_SMALL_STACK = 2 << 20 };

// How much of the stack lies between the outermost call and a frame; 0 where that is not known.
static uintptr_t used_by_calls(const struct crerender_running_list *calls, const uintptr_t *frame) {
    if (calls->innermost == &calls->outermost) return 0;
    const uintptr_t *first = calls->outermost.inner->frame;
    return first && first > frame ? (uintptr_t)first - (uintptr_t)frame : 0;
}

bool crerender_is_deep(struct crerender_running_mark *mark, const uintptr_t *frame) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (!calls && !(calls = crerender_make_running_list())) return false;
    uintptr_t left = (uintptr_t)frame - calls->low;
    // Nothing is known of another stack.
    if (left >= calls->size) return false;
    if (left < calls->size / 4) return true;
    if (calls->size > SMALL_STACK || used_by_calls(calls, frame) <= MOST_OF_SMALL_STACK) return false;
    // The outermost ones may have been left.
    mark->number = 0;
    crerender_drop_left_at(calls, frame);
    return used_by_calls(calls, frame) > MOST_OF_SMALL_STACK;
}

bool crerender_is_running_outside(const struct crerender_running *call, const struct crerender_running_mark *mark) {
    const struct crerender_running_list *calls = crerender_running_slot;
    if (!calls) return false;
    // The memory may be of a thread that has ended.
    const struct crerender_running *own = calls->innermost;
    while (own != &calls->outermost && own != call) own = own->outer;
    return own == call && call->number == mark->number;
}

void crerender_drop_left_at(struct crerender_running_list *calls, const uintptr_t *frame) {
    give_back(calls);
    if ((uintptr_t)frame - calls->low >= calls->size) return;
    struct crerender_running *call = calls->innermost, *outer;
    for (int looks = 0; call != &calls->outermost && looks < MOST_LOOKS; call = outer, looks++) {
        outer = call->outer;
        // Of calls on other stacks, as those of coroutines, nothing is known.
        if (!call->number || !call->frame || !is_left(call, frame)) continue;
        crerender_drop(call);
        looks = -1;
    }
}

void crerender_drop(struct crerender_running *call) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (!calls || !call->number) return;
    void (*drop)(void *) = call->drop;
    // Its mark is gone: what runs while it is dropped has it around, and must not drop it again.
    call->frame = NULL;
    call->drop = NULL;
    call->is_beginning = false;
    call->ready_for = NULL;
    call->number = ++calls->number;
    if (drop) drop(crerender_memory(call));
    call->number = 0;
    give_back(calls);
}

void crerender_drop_inside(struct crerender_running *call) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (!calls || !call->frame) return;
    for (struct crerender_running *inner = calls->innermost, *outer; inner != call; inner = outer) {
        outer = inner->outer;
        // Another stack's goes on, and ends later than what it began in.
        if (inner->frame) crerender_drop(inner);
    }
}

void crerender_end_outer(struct crerender_running *call) {
    crerender_drop_inside(call);
    call->number = 0;
    give_back(crerender_running_slot);
}

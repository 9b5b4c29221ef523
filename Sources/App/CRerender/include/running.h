// SPDX-License-Identifier: MIT
// The calls of ours that run on a thread: evaluations, handlers, and bodies whose reads are listed.
//
// A program may leave such a call by longjmp, by a C++ exception or by the end of its thread. It returns to none of them then, and what lay on
// the stack is the memory of others. So what a call needs lies in memory of its thread, and the stack has nothing but a mark, which shows
// whether the call still runs.
#ifndef CRERENDER_RUNNING_H
#define CRERENDER_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

enum {
    /// The memory of a call.
    CRERENDER_RUNNING_BYTES = 1024,
    /// Where a thread has more calls in each other, the library drops them, up to one that begins or whose `drop` is null.
    CRERENDER_MOST_RUNNING = 4096,
};

struct crerender_running_list;

/// What a call has on the stack of its thread, for as long as it runs: its number.
struct crerender_running_mark {
    uint64_t number;
};

/// A call that runs, or ran, on a thread. Its memory stays until the thread ends.
struct crerender_running {
    /// Of the latest call that had it; 0 of one that ended before a call in it. No two calls of a process have the same.
    uint64_t number;
    const struct crerender_running_mark *_Nullable mark;
    /// The frame of a function that runs as long as the call, and its return address, which never changes while it does. Null on another
    /// stack than the thread's own, and of a call that is dropped.
    const uintptr_t *_Nullable frame;
    uintptr_t return_address;
    struct crerender_running *_Nullable outer, *_Nullable inner;
    /// Takes back what the call has begun: it was left; null while it ends or is dropped, and while it lets
    /// go of what its memory kept.
    void (*_Nullable drop)(void *memory);
    /// An object that is kept until another one takes its place here, or the thread ends; with who lets go of it.
    void *_Nullable kept;
    void (*_Nullable release)(void *kept);
    /// The object whose memory this is, in the state that its next call needs; null where another call has had it since.
    const void *_Nullable ready_for;
    /// Whether the call begins and may run the app's code for that. It may be left meanwhile, but is not dropped to make room.
    bool is_beginning;
    /// What is read in the call. It is nothing else in a later one: Observation may still write here then.
    uintptr_t reads[3];
} __attribute__((aligned(16)));

/// The memory of a call for what it is.
static inline void *crerender_memory(struct crerender_running *call) { return call + 1; }
static inline void *crerender_reads(struct crerender_running *call) { return call->reads; }
/// The call of its memory.
static inline struct crerender_running *crerender_running_of(void *memory) {
    return (struct crerender_running *)memory - 1;
}

/// The calls of a thread.
struct crerender_running_list {
    struct crerender_running *innermost;
    /// The number of the latest call. Each list begins with another one.
    uint64_t number;
    /// The thread's own stack, and its upper three quarters, in which calls begin without a further look at it.
    uintptr_t low, size, easy_low, easy_size;
    /// For how many there is memory.
    uint32_t capacity;
    /// Stands for what is around all calls; one in it has memory from the beginning.
    struct crerender_running outermost;
};

extern _Thread_local struct crerender_running_list *_Nullable crerender_running_slot;

/// Makes the list of this thread; returns null where the system has no memory, or no key that tells of the thread's end.
struct crerender_running_list *_Nullable crerender_make_running_list(void);
/// Allocates memory for the calls in the innermost call; returns null where the system has no memory, and where the innermost of
/// `CRERENDER_MOST_RUNNING` calls is one that begins or whose `drop` is null.
struct crerender_running *_Nullable crerender_add_running(struct crerender_running_list *calls);
/// Drops the calls that were left, seen from the frame of a function that runs.
void crerender_drop_left_at(struct crerender_running_list *calls, const uintptr_t *frame);
/// Drops the calls in a call that are on the thread's own stack, as it is; and that one, too.
void crerender_drop_inside(struct crerender_running *call);
void crerender_drop(struct crerender_running *call);
/// Gives the memory of a call back that others are in, or in that has ended.
void crerender_end_outer(struct crerender_running *call);

/// Drops what was left. It is cheap where nothing runs.
static inline __attribute__((always_inline)) void crerender_drop_left(void) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (calls && calls->innermost != &calls->outermost) crerender_drop_left_at(calls, __builtin_frame_address(0));
}

/// Begins a call where none runs, in memory that is ready for an object; null elsewhere. `frame` is that of a function that runs as long.
static inline __attribute__((always_inline)) struct crerender_running *_Nullable crerender_begin_first(
    struct crerender_running_mark *mark, const uintptr_t *frame, const void *object, void (*drop)(void *memory)) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (__builtin_expect(!calls || calls->innermost != &calls->outermost, 0)) return NULL;
    struct crerender_running *call = calls->outermost.inner;
    if (__builtin_expect(call->ready_for != object, 0)) return NULL;
    if (__builtin_expect((uintptr_t)frame - calls->easy_low >= calls->easy_size, 0)) return NULL;
    call->mark = mark;
    call->frame = frame;
    call->return_address = frame[1];
    call->drop = drop;
    mark->number = call->number = ++calls->number;
    calls->innermost = call;
    return call;
}

/// Whether so much of the thread's stack is used that a call in it must take as little as it can: less than a quarter is left, or the calls
/// that run have taken 2 MiB of a small one. `mark` is memory of a call that has not begun.
bool crerender_is_deep(struct crerender_running_mark *mark, const uintptr_t *frame);

/// Begins a call; null where that is not possible.
struct crerender_running *_Nullable crerender_begin_running(struct crerender_running_mark *mark, const uintptr_t *frame,
                                                            void (*drop)(void *memory));

static inline __attribute__((always_inline)) const uintptr_t *crerender_own_frame(void) {
    return __builtin_frame_address(0);
}
/// The frame of the function that called this one. Both keep frame pointers, as Swift's do.
static inline __attribute__((always_inline)) const uintptr_t *crerender_callers_frame(void) {
    return *(const uintptr_t **)__builtin_frame_address(0);
}

/// Whether the call of a mark still runs, on this thread; it is false of one that was taken for left.
bool crerender_is_running_outside(const struct crerender_running *call, const struct crerender_running_mark *mark);
static inline __attribute__((always_inline)) bool crerender_is_running(const struct crerender_running *call,
                                                                       const struct crerender_running_mark *mark) {
    const struct crerender_running_list *calls = crerender_running_slot;
    if (__builtin_expect(!calls || calls->innermost != call, 0)) return crerender_is_running_outside(call, mark);
    return call->number == mark->number;
}

/// Says that a call ends, and drops those in it; false if it does not run.
static inline __attribute__((always_inline)) bool crerender_begin_ending(struct crerender_running *call,
                                                                         const struct crerender_running_mark *mark) {
    if (__builtin_expect(!crerender_is_running(call, mark), 0)) return false;
    if (__builtin_expect(crerender_running_slot->innermost != call, 0)) crerender_drop_inside(call);
    call->drop = NULL;
    return true;
}

/// Gives the memory of a call back that `crerender_begin_ending` was true of. Calls that it runs meanwhile have memory of their own.
static inline __attribute__((always_inline)) void crerender_has_ended(struct crerender_running *call) {
    struct crerender_running_list *calls = crerender_running_slot;
    if (__builtin_expect(calls->innermost != call, 0)) return crerender_end_outer(call);
    calls->innermost = call->outer;
}

#pragma GCC visibility pop
#pragma clang assume_nonnull end
#endif

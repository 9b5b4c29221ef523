// SPDX-License-Identifier: MIT
// Counts timers and blocks of CoreFoundation's run loops, from when they are made: also those that Foundation makes for Swift code,
// since it calls its own functions as any file does. CoreFoundation is not linked.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"
#include "CRerender.h"
#include "loop_parts.h"

#include <string.h>
#include <unistd.h>

static const char foundation_file[] = "libFoundation.so";

// CFAbsoluteTime and CFTimeInterval are double, CFOptionFlags is unsigned long, CFIndex long.
typedef void (*timer_function)(void *timer, void *info);
typedef void *(*create_timer_function)(const void *allocator, double date, double interval, unsigned long flags,
                                       long order, timer_function function, void *context);
static create_timer_function create_timer;
static double (*interval_of_timer)(void *timer);

static bool is_loop_thread(void) { return crerender_this_thread() == getpid(); }

/// Runs a function of a row, on the main thread as a piece of the loop's work.
struct call {
    uint32_t row;
    enum crerender_part around;
    struct row_around outer;
    uint64_t began;
    bool is_here;
};

static struct call begin(struct row_key *key, uintptr_t place) {
    struct call call = {.is_here = is_loop_thread(), .began = crerender_now()};
    if (!call.is_here) key->thread = row_thread_name();
    call.row = row_of(key);
    if (!call.is_here) return call;
    call.around = crerender_account_enter(CRERENDER_PART_SOURCES, call.began);
    call.outer = row_begins(call.row, place);
    return call;
}

static void end(const struct call *call) {
    uint64_t ended = crerender_now();
    if (!call->is_here) return row_add_elsewhere(call->row, ended - call->began);
    row_ends(call->outer);
    crerender_account_leave(call->around, ended);
    crerender_row_add(call->row, crerender_account_piece());
    crerender_account_dispatched(row_of_one(call->row));
}

// MARK: Timers

/// Functions of timers, each with one that stands in for it. Foundation has one for all of its timers. Further ones are not counted.
enum { TIMERS = 16 };
static timer_function timer_functions[TIMERS];

__attribute__((noinline)) static void timer_fired(uint32_t which, void *timer, void *info) {
    timer_function function = __atomic_load_n(&timer_functions[which], __ATOMIC_ACQUIRE);
    if (crerender_is_silent()) return function(timer, info);
    double seconds = interval_of_timer ? interval_of_timer(timer) : 0;
    uint64_t interval = seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e6 + 0.5) * 1000 : 0;
    struct row_key key = {.kind = ROW_RUN_LOOP, .function = (uintptr_t)function, .variant = interval, .name = "timer"};
    struct call call = begin(&key, (uintptr_t)__builtin_frame_address(0));
    function(timer, info);
    if (interval && call.is_here) row_interval(call.row, interval);
    end(&call);
}

#define FIRED(which) \
    static void fired_##which(void *timer, void *info) { timer_fired(which, timer, info); }
FIRED(0)
FIRED(1)
FIRED(2)
FIRED(3)
FIRED(4)
FIRED(5)
FIRED(6)
FIRED(7)
FIRED(8)
FIRED(9)
FIRED(10)
FIRED(11)
FIRED(12)
FIRED(13)
FIRED(14)
FIRED(15)
static const timer_function fired[TIMERS] = {fired_0,  fired_1,  fired_2,  fired_3, fired_4,  fired_5,
                                             fired_6,  fired_7,  fired_8,  fired_9, fired_10, fired_11,
                                             fired_12, fired_13, fired_14, fired_15};

/// What stands in for a function; that itself where there is no more room. Any thread.
static timer_function stand_in(timer_function function) {
    for (uint32_t which = 0; which < TIMERS; which++) {
        timer_function known = __atomic_load_n(&timer_functions[which], __ATOMIC_ACQUIRE);
        if (!known && __atomic_compare_exchange_n(&timer_functions[which], &known, function, false, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE))
            return fired[which];
        if (known == function) return fired[which];
    }
    return function;
}

static void *timer_created(const void *allocator, double date, double interval, unsigned long flags, long order,
                           timer_function function, void *context) {
    timer_function called = function && !crerender_is_silent() ? stand_in(function) : function;
    return create_timer(allocator, date, interval, flags, order, called, context);
}

// MARK: Blocks

static void (*perform_block)(void *loop, const void *mode, const void *block);

static struct loaded_code foundation_code;

/// The function that a block runs. Foundation makes a block of a closure of Swift's, which it calls: the closure's function is the first
/// thing that the block has.
static uintptr_t function_of(const struct block *block) {
    uintptr_t invoke = (uintptr_t)block->invoke, closure = 0;
    if (!is_in_code(foundation_code, invoke) || !block->descriptor) return invoke;
    if (block->descriptor->size < offsetof(struct block, inner) + 2 * sizeof closure) return invoke;
    memcpy(&closure, &block->inner, sizeof closure);
    return closure ? closure : invoke;
}

__attribute__((noinline)) static void run_block(void *outer) {
    struct block *inner = ((struct block *)outer)->inner;
    if (crerender_is_silent()) return inner->invoke(inner);
    struct row_key key = {.kind = ROW_RUN_LOOP, .function = function_of(inner), .name = "block"};
    struct call call = begin(&key, (uintptr_t)__builtin_frame_address(0));
    inner->invoke(inner);
    end(&call);
}

static void block_performed(void *loop, const void *mode, struct block *block) {
    if (!block || crerender_is_silent()) return perform_block(loop, mode, block);
    // CoreFoundation copies it, and with it the block that it calls.
    struct block outer = block_around(block, run_block, NULL);
    perform_block(loop, mode, &outer);
}

// MARK: Hooks

static struct loaded_import foundation_imports[] = {{.name = "CFRunLoopTimerCreate"},
                                                    {.name = "CFRunLoopPerformBlock"}};
static struct loaded_imports all_imports = {.imports = foundation_imports, .count = 2};

static void *symbol(const char *file, const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, file, name);
}

void crerender_hook_run_loops(void) {
    if (crerender_is_silent() || !crerender_thread_may_wait_for_loader()) return;
    if (!create_timer) {
        *(void **)&interval_of_timer = symbol(foundation_file, "CFRunLoopTimerGetInterval");
        *(void **)&perform_block = symbol(foundation_file, "CFRunLoopPerformBlock");
        *(void **)&create_timer = symbol(foundation_file, "CFRunLoopTimerCreate");
        if (!create_timer) return;
        foundation_code = loaded_code_around((uintptr_t)create_timer);
        bool has_blocks = perform_block && blocks_are_found();
        foundation_imports[0].original = (void *)create_timer;
        foundation_imports[0].replacement = (void *)timer_created;
        foundation_imports[1].original = has_blocks ? (void *)perform_block : NULL;
        foundation_imports[1].replacement = (void *)block_performed;
    }
    loaded_imports_replace(&all_imports);
}

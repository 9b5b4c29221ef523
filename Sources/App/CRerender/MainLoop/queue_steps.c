// SPDX-License-Identifier: MIT
// Stands in for functions that put blocks, and jobs of Swift's tasks, on queues. What a step puts there is wrapped: while it runs, its
// thread knows that step. libdispatch is not linked.
//
// A timer ends a series of rounds, so `dispatch_after` and sources of libdispatch's stay as they are.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"

#include "CRerender.h"
#include "loop_parts.h"

#include <stdlib.h>

static const char dispatch_file[] = "libdispatch.so";
static const char tasks_file[] = "libswift_Concurrency.so";

// Swift's stable ABI.
extern void swift_release(void *);

static crerender_leading_step leading_step;

// MARK: What runs

/// The step that led to what a thread runs, and where on its stack the function is that calls that.
struct led {
    void *step;
    uintptr_t place;
};
static _Thread_local struct led led;

// Stacks grow down: what is not above was left by a jump or an exception, or is on another stack, and is not around this one.
static struct led led_around(uintptr_t place) { return led.place > place ? led : (struct led){NULL, 0}; }

void *crerender_queue_step(void) { return led_around((uintptr_t)__builtin_frame_address(0)).step; }

void crerender_end_queue_step(void) { led.step = NULL; }

__attribute__((noinline)) void crerender_run_led(void *step, void (*run)(void *context), void *context) {
    uintptr_t place = (uintptr_t)__builtin_frame_address(0);
    struct led around = led_around(place);
    led = (struct led){step, place};
    run(context);
    led = around;
}

/// The step that runs now; NULL where none does.
static void *step_over(int passage) { return crerender_is_silent() ? NULL : (void *)leading_step(passage); }

// MARK: Functions of libdispatch

typedef void async_function(void *queue, const void *block);
typedef void group_async_function(void *group, void *queue, const void *block);
typedef void async_f_function(void *queue, void *context, void (*function)(void *context));

enum { ASYNC, BARRIER_ASYNC, GROUP_ASYNC, JOB_ASYNC, FUNCTIONS };
static struct loaded_import imports[FUNCTIONS];
static struct loaded_imports all = {.imports = imports, .count = FUNCTIONS};

// MARK: Blocks

static struct loaded_code dispatch_code;

// Its name tells those who name writers that it is ours.
static void crerender_run_queued_block(void *block) {
    struct block *outer = block;
    crerender_run_led(outer->object, outer->inner->invoke, outer->inner);
}

/// The block that stands in for one that a step puts on a queue; without an object where no step does.
///
/// One of libdispatch's own, as a DispatchWorkItem has, stays as it is: libdispatch knows it by its function, and looks at its flags.
static struct block led_block(struct block *block) {
    bool is_hosts = block && !is_in_code(dispatch_code, (uintptr_t)block->invoke);
    void *step = is_hosts ? step_over(CRERENDER_OVER_QUEUE) : NULL;
    return step ? block_around(block, crerender_run_queued_block, step) : (struct block){0};
}

// libdispatch copies what it is given before it returns, and releases the copy after the call, on the same thread: with it go the
// host's block and the step.
static void put(int function, void *queue, struct block *block) {
    async_function *original = (async_function *)imports[function].original;
    struct block outer = led_block(block);
    if (!outer.object) return original(queue, block);
    original(queue, &outer);
    swift_release(outer.object);
}

static void async(void *queue, struct block *block) { put(ASYNC, queue, block); }
static void barrier_async(void *queue, struct block *block) { put(BARRIER_ASYNC, queue, block); }

static void group_async(void *group, void *queue, struct block *block) {
    group_async_function *original = (group_async_function *)imports[GROUP_ASYNC].original;
    struct block outer = led_block(block);
    if (!outer.object) return original(group, queue, block);
    original(group, queue, &outer);
    swift_release(outer.object);
}

// MARK: Jobs

/// A job that a step put on a queue, and the function that runs it.
struct led_job {
    void *job, *step;
    void (*run)(void *job);
};

/// The flags of a job. Proof: the first argument and the result of a function of Swift are where those of C are; the lowest byte, which
/// is 0 of a task, is part of Swift's ABI.
static size_t (*flags_of_job)(void *job);
enum { JOB_KIND = 0xff, JOB_TASK = 0 };

/// Whether a job is a task. One of an actor runs what others have put there, too.
static bool is_task(void *job) {
    __typeof__(flags_of_job) flags = __atomic_load_n(&flags_of_job, __ATOMIC_ACQUIRE);
    return flags && (flags(job) & JOB_KIND) == JOB_TASK;
}

static void crerender_run_queued_job(void *context) {
    struct led_job led_job = *(struct led_job *)context;
    free(context);
    crerender_run_led(led_job.step, led_job.run, led_job.job);
    swift_release(led_job.step);
}

// Swift's runtime gives each job to a queue by this function: that of the main actor, too, for which its hooks are not called. A task runs
// up to where it waits. What wakes it later puts it on a queue again, and is a step or none.
static void job_async(void *queue, void *job, void (*run)(void *job)) {
    async_f_function *original = (async_f_function *)imports[JOB_ASYNC].original;
    void *step = is_task(job) ? step_over(CRERENDER_OVER_TASK) : NULL;
    if (!step) return original(queue, job, run);
    struct led_job *led_job = malloc(sizeof *led_job);
    if (!led_job) {
        swift_release(step);
        return original(queue, job, run);
    }
    *led_job = (struct led_job){job, step, run};
    original(queue, led_job, crerender_run_queued_job);
}

// MARK: Hooks

static void *symbol(const char *file, const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, file, name);
}

static bool find_functions(void) {
    static const struct loaded_import functions[FUNCTIONS] = {
        {.name = "dispatch_async", .replacement = (void *)async, .but = dispatch_file},
        {.name = "dispatch_barrier_async", .replacement = (void *)barrier_async, .but = dispatch_file},
        {.name = "dispatch_group_async", .replacement = (void *)group_async, .but = dispatch_file},
        {.name = "dispatch_async_f", .replacement = (void *)job_async, .only = tasks_file},
    };
    if (imports[JOB_ASYNC].original) return true;
    void *async_f = symbol(dispatch_file, functions[JOB_ASYNC].name);
    if (!async_f) return false;
    dispatch_code = loaded_code_around((uintptr_t)async_f);
    // Without it, blocks of libdispatch's own could not be told from the host's.
    bool has_blocks = dispatch_code.high && blocks_are_found();
    for (int function = 0; function < FUNCTIONS; function++) {
        imports[function] = functions[function];
        if (has_blocks) imports[function].original = symbol(dispatch_file, functions[function].name);
    }
    imports[JOB_ASYNC].original = async_f;
    return true;
}

void crerender_hook_queues(crerender_leading_step leading) {
    if (crerender_is_silent() || !crerender_thread_may_wait_for_loader()) return;
    leading_step = leading;
    if (!find_functions()) return;
    void *flags = flags_of_job ? NULL : symbol(tasks_file, "swift_task_getJobFlags");
    if (flags) __atomic_store_n((void **)&flags_of_job, flags, __ATOMIC_RELEASE);
    loaded_imports_replace(&all);
}

// Makes blocks that stand in for others.

// Swift's stable ABI.
extern void *swift_retain(void *);
extern void swift_release(void *);

static const char blocks_file[] = "libBlocksRuntime.so";
enum { BLOCK_HAS_COPY_DISPOSE = 1 << 25 };

static void *(*copy_block)(const void *block);
static void (*release_block)(const void *block);
static void *stack_block;

static void *blocks_symbol(const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, blocks_file, name);
}

bool blocks_are_found(void) {
    if (stack_block) return true;
    *(void **)&copy_block = blocks_symbol("_Block_copy");
    *(void **)&release_block = blocks_symbol("_Block_release");
    if (copy_block && release_block) stack_block = blocks_symbol("_NSConcreteStackBlock");
    return stack_block;
}

// The runtime has copied the bytes.
static void copied(void *to, const void *from) {
    ((struct block *)to)->inner = copy_block(((const struct block *)from)->inner);
    if (((const struct block *)from)->object) swift_retain(((const struct block *)from)->object);
}

static void disposed(const void *block) {
    release_block(((const struct block *)block)->inner);
    if (((const struct block *)block)->object) swift_release(((const struct block *)block)->object);
}

struct block block_around(struct block *inner, void (*invoke)(void *block), void *object) {
    static const struct block_descriptor descriptor = {0, sizeof(struct block), copied, disposed};
    return (struct block){stack_block, BLOCK_HAS_COPY_DISPOSE, 0, invoke, &descriptor, inner, object};
}

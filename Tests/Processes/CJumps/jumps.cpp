// SPDX-License-Identifier: MIT
#include "CJumps.h"

#include <csetjmp>
#include <cstdlib>
#include <pthread.h>
#include <ucontext.h>

static thread_local std::jmp_buf *outside;

static bool catch_jump(void (*body)(void *), void *context) {
    std::jmp_buf here, *before = outside;
    outside = &here;
    bool was_left = setjmp(here) != 0;
    if (!was_left) body(context);
    outside = before;
    return was_left;
}

static bool catch_exception(void (*body)(void *), void *context) {
    try {
        body(context);
        return false;
    } catch (int) {
        return true;
    }
}

bool cjumps_catch(enum cjumps_kind kind, void (*body)(void *), void *context) {
    return kind == CJUMPS_LONGJMP ? catch_jump(body, context) : catch_exception(body, context);
}

void cjumps_leave(enum cjumps_kind kind) {
    if (kind == CJUMPS_LONGJMP) std::longjmp(*outside, 1);
    throw 1;
}

static ucontext_t caller, coroutines[2];
static bool has_ended[2];
static int running;
static void (*interleaved)(void *context, int number);
static void *interleaved_context;

static void run_coroutine(void) {
    interleaved(interleaved_context, running);
    has_ended[running] = true;
}

void cjumps_interleave(void (*body)(void *context, int number), void *context) {
    const size_t size = 256 << 10;
    interleaved = body;
    interleaved_context = context;
    void *stacks[2];
    for (int number = 0; number < 2; number++) {
        has_ended[number] = false;
        getcontext(&coroutines[number]);
        stacks[number] = std::malloc(size);
        coroutines[number].uc_stack.ss_sp = stacks[number];
        coroutines[number].uc_stack.ss_size = size;
        coroutines[number].uc_link = &caller;
        makecontext(&coroutines[number], run_coroutine, 0);
    }
    while (!has_ended[0] || !has_ended[1])
        for (running = 0; running < 2; running++)
            if (!has_ended[running]) swapcontext(&caller, &coroutines[running]);
    for (int number = 0; number < 2; number++) std::free(stacks[number]);
}

void cjumps_yield(void) { swapcontext(&coroutines[running], &caller); }

struct thread {
    void (*body)(void *context, int number);
    void *context;
    int number;
};

static void *run_thread(void *context) {
    struct thread *thread = (struct thread *)context;
    thread->body(thread->context, thread->number);
    return nullptr;
}

void cjumps_threads(void (*body)(void *context, int number), void *context, unsigned long stack) {
    pthread_t threads[2];
    struct thread what[2] = {{body, context, 0}, {body, context, 1}};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    for (int number = 0; number < 2; number++) pthread_create(&threads[number], &attributes, run_thread, &what[number]);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], nullptr);
}

void cjumps_overwrite(int kilobytes) {
    volatile unsigned char memory[1024];
    for (unsigned index = 0; index < sizeof memory; index++) memory[index] = 0xAA;
    if (kilobytes > 1) cjumps_overwrite(kilobytes - 1);
    memory[0] = 0;
}

// SPDX-License-Identifier: MIT
// Walks along the frame pointers of the current thread's stack. The walk never leaves that stack.
#define _GNU_SOURCE
#include "CDescriptors.h"
#include "CRerender.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

/// What a frame pointer points at: the caller's frame pointer and, above it, the address to return to.
struct frame {
    uintptr_t caller;
    uintptr_t return_address;
};

/// This thread's stack; `high` is 0 until it is known, and `low` above `high` where it cannot be.
static _Thread_local struct { uintptr_t low, high; } stack;

/// Swift marks the frame pointers of asynchronous functions with this bit.
static const uintptr_t async_mark = (uintptr_t)1 << 60;

struct search {
    pthread_t thread;
    uintptr_t low, high;
};

static void ask_for_stack(void *context) {
    struct search *search = context;
    pthread_attr_t attributes;
    if (pthread_getattr_np(search->thread, &attributes) != 0) return;
    void *low;
    size_t size;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
        search->low = (uintptr_t)low;
        search->high = (uintptr_t)low + size;
    }
    pthread_attr_destroy(&attributes);
}

static __attribute__((noinline, cold)) void find_stack(void) {
    struct search search = {pthread_self(), UINTPTR_MAX, 1};
    int saved_errno = errno;
    // Of the first thread the C library reads a file.
    if (crerender_this_thread() != getpid())
        ask_for_stack(&search);
    else
        cdescriptors_run(ask_for_stack, &search);
    stack.low = search.low;
    stack.high = search.high;
    errno = saved_errno;
}

// A thread that runs on memory of its own (a coroutine's) is outside the bounds: the walk ends where it begins. Code
// without frame pointers may leave anything in the register: whatever lies in bounds above the last frame is memory of
// this stack in use, so reading it is safe and gives, at worst, a number that no function's name belongs to.
__attribute__((noinline, no_sanitize("address", "thread"))) uint32_t crerender_callers(uintptr_t *addresses,
                                                                                       uint32_t capacity) {
    if (__builtin_expect(stack.high == 0, 0)) find_stack();
    uintptr_t at = (uintptr_t)__builtin_frame_address(0), low = stack.low, limit = stack.high - sizeof(struct frame);
    uint32_t count = 0;
    if (at < low) return 0;
    while (count < capacity && at <= limit && at % sizeof(uintptr_t) == 0) {
        const struct frame *frame = (const struct frame *)at;
        if (frame->return_address == 0) break;
        addresses[count++] = csymbols_unsigned(frame->return_address);
        uintptr_t next = frame->caller & ~async_mark;
        if (next <= at) break;
        at = next;
    }
    return count;
}

bool crerender_stack_bounds(uintptr_t *low, uintptr_t *high) {
    if (stack.high == 0) find_stack();
    *low = stack.low;
    *high = stack.high;
    return stack.low < stack.high;
}

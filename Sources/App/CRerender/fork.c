// SPDX-License-Identifier: MIT
// Switches everything off in the child of a fork. The child has the parent's memory, but none of its threads.
#include "CRerender.h"

#include <pthread.h>
#include <sys/mman.h>

_Thread_local void *crerender_frame_slot;
volatile int crerender_forked;
static void *volatile fork_page;
static volatile size_t fork_page_size;

// Runs in the child between fork and its first instruction: only async-signal-safe calls, no locks.
static void in_child(void) {
    crerender_forked = 1;
    // Shared memory survives a fork: whatever the child still counts or resets would falsify its parent.
    void *page = fork_page;
    if (page) mmap(page, fork_page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void crerender_watch_fork(void) { pthread_atfork(NULL, NULL, in_child); }

void crerender_set_fork_page(void *memory, size_t size) {
    fork_page_size = size;
    fork_page = memory;
}

// SPDX-License-Identifier: MIT
// A fork without exec leaves a child with our memory and without our threads; it must stay silent.
#include "CRerender.h"

#include <pthread.h>
#include <unistd.h>

_Thread_local void *crerender_frame_slot;
volatile int crerender_forked;
static volatile int fork_closes = -1;

// Runs in the child between fork and its first instruction: only async-signal-safe calls, no locks.
static void in_child(void) {
    crerender_forked = 1;
    int descriptor = fork_closes;
    if (descriptor >= 0) close(descriptor);
}

void crerender_watch_fork(void) { pthread_atfork(NULL, NULL, in_child); }

void crerender_set_fork_closes(int descriptor) { fork_closes = descriptor; }

// SPDX-License-Identifier: MIT
// liblttng-ust, once it is loaded, and whether the threads that it has started are there.
#ifndef CSIGNPOST_LIBRARY_H
#define CSIGNPOST_LIBRARY_H

#include "CSignpost.h"
#include "lttng_abi.h"

#include <signal.h>

#pragma GCC visibility push(hidden)

/// What is called in liblttng-ust. Complete before the first provider is registered, constant afterwards.
struct cs_library {
    void *(*register_probe)(const struct cs_probe_desc *);
    int (*register_tracepoints)(struct cs_tracepoint *const *, int count);
    void (*read_lock)(void);
    void (*read_unlock)(void);
    // Optional, for registry.c.
    int (*read_ongoing)(void);
    void (*before_fork)(sigset_t *);
    void (*after_fork_parent)(sigset_t *);
    void (*rcu_before_fork)(void);
    void (*rcu_after_fork_child)(void);
};
extern struct cs_library cs_library;

/// Loads it. Takes up to the time that LTTng waits for a session daemon, and blocks the thread as long.
void cs_library_load(void);

/// Whether cs_library may be used, is being loaded, or cannot be.
int cs_library_state(void);

/// Monotonic time in milliseconds.
int64_t cs_now_ms(void);

/// Fills in what is known of the library.
void cs_library_describe(struct csignpost_status *status);

/// Has a forked child leave out the end of threads that it does not have. For liblttng-ust, once it is loaded.
void cs_threads_watch(void *library);

/// Called in a forked child.
void cs_threads_note_fork(void);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Whether the threads that LTTng has started are there.
#ifndef CSIGNPOST_THREADS_H
#define CSIGNPOST_THREADS_H

#pragma GCC visibility push(hidden)

/// Has a forked child leave out the end of threads that it does not have. For liblttng-ust, once it is loaded.
void cs_threads_watch(void *library);

/// Called in a forked child.
void cs_threads_note_fork(void);

#pragma GCC visibility pop

#endif

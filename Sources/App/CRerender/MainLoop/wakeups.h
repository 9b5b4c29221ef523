// SPDX-License-Identifier: MIT
// Counts who wakes the main loop from another thread.
#ifndef CRERENDER_WAKEUPS_H
#define CRERENDER_WAKEUPS_H

#pragma GCC visibility push(hidden)

/// What stands in for `original`, which is `g_main_context_wakeup`, and counts its calls for a context, the default one. One caller at a
/// time, before it is called.
void *wakeups_begin(void *original, void *context);

#pragma GCC visibility pop

#endif

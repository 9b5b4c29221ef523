// SPDX-License-Identifier: MIT
// How the preloaded library begins in a program that runs already.

#ifndef PRELOAD_H
#define PRELOAD_H

#include <stdbool.h>

/// False where it has begun, also with the program, and where the program has other rights than its user's.
bool preload_may_begin_late(void);

/// Begins, on the main thread, and loads the rest on a thread of ours.
void preload_begin_late(void);

#endif

// SPDX-License-Identifier: MIT
// Counts who wakes the main loop from another thread, and who turns it without waiting.
#ifndef CRERENDER_WAKEUPS_H
#define CRERENDER_WAKEUPS_H

#include "../Loaded/loaded_imports.h"

#pragma GCC visibility push(hidden)

enum { WAKEUPS = 6 };

/// Fills in so many imports, of functions that `symbol` finds: those that stand in for them count calls for a context, the default one. One
/// caller at a time, before they are called.
void wakeups_begin(struct loaded_import *imports, void *(*symbol)(const char *name), void *context);

#pragma GCC visibility pop

#endif

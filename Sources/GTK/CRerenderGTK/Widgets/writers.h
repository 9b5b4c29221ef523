// SPDX-License-Identifier: MIT
// Finds the program's code on the stack of a call that reached GTK.
#ifndef CRERENDER_GTK_WRITERS_H
#define CRERENDER_GTK_WRITERS_H

#include <stdint.h>

/// The address to which the innermost function returns that is neither of GTK and what it stands on, nor of a language's binding.
///
/// Some microseconds: GTK is unwound by its tables. Not in a signal handler.
///
/// - Returns: 0 where there is none up to the main loop, or within 48 functions.
uintptr_t writers_find(void);

#endif

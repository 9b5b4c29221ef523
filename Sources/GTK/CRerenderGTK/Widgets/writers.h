// SPDX-License-Identifier: MIT
// Finds the program's code on the stack of a call that reached GTK.
#ifndef CRERENDER_GTK_WRITERS_H
#define CRERENDER_GTK_WRITERS_H

#include "records.h"

#ifdef RERENDER_GTK

/// Says who makes a change now: the innermost function that is neither of GTK and what it stands on, nor of a language's binding, by the
/// address to which it returns; and what of the main loop called it.
///
/// Some microseconds: GTK is unwound by its tables. Not in a signal handler.
///
/// - Parameter writer: That address, where it is known; 0 for looking for it.
/// - Returns: Without a writer where there is none up to the main loop, or within 48 functions.
struct origin writers_origin(uintptr_t writer);

#endif
#endif

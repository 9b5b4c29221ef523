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
/// - Parameter writer: The address to which a replaced function returns; 0 for looking for the function that makes the change.
/// - Returns: Without a writer where there is none up to the main loop, or within 48 functions.
struct origin writers_origin(uintptr_t writer);

/// The same for a replaced function alone, by the address to which it returns: GObject calls it where a program connected it to a signal.
uintptr_t writers_caller(uintptr_t address);

#endif
#endif

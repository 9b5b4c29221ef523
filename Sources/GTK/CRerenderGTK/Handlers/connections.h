// SPDX-License-Identifier: MIT
// Which functions the program connects to signals.
#ifndef CRERENDER_GTK_CONNECTIONS_H
#define CRERENDER_GTK_CONNECTIONS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// Notes what is connected from now on, by the program and by GTK for its interface files, on the thread that counts.
///
/// - Parameter is_timed: Whether a signal's emissions are timed; the functions of others are not noted.
void connections_hook(bool (*is_timed)(guint signal));

/// The program's function that is connected to a signal of an instance; 0 where none is known, and where it is not the only one.
/// On the thread that counts, while the instance lives. Some nanoseconds where none is known.
uintptr_t connections_function(gpointer instance, guint signal);

#endif
#endif

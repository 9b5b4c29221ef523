// SPDX-License-Identifier: MIT
// Tells when the default main loop of GLib is about to run for the first time.
#ifndef CRERENDER_LOOP_CALLS_H
#define CRERENDER_LOOP_CALLS_H

#include <stdbool.h>

typedef void (*loop_begins)(void);

/// Has a function called on the loop's thread when a file that is loaded now calls GLib to run that loop. Nothing where GLib is not
/// loaded. Functions that only use contexts of their own, as calls of D-Bus that wait, are no loop.
void watch_loop_calls(loop_begins begins);

/// Whether one of these two was called when GLib was loaded.
bool knows_glib(void);

/// The same also where no file calls it by its table of imports, as a language binding does. It makes the default context where there is
/// none, which takes a descriptor. On any thread; the first call counts.
void watch_loop_polls(loop_begins begins);

/// The same for a loop that may run already, from any thread: it goes round once.
void watch_running_loop(loop_begins begins);

#endif

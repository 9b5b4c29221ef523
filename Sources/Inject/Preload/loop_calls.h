// SPDX-License-Identifier: MIT
// Tells when the default main loop of GLib is about to run for the first time.
#ifndef CRERENDER_LOOP_CALLS_H
#define CRERENDER_LOOP_CALLS_H

/// A table of functions that a source was attached with, and the first four functions that were in it. One without a place stands for
/// further ones, for which there was no room.
struct loop_table {
    void *place;
    void *functions[4];
};

#include <stdbool.h>

typedef void (*loop_begins)(const struct loop_table *tables, unsigned count);

/// Has a function called on the loop's thread when a file that is loaded now calls GLib to run that loop. Nothing where GLib is not
/// loaded. Functions that only use contexts of their own, as calls of D-Bus that wait, are no loop. The tables are those of sources that
/// such files have attached until then.
void watch_loop_calls(loop_begins begins);

/// Whether one of these two was called when GLib was loaded.
bool knows_glib(void);

/// The same also where no file calls it by its table of imports, as a language binding does. It makes the default context where there is
/// none, which takes a descriptor. On any thread; the first call counts.
void watch_loop_polls(loop_begins begins);

/// The same for a loop that may run already, from any thread: it goes round once. A table without a place says that sources were
/// attached before.
void watch_running_loop(loop_begins begins);

#endif

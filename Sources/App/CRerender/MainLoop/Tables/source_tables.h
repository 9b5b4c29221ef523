// SPDX-License-Identifier: MIT
// The tables of functions by which GLib's sources are counted.
#ifndef CRERENDER_SOURCE_TABLES_H
#define CRERENDER_SOURCE_TABLES_H

#include "glib_sources.h"

#pragma GCC visibility push(hidden)

// One caller at a time, except where a line says otherwise.

/// Finds the default context, and what is called of GLib, and returns the context; NULL where it cannot be had, or not now. `symbol`
/// finds a function of GLib's.
void *source_tables_find_context(void *(*symbol)(const char *name));
/// Counts the sources of a table that is in use from now on, if it can be changed. Any thread, after the context was found.
void source_tables_add(struct source_functions *functions, enum crerender_row_kind kind, bool has_descriptor);
/// Called by programs and libraries in the place of `g_source_new` and `g_source_attach`. A language's binding has made what it attaches by a
/// pointer. Any thread.
struct source *source_tables_made(struct source_functions *functions, unsigned size);
unsigned source_tables_attached(struct source *source, void *context);
/// Counts the sources of the tables that those have which came into the default context since the last call. Some are known to be missed where
/// there were too many before the first. Wakes a loop that waits on another thread. When the two above are there: they see what comes meanwhile.
void source_tables_add_attached(void *(*symbol)(const char *name));

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// What stands in the tables of GLib's sources calls these.
#ifndef CRERENDER_SOURCE_CALLS_H
#define CRERENDER_SOURCE_CALLS_H

#include "glib_sources.h"

#pragma GCC visibility push(hidden)

/// Says which context is the default one, before a table is changed. `symbol` finds a function of GLib's.
void source_calls_begin(void *context, void *(*symbol)(const char *name));
/// Says whether GTK 4 is in the process: its part for widgets tells of input.
void source_calls_have_gtk4(bool has);

// In a program that has the library in its own file, samples know what GLib calls by how the names begin: see `WriterName.isOwn`.

/// Calls the function that was in a table, and counts the call. Any thread.
int crerender_dispatched(const struct source_table *table, struct source *source, source_callback callback, void *data);
int crerender_prepared(const struct source_table *table, struct source *source, int *timeout);

#pragma GCC visibility pop

#endif

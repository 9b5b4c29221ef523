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
/// Counts the sources of a table from now on, if it can be changed. `expected` is what it has to begin with; NULL for one in use now. Any
/// thread, after the context was found.
void source_tables_add(struct source_functions *functions, enum crerender_row_kind kind, bool has_descriptor,
                       void *const *expected);
/// Called by programs and libraries in the place of `g_source_attach`. Any thread.
unsigned source_tables_attached(struct source *source, void *context);
/// Puts the functions back that were in all tables.
void source_tables_put_back(void);

#pragma GCC visibility pop

#endif

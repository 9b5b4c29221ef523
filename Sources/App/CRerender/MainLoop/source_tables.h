// SPDX-License-Identifier: MIT
// GLib's sources as its public headers lay them out, without those headers. Subclasses of a source build on it, so it stays. And the
// tables of functions by which they are counted.
#ifndef CRERENDER_SOURCE_TABLES_H
#define CRERENDER_SOURCE_TABLES_H

#include "loop_sources.h"

#include <stdbool.h>
#include <stdint.h>

struct source;
typedef int (*source_callback)(void *data);

/// GSourceFuncs.
struct source_functions {
    int (*prepare)(struct source *source, int *timeout);
    int (*check)(struct source *source);
    int (*dispatch)(struct source *source, source_callback callback, void *data);
    void (*finalize)(struct source *source);
    void *closure_callback, *closure_marshal;
};

/// GPollFD.
struct source_descriptor {
    int file;
    unsigned short events, ready;
};

/// GSList.
struct source_list {
    void *data;
    struct source_list *next;
};

/// GSource.
struct source {
    void *callback_data;
    void *callback_functions;
    struct source_functions *functions;
    unsigned references;
    void *context;
    int priority;
    unsigned flags, number;
    struct source_list *descriptors;
    struct source *previous, *next;
    const char *name;
    void *more;
};

/// Of its flags: set until the source is destroyed.
enum { SOURCE_IS_ACTIVE = 1 };

_Static_assert(sizeof(struct source) == 96, "as in GLib");

#pragma GCC visibility push(hidden)

// One caller at a time, except where a line says otherwise.

/// Finds the default context, and what is called of GLib, and returns the context; NULL where it cannot be had, or not now. `symbol`
/// finds a function of GLib's.
void *source_tables_find_context(void *(*symbol)(const char *name));
/// Says whether GTK 4 is in the process: its part for widgets tells of input.
void source_tables_have_gtk4(bool has);
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

// SPDX-License-Identifier: MIT
// GLib's sources as its public headers lay them out, without those headers. Subclasses of a source build on it, so it stays.
// And what is kept of their tables of functions.
#ifndef CRERENDER_GLIB_SOURCES_H
#define CRERENDER_GLIB_SOURCES_H

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

/// A table of the host's, and the functions that were in it. Written before the table's functions are replaced.
struct source_table {
    struct source_functions *place;
    int (*prepare)(struct source *source, int *timeout);
    int (*dispatch)(struct source *source, source_callback callback, void *data);
    enum crerender_row_kind kind;
    /// Whether sources of it have the layout of GUnixFDSource.
    bool has_descriptor;
};

#endif

// SPDX-License-Identifier: MIT
// GLib's sources as its public headers lay them out, without those headers; what is kept of their tables, what stands in these calls, and what sources read.
//
// GLib's sources as its public headers lay them out, without those headers. Subclasses of a source build on it, so it stays.
// And what is kept of their tables of functions.
#ifndef CRERENDER_GLIB_SOURCES_H
#define CRERENDER_GLIB_SOURCES_H

#include "main_loop.h"

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

#pragma GCC visibility push(hidden)

/// Says which context is the default one, before a table is changed. `symbol` finds a function of GLib's.
void source_calls_begin(void *context, void *(*symbol)(const char *name));
/// Says whether GTK 4 is in the process: its part for widgets tells of input.
void source_calls_have_gtk4(bool has);

// In a program that has the library in its own file, samples know what GLib calls by how the names begin: see `WriterName.isOwn`.

/// Calls the function that was in a table, and counts the call. Any thread.
int crerender_dispatched(const struct source_table *table, struct source *source, source_callback callback, void *data);
int crerender_prepared(const struct source_table *table, struct source *source, int *timeout);

/// What a call of a descriptor's source did.
struct source_reading {
    /// How many bytes there were before; -1 where the descriptor does not tell, as that of a counter or a timer.
    int before;
    bool is_looked_at;
    uint64_t turn, ended;
};

/// How many bytes can be read; -1 where a descriptor does not tell.
int source_bytes_of(int file);
/// What a descriptor source waits for; its file is -1 where that is not known.
struct source_descriptor source_descriptor_of(const struct source_table *table, const struct source *source);
/// Whether a call of this row is one of many, for which it is looked what is left: that takes system calls. Once it was known to leave
/// everything, the time between two says nothing: the thread may have had no processor.
bool source_is_one_of_many(uint32_t row, uint64_t turn, uint64_t now);
/// Notes what became of a descriptor. Data that the program took is input, and so is all of a call that was not looked at: there are few
/// of those. A counter or a timer brings no data.
void source_look_at_descriptor(uint32_t row, struct source_descriptor descriptor, const struct source_reading *reading);

// The tables of functions by which GLib's sources are counted.

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

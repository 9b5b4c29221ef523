// SPDX-License-Identifier: MIT
// Finds the tables of GLib's sources, and has calls of GLib replaced in the files that are loaded: those that make or attach a source,
// and those that wake the main loop.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded.h"

#include "CRerender.h"
#include "loop_parts.h"
#include "Tables/glib_sources.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

/// The newest GLib whose GUnixFDSource was looked at: 2.90.
enum { NEWEST_MINOR = 90 };

enum { ATTACH, MAKE, FIRST_WAKEUP, IMPORTS = FIRST_WAKEUP + WAKEUPS };
static struct loaded_import imports[IMPORTS] = {
    {.name = "g_source_attach", .but = glib_file, .replacement = (void *)source_tables_attached},
    {.name = "g_source_new", .but = glib_file, .replacement = (void *)source_tables_made}};
static struct loaded_imports all_imports = {.imports = imports, .count = IMPORTS};

static void *glib_symbol(const char *name) {
    void *found = NULL;
    // Not by a weak symbol: the slot of one in this very file would be replaced, too.
    return loaded_symbol(&found, NULL, glib_file, name);
}

static int look_for_gtk4(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    (void)context;
    const char *name = file->dlpi_name ? strrchr(file->dlpi_name, '/') : NULL;
    return name && strncmp(name, "/libgtk-4.", 10) == 0;
}

/// GLib's own tables. What it adds itself goes by no import.
static void add_tables_of_glib(void) {
    static const struct {
        const char *name;
        enum crerender_row_kind kind;
        bool has_descriptor;
    } exported[] = {
        {"g_timeout_funcs", ROW_TIMER, false},
        {"g_idle_funcs", ROW_IDLE, false},
        {"g_unix_fd_source_funcs", ROW_DESCRIPTOR, true},
        {"g_io_watch_funcs", ROW_DESCRIPTOR, false},
        {"g_child_watch_funcs", ROW_SOURCE, false},
        {"g_unix_signal_funcs", ROW_SOURCE, false},
    };
    const unsigned *minor = glib_symbol("glib_minor_version");
    bool is_known_version = minor && *minor <= NEWEST_MINOR;
    for (size_t index = 0; index < sizeof exported / sizeof *exported; index++) {
        bool has_descriptor = exported[index].has_descriptor && is_known_version;
        source_tables_add(glib_symbol(exported[index].name), exported[index].kind, has_descriptor);
        // A program that is not position-independent may have it in itself, and GLib uses that one.
        source_tables_add(dlsym(RTLD_DEFAULT, exported[index].name), exported[index].kind, has_descriptor);
    }
}

void crerender_hook_sources(void) {
    crerender_find_scripts();
    if (crerender_is_silent() || !crerender_thread_may_wait_for_loader()) return;
    void *context = source_tables_find_context(glib_symbol);
    if (!context) return;
    bool has_gtk4 = dl_iterate_phdr(look_for_gtk4, NULL) != 0;
    source_calls_have_gtk4(has_gtk4);
    if (!imports[ATTACH].original) {
        add_tables_of_glib();
        wakeups_begin(&imports[FIRST_WAKEUP], glib_symbol, context);
        imports[ATTACH].original = glib_symbol("g_source_attach");
        imports[MAKE].original = glib_symbol("g_source_new");
    }
    loaded_imports_replace(&all_imports);
    source_tables_add_attached(glib_symbol);
    // A program without GTK has no other input than what its sources bring.
    crerender_account_sees_sources(!has_gtk4);
}

// Stands in for functions of GLib that wake the main loop from another thread, or turn it without waiting, and counts their calls: a row
// for each place and thread.
//
// GLib's own calls, for a source that another thread attaches, go by no import: that source has a row.

typedef int source_function(void *data);
static void (*wakeup)(void *context);
static int (*iteration)(void *context, int may_block);
static unsigned (*idle_add)(source_function *function, void *data);
static unsigned (*idle_add_full)(int priority, source_function *function, void *data, void (*destroy)(void *));
static void (*invoke)(void *context, source_function *function, void *data);
static void (*invoke_full)(void *context, int priority, source_function *function, void *data, void (*destroy)(void *));
static void *main_context;

/// Where the function that is in the place of GLib's was called: before the address to return to.
#define CALL ((uintptr_t)__builtin_return_address(0) - 1)

static void count(uintptr_t call, const char *thread) {
    int error = errno;
    const struct row_key key = {.kind = ROW_WAKEUP, .function = call, .thread = thread};
    row_add_elsewhere(row_of(&key), 0);
    errno = error;
}

/// Counts a call for a context that wakes it, on another thread than the loop's.
static void wakes(const void *context, uintptr_t call) {
    pid_t loop = crerender_is_silent() ? 0 : crerender_account_thread();
    bool is_main = !context || context == main_context;
    if (loop != 0 && is_main && loop != crerender_this_thread()) count(call, row_thread_name());
}

static void woken(void *context) {
    wakes(context, CALL);
    wakeup(context);
}

static int iterated(void *context, int may_block) {
    bool is_main = !may_block && (!context || context == main_context) && !crerender_is_silent();
    if (is_main && crerender_account_thread() == crerender_this_thread()) count(CALL, NULL);
    return iteration(context, may_block);
}

static unsigned idle_added(source_function *function, void *data) {
    wakes(NULL, CALL);
    return idle_add(function, data);
}

static unsigned idle_added_full(int priority, source_function *function, void *data, void (*destroy)(void *)) {
    wakes(NULL, CALL);
    return idle_add_full(priority, function, data, destroy);
}

static void invoked(void *context, source_function *function, void *data) {
    wakes(context, CALL);
    invoke(context, function, data);
}

static void invoked_full(void *context, int priority, source_function *function, void *data, void (*destroy)(void *)) {
    wakes(context, CALL);
    invoke_full(context, priority, function, data, destroy);
}

void crerender_idle_added(uintptr_t caller) { wakes(NULL, caller - 1); }

void wakeups_begin(struct loaded_import *imports, void *(*symbol)(const char *name), void *context) {
    static const struct {
        const char *name;
        void **original;
        void *replacement;
    } all[WAKEUPS] = {
        {"g_main_context_wakeup", (void **)&wakeup, (void *)woken},
        {"g_main_context_iteration", (void **)&iteration, (void *)iterated},
        {"g_idle_add", (void **)&idle_add, (void *)idle_added},
        {"g_idle_add_full", (void **)&idle_add_full, (void *)idle_added_full},
        {"g_main_context_invoke", (void **)&invoke, (void *)invoked},
        {"g_main_context_invoke_full", (void **)&invoke_full, (void *)invoked_full},
    };
    main_context = context;
    for (int which = 0; which < WAKEUPS; which++) {
        void *original = symbol(all[which].name);
        *all[which].original = original;
        imports[which] = (struct loaded_import){
            .name = all[which].name, .but = glib_file, .original = original, .replacement = all[which].replacement};
    }
}

// SPDX-License-Identifier: MIT
// Finds the tables of GLib's sources, and has calls of GLib replaced in the files that are loaded: those that make or attach a source,
// and those that wake the main loop.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../Loaded/loaded_imports.h"
#include "../Loaded/loaded_symbol.h"
#include "CRerender.h"
#include "Tables/glib_sources.h"
#include "Tables/source_tables.h"
#include "wakeups.h"

#include <dlfcn.h>
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

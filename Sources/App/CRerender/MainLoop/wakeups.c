// SPDX-License-Identifier: MIT
// Stands in for functions of GLib that wake the main loop from another thread, or turn it without waiting, and counts their calls: a row
// for each place and thread.
//
// GLib's own calls, for a source that another thread attaches, go by no import: that source has a row.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "wakeups.h"

#include "../Loaded/loaded_symbol.h"
#include "CRerender.h"
#include "source_rows.h"

#include <errno.h>

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

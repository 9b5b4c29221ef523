// SPDX-License-Identifier: MIT
// Stands in for `g_main_context_wakeup`, and counts its calls on other threads than the main loop's: a row for each place and thread.
//
// GLib's own calls, for a source that another thread attaches, go by no import: that source has a row.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "wakeups.h"

#include "CRerender.h"
#include "source_rows.h"

#include <errno.h>

static void (*wakeup)(void *context);
static void *main_context;

static void count_wakeup(uintptr_t place) {
    int error = errno;
    const struct row_key key = {.kind = ROW_WAKEUP, .function = place, .thread = row_thread_name()};
    row_add_elsewhere(row_of(&key), 0);
    errno = error;
}

static void woken(void *context) {
    pid_t loop = crerender_is_silent() ? 0 : crerender_account_thread();
    bool is_main = !context || context == main_context;
    // The function is that of the call, which is before the address to return to.
    if (loop != 0 && is_main && loop != crerender_this_thread())
        count_wakeup((uintptr_t)__builtin_return_address(0) - 1);
    wakeup(context);
}

void *wakeups_begin(void *original, void *context) {
    main_context = context;
    *(void **)&wakeup = original;
    return (void *)woken;
}

// SPDX-License-Identifier: MIT
// Stands in for tick callbacks, with what GTK is given for the program's. Those of GTK's own are not seen.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/causes.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

#include <stdlib.h>

/// What the program gave. GTK gives it back to `ended`, once, also where the callback ends itself.
struct callback {
    GtkTickCallback function;
    gpointer data;
    GDestroyNotify notify;
    /// An address alone: it may be about to end.
    GtkWidget *widget;
    /// Known once it has run.
    bool has_row;
    uint32_t row;
    /// An address behind the function's first byte, as those of writers are behind their calls; 0 where it is not the program's.
    uintptr_t writer;
};

static void ended(gpointer context) {
    struct callback *callback = context;
    struct record *record = callback->writer && part_is_on_thread() ? known_record_of(callback->widget) : NULL;
    // What animates the widget from now on is another one, which may be GTK's own.
    if (record && record->tick == callback->writer) record->tick = 0;
    GDestroyNotify notify = callback->notify;
    gpointer data = callback->data;
    free(callback);
    if (notify) notify(data);
}

/// Gives a row to a callback of a widget that is in a window.
static void find_row(struct callback *callback, const char *key) {
    uintptr_t script = writers_script((uintptr_t)callback->function, callback->data);
    uintptr_t function = script ? script : (uintptr_t)callback->function;
    callback->has_row = true;
    callback->row = part.swift.row(part.swift.context, CRERENDER_GTK_ROW_TICK, function, key);
    callback->writer = script || writers_know(function) ? function + 1 : 0;
}

/// Runs one, and counts it. Nothing of the callback is read behind the call, which may have ended it.
static gboolean run_counted(struct callback *callback, struct record *record, GtkWidget *widget, GdkFrameClock *clock) {
    if (!record->is_named) part_name(record);
    if (!callback->has_row) find_row(callback, record->key);
    uint32_t row = callback->row;
    record->tick = callback->writer;
    causes_note_tick(record, callback->writer);
    uint64_t began = part_now();
    uint32_t around = part.swift.part_enter(part.swift.context, CRERENDER_GTK_PART_SOURCES, began);
    gboolean goes_on = callback->function(widget, clock, callback->data);
    uint64_t now = part_now();
    part.swift.part_leave(part.swift.context, around, now);
    part.swift.row_ran(part.swift.context, row, now - began);
    return goes_on;
}

static gboolean run(GtkWidget *widget, GdkFrameClock *clock, gpointer context) {
    struct callback *callback = context;
    struct record *record = part_counts() ? record_of(widget) : NULL;
    return record ? run_counted(callback, record, widget, clock) : callback->function(widget, clock, callback->data);
}

/// In the place of GTK's. Where GTK refuses the widget, the few bytes are lost.
static guint add_tick_callback(GtkWidget *widget, GtkTickCallback function, gpointer data, GDestroyNotify notify) {
    struct callback *callback = function ? calloc(1, sizeof *callback) : NULL;
    if (!callback) return gtk.gtk_widget_add_tick_callback(widget, function, data, notify);
    *callback = (struct callback){.function = function, .data = data, .notify = notify, .widget = widget};
    return gtk.gtk_widget_add_tick_callback(widget, run, callback, ended);
}

void ticks_hook(void) { imports_replace("gtk_widget_add_tick_callback", (void *)add_tick_callback, false); }
#endif

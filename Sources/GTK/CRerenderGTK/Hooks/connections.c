// SPDX-License-Identifier: MIT
// Stands in for GObject's functions that connect handlers, so that the row of a handler has its function. GObject itself tells of a handler's
// function only whether it is connected.
#include "hooks.h"

#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

#include <sys/syscall.h>
#include <unistd.h>

// MARK: What is connected

/// A function that was connected. The instance may be no more, and another one may have its address: GObject is asked before that counts.
struct connection {
    const void *instance;
    guint signal;
    /// Whether another function was connected beside it.
    bool is_several;
    /// A function in C, or a closure that calls one of a script.
    uintptr_t handler;
    bool is_closure;
    /// The function's address, or its place in the script.
    uintptr_t function;
};

/// One that has no place of its own takes that of another one, which has no name then.
enum { MOST_CONNECTIONS = 2048 };
static struct connection connections[MOST_CONNECTIONS];

static struct connection *place_of(const void *instance, guint signal) {
    uintptr_t hash = ((uintptr_t)instance >> 4) ^ ((uintptr_t)signal << 9);
    return &connections[(size_t)(hash * 0x9e3779b97f4a7c15u >> 20) % MOST_CONNECTIONS];
}

static gulong first_handler(gpointer instance, guint signal) {
    return gtk.g_signal_handler_find(instance, G_SIGNAL_MATCH_ID, signal, 0, NULL, NULL, NULL);
}

static gulong handler_of(gpointer instance, const struct connection *known) {
    GSignalMatchType match = G_SIGNAL_MATCH_ID | (known->is_closure ? G_SIGNAL_MATCH_CLOSURE : G_SIGNAL_MATCH_FUNC);
    GClosure *closure = known->is_closure ? (GClosure *)known->handler : NULL;
    return gtk.g_signal_handler_find(instance, match, known->signal, 0, closure, (gpointer)known->handler, NULL);
}

static bool (*is_timed)(guint signal);

/// Whether the calling thread is GTK's, or may become it: programs connect their handlers before they show a widget.
static bool is_own_thread(void) {
    return part_is_on_thread() || (!part_has_thread() && syscall(SYS_gettid) == getpid());
}

static void note(const struct connection *connected) {
    struct connection *place = place_of(connected->instance, connected->signal);
    bool is_same = place->instance == connected->instance && place->signal == connected->signal;
    if (is_same && place->function == connected->function && place->handler == connected->handler) return;
    bool is_several = is_same && (place->is_several || handler_of((gpointer)place->instance, place));
    *place = *connected;
    place->is_several = is_several;
}

static void note_function(gpointer instance, guint signal, uintptr_t function) {
    if (!is_timed(signal) || !writers_know(function)) return;
    note(&(struct connection){.instance = instance, .signal = signal, .handler = function, .function = function});
}

/// A closure that has no marshaller when it is connected gets the signal's, which reads a function from it: so it is one of a function in C.
/// PyGObject's has a marshaller of its own. That of gjs comes in front of the signal's: what is read as its function is the engine.
static void note_closure(gpointer instance, guint signal, GClosure *closure, uintptr_t function) {
    uintptr_t script = is_timed(signal) ? writers_script((uintptr_t)closure->marshal, closure) : 0;
    if (script)
        note(&(struct connection){instance, signal, false, (uintptr_t)closure, true, script});
    else if (function)
        note_function(instance, signal, function);
}

uintptr_t connections_function(gpointer instance, guint signal) {
    const struct connection *place = place_of(instance, signal);
    if (place->instance != instance || place->signal != signal || place->is_several) return 0;
    // Another one, whose place this is, was connected earlier where that is the first.
    gulong handler = handler_of(instance, place);
    return handler && handler == first_handler(instance, signal) ? place->function : 0;
}

// MARK: Functions of GObject

static void note_named(gpointer instance, const char *name, GCallback function) {
    guint signal = 0;
    GQuark detail = 0;
    // A handler was connected: so all of these are what GObject takes them for.
    if (is_own_thread() && function &&
        gtk.g_signal_parse_name(name, G_TYPE_FROM_INSTANCE(instance), &signal, &detail, FALSE) && !detail)
        note_function(instance, signal, (uintptr_t)function);
}

static gulong connect_data(gpointer instance, const gchar *signal, GCallback function, gpointer data,
                           GClosureNotify destroy, GConnectFlags flags) {
    gulong handler = gtk.g_signal_connect_data(instance, signal, function, data, destroy, flags);
    if (handler) note_named(instance, signal, function);
    return handler;
}

static gulong connect_object(gpointer instance, const gchar *signal, GCallback function, gpointer object,
                             GConnectFlags flags) {
    gulong handler = gtk.g_signal_connect_object(instance, signal, function, object, flags);
    if (handler) note_named(instance, signal, function);
    return handler;
}

/// GTK connects what an interface file names, and bindings connect what a script gives them.
static gulong connect_closure(gpointer instance, guint signal, GQuark detail, GClosure *closure, gboolean after) {
    bool is_of_function = closure && !closure->marshal;
    uintptr_t function = is_of_function ? (uintptr_t)((GCClosure *)closure)->callback : 0;
    gulong handler = gtk.g_signal_connect_closure_by_id(instance, signal, detail, closure, after);
    if (handler && !detail && is_own_thread()) note_closure(instance, signal, closure, function);
    return handler;
}

void connections_hook(bool (*is_timed_signal)(guint signal)) {
    is_timed = is_timed_signal;
    imports_replace("g_signal_connect_data", (void *)connect_data, false);
    imports_replace("g_signal_connect_object", (void *)connect_object, false);
    imports_replace("g_signal_connect_closure_by_id", (void *)connect_closure, false);
    imports_replace("g_signal_connect_closure_by_id", (void *)connect_closure, true);
}
#endif

// Stands in for tick callbacks, with what GTK is given for the program's. Those of GTK's own are not seen.

#ifdef RERENDER_GTK
#include "../Frames/frame_parts.h"

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

// Follows writes from one run of a widget's function to the next, also through idle functions. All that comes from
// elsewhere is outside.

#ifdef RERENDER_GTK

// MARK: Idle functions

/// Idle functions that a run added, by their sources' numbers, which are of the default context; the oldest gives its place away.
enum { MOST_SOURCES = 64 };
static struct {
    guint source;
    void *link;
} sources[MOST_SOURCES];
static size_t next_source;
static bool has_sources;

static void *link_of_source(void) {
    GSource *current = has_sources ? gtk.g_main_current_source() : NULL;
    // Another context has numbers of its own.
    bool is_default = current && gtk.g_source_get_context(current) == gtk.g_main_context_default();
    guint number = is_default ? gtk.g_source_get_id(current) : 0;
    for (size_t place = 0; number && place < MOST_SOURCES; place++)
        if (sources[place].source == number) return sources[place].link;
    return NULL;
}

/// The link of what runs now, which others hold; null where that comes from outside.
static void *current_link(void) {
    struct step *step = layout_step();
    if (!step) step = drawing_step();
    if (!step) return link_of_source();
    if (!step->link && step->view)
        step->link = part.swift.step(step->view, step->instance, step->is_layout, NULL, 0, steps_outside);
    return step->link;
}

bool steps_has_current(void) { return current_link() != NULL; }

static void note_source(guint source) {
    void *link = source && part_counts() ? part.swift.queued_step(current_link()) : NULL;
    if (!link) return;
    if (sources[next_source].link) part.swift.forget_step(sources[next_source].link);
    sources[next_source].source = source;
    sources[next_source].link = link;
    next_source = (next_source + 1) % MOST_SOURCES;
    has_sources = true;
}

static guint add_idle(gint priority, GSourceFunc function, gpointer data, GDestroyNotify notify, uintptr_t caller) {
    part.swift.idle_added(caller);
    guint source = gtk.g_idle_add_full(priority, function, data, notify);
    note_source(source);
    return source;
}

static guint idle_add_full(gint priority, GSourceFunc function, gpointer data, GDestroyNotify notify) {
    return add_idle(priority, function, data, notify, (uintptr_t)__builtin_return_address(0));
}

static guint idle_add(GSourceFunc function, gpointer data) {
    return add_idle(G_PRIORITY_DEFAULT_IDLE, function, data, NULL, (uintptr_t)__builtin_return_address(0));
}

// MARK: Changes

void steps_note(struct record *record, bool draws, bool lays_out, uintptr_t writer) {
    interactions_note_write();
    void *link = current_link();
    if (!link) return steps_note_outside();
    if (draws) lead_set(&record->leads_to_drawing, link, writer);
    for (GtkWidget *widget = lays_out ? record->widget : NULL; widget; widget = gtk.gtk_widget_get_parent(widget)) {
        struct record *around = drawn_record_of(widget);
        if (around) lead_set(&around->leads_to_layout, link, writer);
    }
}

// MARK: Calls of the program

/// Notes that the program asked for a layout of a widget, by a call that returns to an address.
static void note_asked(GtkWidget *widget, uintptr_t caller) {
    struct record *record = part_counts() ? known_record_of(widget) : NULL;
    if (!record) return;
    askers_note_call(record, caller);
    if (record->is_drawn) steps_note(record, false, true, writers_caller(caller));
}

static void queue_resize(GtkWidget *widget) {
    note_asked(widget, (uintptr_t)__builtin_return_address(0));
    gtk.gtk_widget_queue_resize(widget);
}

static void queue_allocate(GtkWidget *widget) {
    note_asked(widget, (uintptr_t)__builtin_return_address(0));
    gtk.gtk_widget_queue_allocate(widget);
}

/// GTK lays the container out again, also where nothing moves.
static void fixed_move(GtkFixed *fixed, GtkWidget *widget, double x, double y) {
    note_asked((GtkWidget *)fixed, (uintptr_t)__builtin_return_address(0));
    gtk.gtk_fixed_move(fixed, widget, x, y);
}

void steps_hook(void) {
    imports_replace("gtk_widget_queue_resize", (void *)queue_resize, false);
    imports_replace("gtk_widget_queue_allocate", (void *)queue_allocate, false);
    imports_replace("gtk_fixed_move", (void *)fixed_move, false);
    imports_replace("g_idle_add", (void *)idle_add, false);
    imports_replace("g_idle_add_full", (void *)idle_add_full, false);
}

void *crerender_gtk_source_step(void) { return part_counts() ? link_of_source() : NULL; }
#endif

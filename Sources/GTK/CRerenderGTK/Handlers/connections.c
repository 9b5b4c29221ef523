// SPDX-License-Identifier: MIT
// Stands in for GObject's functions that connect handlers, so that the row of a handler has its function. GObject itself tells of a handler's
// function only whether it is connected.

#include "connections.h"

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

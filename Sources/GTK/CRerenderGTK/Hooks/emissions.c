// SPDX-License-Identifier: MIT
// Stands in for `g_signal_emit` in GTK, so that the beginning and the end of each emission are seen.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/frame_parts.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// MARK: Which signals

/// What is done with a signal; those of frame clocks come first.
enum kind {
    OF_FRAME,
    OF_EVENT = FRAME_SIGNALS,
    OF_SIZE,
    OF_DRAWING,
    OF_WIDGET,
    OF_CONTROLLER,
    OF_INTERFACE,
    OF_MODEL,
    OF_CONTENTS,
    OF_SHEET,
    IGNORED
};

/// Kinds by the numbers of signals, plus 1; 0 for one that was not looked at. Later signals are ignored.
enum { MOST_SIGNALS = 8192 };
static uint8_t kinds[MOST_SIGNALS];
static GType widget_type;

/// What GTK says to all widgets, also while it draws a frame: programs rarely do more than set a flag in it.
static bool is_frequent(const char *name) {
    static const char *const names[] = {"state-flags-changed", "direction-changed", "map",          "unmap", "realize",
                                        "unrealize",           "destroy",           "query-tooltip"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (strcmp(name, names[index]) == 0) return true;
    return false;
}

static enum kind kind_of_clock(const char *name) {
    static const char *const names[FRAME_SIGNALS] = {"before-paint", "update", "layout", "paint", "after-paint"};
    for (int signal = 0; signal < FRAME_SIGNALS; signal++)
        if (strcmp(name, names[signal]) == 0) return (enum kind)signal;
    return IGNORED;
}

static enum kind find_kind(guint signal) {
    GSignalQuery found = {0};
    gtk.g_signal_query(signal, &found);
    if (!found.signal_id) return IGNORED;
    const char *type = gtk.g_type_name(found.itype);
    if (strcmp(type, "GdkFrameClock") == 0) return kind_of_clock(found.signal_name);
    if (strcmp(type, "GdkSurface") == 0) {
        if (strcmp(found.signal_name, "event") == 0) return OF_EVENT;
        if (strcmp(found.signal_name, "layout") == 0) return OF_SIZE;
        return strcmp(found.signal_name, "render") == 0 ? OF_DRAWING : IGNORED;
    }
    bool is_buffer = strcmp(type, "GtkTextBuffer") == 0 && strcmp(found.signal_name, "changed") == 0;
    if (is_buffer || (strcmp(type, "GtkAdjustment") == 0 && strcmp(found.signal_name, "value-changed") == 0))
        return OF_MODEL;
    // All that loads a style sheet says so, and so does what is given one.
    if (strcmp(type, "GtkStyleProvider") == 0) return OF_SHEET;
    if (strcmp(type, "GdkPaintable") == 0)
        return strcmp(found.signal_name, "invalidate-contents") == 0 ? OF_CONTENTS : IGNORED;
    // A widget may have one of GTK's, such as GtkEditable.
    if (gtk.g_type_fundamental(found.itype) == G_TYPE_INTERFACE)
        return strncmp(type, "Gtk", 3) == 0 ? OF_INTERFACE : IGNORED;
    for (GType above = found.itype; above; above = gtk.g_type_parent(above)) {
        if (above == widget_type) return is_frequent(found.signal_name) ? IGNORED : OF_WIDGET;
        if (strcmp(gtk.g_type_name(above), "GtkEventController") == 0) return OF_CONTROLLER;
    }
    return IGNORED;
}

static enum kind kind_of(guint signal) {
    if (signal >= MOST_SIGNALS) return IGNORED;
    if (!kinds[signal]) kinds[signal] = (uint8_t)(find_kind(signal) + 1);
    return (enum kind)(kinds[signal] - 1);
}

// MARK: Phases and handlers

/// The record of a widget with a view; null where it has none.
static struct record *named_record(GtkWidget *widget) {
    struct record *record = widget ? record_of(widget) : NULL;
    if (!record) return NULL;
    if (!record->is_named && gtk.gtk_widget_get_root(widget)) part_name(record);
    return record->view ? record : NULL;
}

/// For so long the renderer of a window gets ready: without a graphics card it compiles shaders.
enum { FIRST = 1000000000 };

static void *drawing_of(GdkSurface *surface) {
    struct record *record = named_record((GtkWidget *)gtk.gtk_native_get_for_surface(surface));
    if (!record) return NULL;
    uint64_t now = part_now();
    if (!record->drawn_from) record->drawn_from = now;
    bool is_first = now < record->drawn_from + FIRST;
    void **phase = is_first ? &record->first_drawing : &record->drawing;
    if (!*phase)
        *phase = part.swift.phase(record->view, is_first ? CRERENDER_GTK_FIRST_DRAWING : CRERENDER_GTK_DRAWING);
    return *phase;
}

/// A handler that ran: of a view and a signal or event, all of whose texts are kept for ever.
struct handler {
    const void *view;
    const char *key, *name;
    void *handler;
    /// The row of the function that ran last, if there is one.
    bool has_row;
    uintptr_t function;
    uint32_t row;
};

/// The handlers that ran last. One of another view or name takes the place of one.
enum { MOST_HANDLERS = 256 };
static struct handler handlers[MOST_HANDLERS];

static struct handler *place_of(const void *view, const char *name) {
    uintptr_t hash = ((uintptr_t)view >> 4) ^ ((uintptr_t)name >> 3);
    return &handlers[(size_t)(hash * 0x9e3779b97f4a7c15u >> 20) % MOST_HANDLERS];
}

/// Null where the widget has no view.
static struct handler *handler_of(GtkWidget *widget, const char *name) {
    struct record *record = named_record(widget);
    if (!record) return NULL;
    struct handler *handler = place_of(record->view, name);
    if (handler->view != record->view || handler->name != name)
        *handler = (struct handler){
            record->view, record->key, name, part.swift.handler(part.swift.context, record->view, name), false, 0, 0};
    return handler;
}

// MARK: Rows

/// Emissions whose handlers' functions are not known have a row once one of them took so long.
enum { LONG_NANOSECONDS = 50000 };

/// The row of a handler's function; where that is 0, that of all that is connected.
static uint32_t row_of(const struct handler *of, uintptr_t function) {
    struct handler *known = place_of(of->view, of->name);
    bool is_same = known->view == of->view && known->name == of->name;
    if (is_same && known->has_row && known->function == function) return known->row;
    char text[512];
    snprintf(text, sizeof text, "%s: %s", of->key, of->name);
    const char *kept = texts_at(texts_number(text));
    uint32_t row = part.swift.row(part.swift.context, CRERENDER_GTK_ROW_HANDLER, function, kept ? kept : of->name);
    if (is_same) {
        known->has_row = true;
        known->function = function;
        known->row = row;
    }
    return row;
}

/// An emission whose handlers have a row. A copy: while it runs, its place may become another one's.
struct timed {
    struct handler handler;
    struct interaction_handler run;
    uint32_t around;
    struct crerender_gtk_script script;
};

static struct timed timed_begin(const struct handler *handler, gpointer instance, guint signal, uint64_t began,
                                const void *frame) {
    struct timed timed = {.handler = *handler};
    timed.around = part.swift.part_enter(part.swift.context, CRERENDER_GTK_PART_SOURCES, began);
    timed.run = interactions_handler_began(began, handler->key, connections_function(instance, signal));
    part.swift.handler_began(part.swift.context, timed.run.function, (uintptr_t)frame, &timed.script);
    return timed;
}

/// Whether an emission of it took long before: from then on, each one counts.
static bool has_row_of_all(const struct handler *of) {
    const struct handler *known = place_of(of->view, of->name);
    return known->view == of->view && known->name == of->name && known->has_row && known->function == 0;
}

static void timed_end(const struct timed *timed, uint64_t ended) {
    part.swift.handler_ended(part.swift.context, &timed->script);
    part.swift.part_leave(part.swift.context, timed->around, ended);
    interactions_handler_ended(&timed->run);
    uint64_t nanoseconds = ended - timed->run.began;
    if (!timed->run.function && nanoseconds < LONG_NANOSECONDS && !has_row_of_all(&timed->handler)) return;
    part.swift.row_ran(part.swift.context, row_of(&timed->handler, timed->run.function), nanoseconds);
}

static const char *name_of_event(GdkEvent *event) {
    switch (gtk.gdk_event_get_event_type(event)) {
    case GDK_MOTION_NOTIFY: return "motion";
    case GDK_BUTTON_PRESS: return "button press";
    case GDK_BUTTON_RELEASE: return "button release";
    case GDK_KEY_PRESS: return "key press";
    case GDK_KEY_RELEASE: return "key release";
    case GDK_ENTER_NOTIFY:
    case GDK_LEAVE_NOTIFY: return "crossing";
    case GDK_FOCUS_CHANGE: return "focus change";
    case GDK_SCROLL: return "scroll";
    case GDK_TOUCH_BEGIN:
    case GDK_TOUCH_UPDATE:
    case GDK_TOUCH_END: return "touch";
    default: return "event";
    }
}

static const char *name_of_signal(guint signal) {
    GSignalQuery found = {0};
    gtk.g_signal_query(signal, &found);
    return found.signal_name;
}

// MARK: Input

static bool is_of_pointer(GdkEvent *event) {
    switch (gtk.gdk_event_get_event_type(event)) {
    case GDK_MOTION_NOTIFY:
    case GDK_ENTER_NOTIFY:
    case GDK_LEAVE_NOTIFY: return true;
    default: return false;
    }
}

/// Whether an event is somebody's doing. GTK has the pointer's place told again when widgets have moved below it, and a window that grows
/// or shrinks below a pointer at rest is entered or left by it.
static bool is_input(GdkSurface *surface, GdkEvent *event) {
    static struct {
        const GdkSurface *surface;
        double x, y;
    } last;
    if (!is_of_pointer(event)) return true;
    double x = 0, y = 0;
    gtk.gdk_event_get_position(event, &x, &y);
    bool is_same = last.surface == surface && last.x == x && last.y == y;
    last.surface = surface;
    last.x = x;
    last.y = y;
    return !is_same;
}

/// What an emission says of the world around the program.
enum outside {
    NOT_OUTSIDE,
    /// Something comes from outside of the widgets, and need not be input.
    OUTSIDE,
    INPUT
};

/// For so long after a widget asked for a layout, a new size of its window comes of that: an X server sends it back a frame later.
enum { SIZE_OF_CONTENT = 1000000000 };

/// What another size of a window than it had is: its user or the window manager may have done that, or the window grew with its content.
static enum outside of_size(GdkSurface *surface, int width, int height) {
    GtkWidget *window = (GtkWidget *)gtk.gtk_native_get_for_surface(surface);
    struct record *record = window ? record_of(window) : NULL;
    if (!record) return NOT_OUTSIDE;
    bool is_new = record->surface_width != width || record->surface_height != height;
    record->surface_width = width;
    record->surface_height = height;
    if (!is_new) return NOT_OUTSIDE;
    // GTK keeps what it measured, and measures a widget in the window anew only if that, or one in it, asked for a layout. The window itself is
    // measured for each size that it gets.
    bool is_of_content = record->measured_at && part_now() < record->measured_at + SIZE_OF_CONTENT;
    return is_of_content ? OUTSIDE : INPUT;
}

/// The first value of an emission that has an event.
static GdkEvent *event_in(va_list *values) {
    va_list copy;
    va_copy(copy, *values);
    GdkEvent *event = va_arg(copy, GdkEvent *);
    va_end(copy);
    return event;
}

static enum outside outside_of(enum kind kind, gpointer instance, va_list *values) {
    if (kind == OF_EVENT) return is_input(instance, event_in(values)) ? INPUT : NOT_OUTSIDE;
    if (kind != OF_SIZE) return NOT_OUTSIDE;
    va_list copy;
    va_copy(copy, *values);
    int width = va_arg(copy, int), height = va_arg(copy, int);
    va_end(copy);
    return of_size(instance, width, height);
}

/// What an event begins that leads to a frame; none for a movement, and for what is over before anything shows it.
static enum crerender_input input_of(GdkEvent *event) {
    switch (gtk.gdk_event_get_event_type(event)) {
    case GDK_BUTTON_PRESS: return CRERENDER_INPUT_PRESS;
    case GDK_BUTTON_RELEASE: return CRERENDER_INPUT_CLICK;
    case GDK_KEY_PRESS: return CRERENDER_INPUT_KEY;
    case GDK_TOUCH_BEGIN:
    case GDK_TOUCH_END: return CRERENDER_INPUT_TOUCH;
    default: return CRERENDER_INPUT_NONE;
    }
}

/// Whether an event of a surface begins an interaction.
static bool begins_interaction(GdkSurface *surface, va_list *values) {
    enum crerender_input input = input_of(event_in(values));
    struct record *record = input ? named_record((GtkWidget *)gtk.gtk_native_get_for_surface(surface)) : NULL;
    if (record) interactions_began(input, record->key);
    return record != NULL;
}

// MARK: Emissions

/// What an emission is a handler of; null for none.
static struct handler *handler_in(enum kind kind, gpointer instance, guint signal, va_list *values) {
    switch (kind) {
    case OF_EVENT:
        return handler_of((GtkWidget *)gtk.gtk_native_get_for_surface(instance), name_of_event(event_in(values)));
    case OF_WIDGET: return handler_of(instance, name_of_signal(signal));
    case OF_INTERFACE: {
        bool is_widget = gtk.g_type_check_instance_is_a(instance, widget_type);
        return is_widget ? handler_of(instance, name_of_signal(signal)) : NULL;
    }
    case OF_CONTROLLER: return handler_of(gtk.gtk_event_controller_get_widget(instance), name_of_signal(signal));
    default: return NULL;
    }
}

/// The callbacks of frame clocks: which widget's one is, GTK does not tell.
static void *update_handler(void) {
    static void *handler;
    if (!handler) handler = part.swift.handler(part.swift.context, NULL, "frame clock update");
    return handler;
}

static void emit_in_frame(GdkFrameClock *clock, enum frame_signal kind, guint signal, GQuark detail, va_list values) {
    void *phase = kind == FRAME_UPDATE ? update_handler() : NULL;
    // Before anything is judged that another one may have been drawn in, and where the frame itself brought some.
    if (kind == FRAME_PAINT || kind == FRAME_AFTER_PAINT) patches_look();
    frames_emits(clock, kind);
    uint64_t began = part_now(), spanned;
    bool has_span = phase && spans_begin(phase, &began, &spanned);
    size_t runs = kind == FRAME_PAINT ? runs_paint(&began) : 0;
    gtk.g_signal_emit_valist(clock, signal, detail, values);
    if (kind == FRAME_PAINT) runs_painted(runs);
    if (has_span) spans_end(&began);
    frames_emitted(clock, kind, part_now() - began);
}

bool (*emissions_take_event)(GdkSurface *surface, GdkEvent *event);

/// Whether an event of a surface is taken from GTK. The values are the event, and where to write whether it was handled.
static bool take_event(GdkSurface *surface, va_list *values) {
    if (!emissions_take_event) return false;
    va_list copy;
    va_copy(copy, *values);
    GdkEvent *event = va_arg(copy, GdkEvent *);
    gboolean *is_handled = va_arg(copy, gboolean *);
    va_end(copy);
    if (!emissions_take_event(surface, event)) return false;
    *is_handled = TRUE;
    return true;
}

/// What is done with a signal now. During a pause, the HUD alone is told, of events.
static enum kind kind_now(guint signal, bool counts) {
    if (counts) return kind_of(signal);
    bool is_event = emissions_take_event && part_is_on_thread() && kind_of(signal) == OF_EVENT;
    return is_event ? OF_EVENT : IGNORED;
}

/// Emits a signal that does not belong to a frame, and times it as a phase or a handler.
static void emit_timed(enum kind kind, gpointer instance, guint signal, GQuark detail, va_list *values) {
    struct handler *handler = kind == IGNORED ? NULL : handler_in(kind, instance, signal, values);
    void *phase = kind == OF_DRAWING ? drawing_of(instance) : handler ? handler->handler : NULL;
    uint64_t began = 0;
    bool has_span = phase && spans_begin(phase, &began, &began);
    // What GTK does with an event is no handler's; the handlers that it calls have rows.
    bool has_row = has_span && handler && kind != OF_EVENT;
    struct timed timed = {0};
    if (has_row) timed = timed_begin(handler, instance, signal, began, __builtin_frame_address(0));
    gtk.g_signal_emit_valist(instance, signal, detail, *values);
    uint64_t ended = has_span ? spans_end(&began) : 0;
    if (has_row) timed_end(&timed, ended);
}

/// In the place of `g_signal_emit`, for GTK.
static void emit(gpointer instance, guint signal, GQuark detail, ...) {
    va_list values;
    va_start(values, detail);
    bool counts = part_counts();
    enum kind kind = kind_now(signal, counts);
    if (kind < OF_EVENT) {
        emit_in_frame(instance, (enum frame_signal)kind, signal, detail, values);
    } else if (kind != OF_EVENT || !take_event(instance, &values)) {
        if (!counts) kind = IGNORED;
        enum outside outside = outside_of(kind, instance, &values);
        bool is_input = outside == INPUT;
        if (outside != NOT_OUTSIDE) steps_note_outside();
        if (is_input) part.swift.input(part.swift.context);
        bool is_interaction = is_input && kind == OF_EVENT && begins_interaction(instance, &values);
        if (kind == OF_MODEL) models_note(instance);
        if (kind == OF_CONTENTS) paintables_note(instance, signal);
        if (kind == OF_SHEET) causes_note_sheet();
        emit_timed(kind, instance, signal, detail, &values);
        if (is_interaction) interactions_handed_out();
        if (is_input) part.swift.input(part.swift.context);
    }
    va_end(values);
}

/// Whether it is a signal that a widget's or controller's handlers are connected to.
static bool is_of_handlers(guint signal) {
    enum kind kind = kind_of(signal);
    return kind == OF_WIDGET || kind == OF_CONTROLLER || kind == OF_INTERFACE;
}

/// In the place of `g_signal_emit_by_name`, for all but GTK.
static void emit_by_name(gpointer instance, const gchar *name, ...) {
    guint signal = 0;
    GQuark detail = 0;
    bool is_instance = instance && ((GTypeInstance *)instance)->g_class && name;
    // GObject says what is wrong, and then takes no value.
    if (!is_instance || !gtk.g_signal_parse_name(name, G_TYPE_FROM_INSTANCE(instance), &signal, &detail, TRUE))
        return gtk.g_signal_emit_by_name(instance, name);
    va_list values;
    va_start(values, name);
    bool is_timed = part_counts() && is_of_handlers(signal);
    emit_timed(is_timed ? kind_of(signal) : IGNORED, instance, signal, detail, &values);
    va_end(values);
}

void emissions_hook(GType type) {
    widget_type = type;
    imports_replace("g_signal_emit", (void *)emit, true);
    imports_replace("g_signal_emit_by_name", (void *)emit_by_name, false);
    connections_hook(is_of_handlers);
}
#endif

// SPDX-License-Identifier: MIT
// Follows writes from one run of a widget's function to the next, also through idle functions. All that comes from
// elsewhere is outside.

#include "crerender_gtk.h"
#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/interactions.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"
#include "runs.h"

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

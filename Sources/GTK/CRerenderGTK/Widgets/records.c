// SPDX-License-Identifier: MIT
// Keeps the records of widgets in a table by their address. One thread.

#include "records.h"

#ifdef RERENDER_GTK
#include "../functions.h"

#include <stdlib.h>

/// A power of two; records stand where their address leads, or behind.
static struct record **table;
static size_t capacity, used;
static uint64_t last_instance;
static void (*tell_ended)(void *view, uint64_t instance);
static void (*forget_step)(void *step);
static void (*forget_runs)(const struct record *record);

void records_set_ended(void (*ended)(void *view, uint64_t instance), void (*forget)(void *step),
                       void (*ends)(const struct record *record)) {
    tell_ended = ended;
    forget_step = forget;
    forget_runs = ends;
}

static size_t place_of(const GtkWidget *widget) {
    return (size_t)(((uintptr_t)widget >> 4) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
}

/// Where a widget's record is, or where it belongs.
static size_t find(const GtkWidget *widget) {
    size_t place = place_of(widget);
    while (table[place] && table[place]->widget != widget) place = (place + 1) & (capacity - 1);
    return place;
}

static bool grow(void) {
    struct record **old = table;
    size_t before = capacity, wanted = capacity ? 2 * capacity : 1024;
    struct record **larger = calloc(wanted, sizeof *larger);
    if (!larger) return false;
    table = larger;
    capacity = wanted;
    for (size_t place = 0; place < before; place++)
        if (old[place]) table[find(old[place]->widget)] = old[place];
    free(old);
    return true;
}

/// Closes the gap that a record leaves: those behind it may have been put there because it stood in their place.
static void close_gap(size_t gap) {
    for (size_t place = (gap + 1) & (capacity - 1); table[place]; place = (place + 1) & (capacity - 1)) {
        size_t wanted = place_of(table[place]->widget);
        if (((place - wanted) & (capacity - 1)) < ((place - gap) & (capacity - 1))) continue;
        table[gap] = table[place];
        table[place] = NULL;
        gap = place;
    }
}

void record_forget_node(struct record *record) {
    if (record->node) gtk.gsk_render_node_unref(record->node);
    record->node = NULL;
    record->is_drawn = false;
}

static void forget_lead(struct lead *lead) {
    if (lead->link) forget_step(lead->link);
    *lead = (struct lead){0};
}

static void end_instance(struct record *record) {
    if (forget_runs) forget_runs(record);
    if (record->view && tell_ended) tell_ended(record->view, record->instance);
    record_forget_node(record);
    forget_lead(&record->leads_to_drawing);
    forget_lead(&record->leads_to_layout);
}

void record_begin_anew(struct record *record) {
    end_instance(record);
    *record = (struct record){.widget = record->widget,
                              .instance = ++last_instance,
                              .tick = record->tick,
                              .spun = record->spun,
                              .put_into = record->put_into,
                              .was_put = record->was_put,
                              .measured_for = record->measured_for,
                              .measured_inside_for = record->measured_inside_for,
                              .measured_at = record->measured_at,
                              .surface_width = record->surface_width,
                              .surface_height = record->surface_height};
}

static void widget_ended(gpointer context, GObject *where) {
    (void)where;
    struct record *record = context;
    size_t place = find(record->widget);
    if (table[place] == record) {
        table[place] = NULL;
        used--;
        close_gap(place);
    }
    end_instance(record);
    free(record);
}

static struct record *make(GtkWidget *widget) {
    if (2 * (used + 1) > capacity && !grow()) return NULL;
    struct record *record = calloc(1, sizeof *record);
    if (!record) return NULL;
    record->widget = widget;
    record->instance = ++last_instance;
    table[find(widget)] = record;
    used++;
    gtk.g_object_weak_ref((GObject *)widget, widget_ended, record);
    return record;
}

struct record *record_of(GtkWidget *widget) {
    struct record *record = capacity ? table[find(widget)] : NULL;
    return record ? record : make(widget);
}

void records_each(void (*visit)(struct record *record, void *context), void *context) {
    for (size_t place = 0; place < capacity; place++)
        if (table[place] && table[place]->is_drawn) visit(table[place], context);
}

void records_each_kept(void (*visit)(struct record *record, void *context), void *context) {
    for (size_t place = 0; place < capacity; place++)
        if (table[place]) visit(table[place], context);
}

struct record *known_record_of(GtkWidget *widget) {
    return capacity ? table[find(widget)] : NULL;
}

struct record *drawn_record_of(GtkWidget *widget) {
    struct record *record = known_record_of(widget);
    return record && record->is_drawn ? record : NULL;
}
#endif

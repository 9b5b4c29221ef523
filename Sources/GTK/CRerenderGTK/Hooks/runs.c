// SPDX-License-Identifier: MIT
// Keeps what runs on GTK's thread: runs of `snapshot`, phases and handlers, and the links of steps.
//
// A program may leave a `snapshot` or a handler by a jump, so that its call never returns. Then what lies on the stack is gone, and
// what lies here is not.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// Deeper ones do not count. The memory of each depth is made when it is needed first, and kept.
enum { MOST_RUNS = 4096 };
static struct crerender_gtk_run *runs[MOST_RUNS];
static size_t count;
/// How many of them began before windows are painted.
static size_t before_paint;

/// Forgets the innermost one, which was left by a jump. What it drew is lost to GTK, too.
static void forget(void) {
    struct crerender_gtk_run *run = runs[--count];
    if (run->record || run->has_ended) part.swift.run_forgotten(run->evaluation);
    step_ended(&run->step);
    run->record = NULL;
    if (run->node) gtk.gsk_render_node_unref(run->node);
    run->node = NULL;
}

/// Forgets the runs of calls below a place. The stack grows down: a call in another one has a lower place.
static void forget_below(uintptr_t place) {
    while (count > 0 && runs[count - 1]->is_on_own_stack && runs[count - 1]->place < place) forget();
}

/// Whether a run was surely left, seen from a call on the thread's own stack that lies below it. That stack can be read, whatever it is by
/// now; another one may be no more. A sanitizer must not look: it may be a red zone.
__attribute__((noinline, no_sanitize("address", "thread", "memory"))) static bool
is_left(const struct crerender_gtk_run *run) {
    if (!run->is_on_own_stack) return false;
    return *(const volatile uint64_t *)run->place != run->number || run->frame[1] != run->return_address;
}

/// The run that is around one of a widget: its own, or that of the widget that it is in. Where there is neither, the innermost.
///
/// One that was left by a jump stays until a call at its place ends or begins. It is not taken for one that is around. On another stack than
/// the thread's own it cannot be told from one that runs: so it is not around a call on that.
static struct crerender_gtk_run *around(GtkWidget *widget, bool is_on_own_stack) {
    struct crerender_gtk_run *innermost = NULL;
    GtkWidget *parent = gtk.gtk_widget_get_parent(widget);
    for (size_t depth = count; depth > before_paint; depth--) {
        struct crerender_gtk_run *run = runs[depth - 1];
        if (is_left(run) || (is_on_own_stack && !run->is_on_own_stack)) continue;
        if (run->widget == widget || run->widget == parent) return run;
        if (!innermost) innermost = run;
    }
    return innermost;
}

static struct crerender_gtk_run *make_room(void) {
    if (count == MOST_RUNS) return NULL;
    if (!runs[count]) {
        runs[count] = calloc(1, sizeof *runs[count]);
        if (!runs[count]) return NULL;
    }
    return runs[count++];
}

enum run_kind runs_begin(uint64_t *mark, const uintptr_t *frame, GtkWidget *widget, struct crerender_gtk_run **run) {
    static uint64_t number;
    bool is_on_own_stack = spans_is_own_stack(mark);
    if (is_on_own_stack) {
        forget_below((uintptr_t)mark + 1);
        while (count > 0 && is_left(runs[count - 1])) forget();
    }
    if (before_paint > count) before_paint = count;
    struct crerender_gtk_run *outer = around(widget, is_on_own_stack);
    if (outer && outer->widget == widget) return RUN_CHAINED;
    struct crerender_gtk_run *made = make_room();
    if (!made) return RUN_REFUSED;
    void *evaluation = made->evaluation;
    *mark = ++number;
    *made = (struct crerender_gtk_run){.place = (uintptr_t)mark,
                                       .is_on_own_stack = is_on_own_stack,
                                       .number = number,
                                       .frame = frame,
                                       .return_address = frame[1],
                                       .widget = widget,
                                       .outer = outer && !outer->record ? outer->outer : outer,
                                       .is_outermost = !outer,
                                       .evaluation = evaluation};
    *run = made;
    return RUN_NEW;
}

struct crerender_gtk_run *runs_end(const void *place) {
    size_t depth = count;
    while (depth > 0 && runs[depth - 1]->place != (uintptr_t)place) depth--;
    if (depth == 0) return NULL;
    while (count > depth) forget();
    return runs[--count];
}

void runs_forget_widget(const struct record *record) {
    for (size_t depth = 0; depth < count; depth++) {
        if (runs[depth]->record != record) continue;
        runs[depth]->record = NULL;
        runs[depth]->has_ended = true;
    }
}

struct step *drawing_step(void) {
    char place = 0;
    if (count <= before_paint) return NULL;
    struct crerender_gtk_run *run = runs[count - 1];
    // One that was left by a jump lies deeper than this call.
    if (!run->is_on_own_stack || run->place <= (uintptr_t)&place || is_left(run)) return NULL;
    if (!run->record) run = run->outer;
    return run ? &run->step : NULL;
}

size_t runs_paint(const void *place) {
    if (spans_is_own_stack(place)) forget_below((uintptr_t)place);
    size_t before = before_paint;
    before_paint = count;
    return before;
}

void runs_painted(size_t before) { before_paint = before; }

/// A span, and the place on the stack of the call that it is of. The stack grows down: a call in another one has a lower place.
struct span {
    uintptr_t place;
    void *phase;
    struct crerender_gtk_span memory;
};

/// Deeper ones have no span of their own.
enum { MOST_SPANS = 256 };
static struct span spans[MOST_SPANS];
static size_t span_count;

bool spans_is_own_stack(const void *place) {
    static pthread_t thread;
    static uintptr_t low, high;
    if (!high || !pthread_equal(thread, pthread_self())) {
        pthread_attr_t attributes;
        void *address = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
        pthread_attr_getstack(&attributes, &address, &size);
        pthread_attr_destroy(&attributes);
        thread = pthread_self();
        low = (uintptr_t)address;
        high = low + size;
    }
    return (uintptr_t)place >= low && (uintptr_t)place < high;
}

/// Forgets the spans of calls below a place, which has been left by a jump.
static void forget_spans_below(uintptr_t place) {
    while (span_count > 0 && spans[span_count - 1].place < place)
        part.swift.span_forgotten(&spans[--span_count].memory);
}

bool spans_begin(void *phase, const void *place, uint64_t *began) {
    if (!spans_is_own_stack(place)) return false;
    forget_spans_below((uintptr_t)place + 1);
    if (span_count == MOST_SPANS) return false;
    struct span *span = &spans[span_count++];
    span->place = (uintptr_t)place;
    span->phase = phase;
    *began = part.swift.span_began(phase, &span->memory);
    return true;
}

uint64_t spans_end(const void *place) {
    forget_spans_below((uintptr_t)place);
    if (span_count == 0 || spans[span_count - 1].place != (uintptr_t)place) return part_now();
    struct span *span = &spans[--span_count];
    return part.swift.span_ended(span->phase, &span->memory);
}

uint64_t steps_outside;

void lead_forget(struct lead *lead) {
    if (lead->link) part.swift.forget_step(lead->link);
    *lead = (struct lead){0};
}

void lead_set(struct lead *lead, void *link, uintptr_t writer) {
    part.swift.keep_step(link);
    lead_forget(lead);
    *lead = (struct lead){link, writer};
}

struct step step_began(struct record *record, bool is_layout, struct lead *led_by, const struct step *around) {
    struct step step = {record->widget, record->view, record->instance, is_layout, NULL};
    void *previous = led_by->link ? led_by->link : around ? around->link : NULL;
    if (previous && record->view)
        step.link = part.swift.step(record->view, record->instance, is_layout, previous, led_by->writer, steps_outside);
    lead_forget(led_by);
    return step;
}

void step_ended(struct step *step) {
    if (step->link) part.swift.forget_step(step->link);
    step->link = NULL;
}

void steps_note_size(const struct step *step) {
    struct record *record = drawn_record_of(step->widget);
    if (!record) return;
    int width = gtk.gtk_widget_get_width(record->widget), height = gtk.gtk_widget_get_height(record->widget);
    if (width != record->width || height != record->height) lead_set(&record->leads_to_drawing, step->link, 0);
}
#endif

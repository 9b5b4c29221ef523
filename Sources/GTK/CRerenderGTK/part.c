// SPDX-License-Identifier: MIT
// Whether widgets count now, and their views.

#include "part.h"

#ifdef RERENDER_GTK
#include "functions.h"
#include "Widgets/questions.h"

#include <stdatomic.h>
#include <time.h>

struct part part;

static _Thread_local bool is_counting_thread;

static atomic_bool has_thread;

bool part_take_thread(void) {
    if (!atomic_exchange(&has_thread, true)) is_counting_thread = true;
    return is_counting_thread;
}

bool part_has_thread(void) { return atomic_load_explicit(&has_thread, memory_order_relaxed); }

bool part_is_on_thread(void) { return is_counting_thread; }

bool part_counts(void) { return is_counting_thread && (__atomic_load_n(&part.generation, __ATOMIC_RELAXED) & 1) == 0; }

const char *part_key(GtkWidget *widget) {
    char key[512];
    key_of(widget, key, sizeof key);
    const char *kept = texts_at(texts_number(key));
    return kept ? kept : "another widget";
}

static void name(struct record *record, const char *key) {
    record->is_named = true;
    record->key = key;
    record->view = part.swift.view(part.swift.context, key);
    if (record->view) record->layout = part.swift.phase(record->view, CRERENDER_GTK_LAYOUT);
}

void part_name(struct record *record) {
    if (!record->is_named) name(record, part_key(record->widget));
}

void part_rename(GtkWidget *widget) {
    struct record *record = known_record_of(widget);
    if (!record || !record->is_named || !gtk.gtk_widget_get_root(widget)) return;
    const char *key = part_key(widget);
    if (key == record->key) return;
    record_begin_anew(record);
    name(record, key);
}

void part_list(struct record *record) {
    if (record->is_listed) return;
    record->is_listed = true;
    if (record->view && record->layouts) part.swift.laid_out(record->view, record->layouts, record->layout_nanoseconds);
}

static uint64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t part_now(void) { return read_clock(CLOCK_MONOTONIC); }

uint64_t part_processor(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

uint32_t part_entered(enum crerender_gtk_part entered) {
    return part.swift.part_enter(part.swift.context, entered, part_now());
}

void part_left(uint32_t around) { part.swift.part_leave(part.swift.context, around, part_now()); }

const char *crerender_gtk_elsewhere(void) { return "another copy of rerender counts the widgets of this process"; }

void crerender_gtk_set_counting(bool is_counting) {
    uint32_t generation = __atomic_load_n(&part.generation, __ATOMIC_RELAXED);
    if (((generation & 1) == 0) != is_counting) __atomic_store_n(&part.generation, generation + 1, __ATOMIC_RELAXED);
}
#endif

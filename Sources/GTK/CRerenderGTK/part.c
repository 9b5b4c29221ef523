// SPDX-License-Identifier: MIT
// Whether widgets count now, and their views.

#include "part.h"

#ifdef RERENDER_GTK
#include "Widgets/keys.h"
#include "Widgets/texts.h"

#include <time.h>

struct part part;

static _Thread_local bool is_counting_thread;

void part_take_thread(void) { is_counting_thread = true; }

bool part_is_on_thread(void) { return is_counting_thread; }

bool part_counts(void) { return is_counting_thread && (__atomic_load_n(&part.generation, __ATOMIC_RELAXED) & 1) == 0; }

void part_name(struct record *record) {
    if (record->is_named) return;
    record->is_named = true;
    char key[512];
    key_of(record->widget, key, sizeof key);
    record->key = texts_at(texts_number(key));
    record->view = part.swift.view(part.swift.context, key);
    if (!record->key) record->key = "another widget";
    if (record->view) record->layout = part.swift.phase(record->view, CRERENDER_GTK_LAYOUT);
}

void part_list(struct record *record) {
    if (record->is_listed) return;
    record->is_listed = true;
    if (record->view && record->layouts) part.swift.laid_out(record->view, record->layouts, record->layout_nanoseconds);
}

uint64_t part_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
#endif

void crerender_gtk_set_counting(bool is_counting) {
#ifdef RERENDER_GTK
    uint32_t generation = __atomic_load_n(&part.generation, __ATOMIC_RELAXED);
    if (((generation & 1) == 0) != is_counting) __atomic_store_n(&part.generation, generation + 1, __ATOMIC_RELAXED);
#else
    (void)is_counting;
#endif
}

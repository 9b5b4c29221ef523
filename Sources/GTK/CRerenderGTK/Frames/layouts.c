// SPDX-License-Identifier: MIT
// Counts layouts by the widgets that they are for, and whether anything got another place or size in them.

#include "frame_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Widgets/questions.h"

#include <string.h>

/// A widget whose layouts take long, by its key: instances may be made anew.
struct laid_out {
    const char *key;
    struct crerender_vote writers;
    /// The instance that was laid out last, and where it and the widgets in it were then; 0 where that is not known.
    uint64_t instance, places;
    uint64_t first_at, last_at;
    uint64_t count, same, nanoseconds, processor, of, longest, longest_of;
};
static struct laid_out table[CRERENDER_LAYOUTS];
static uint32_t epoch;
static bool is_changed;

/// The layout of the frame under way.
static struct {
    struct record *record;
    uintptr_t writer;
    uint64_t nanoseconds, processor;
} current;

/// A layout that takes so long is put into the table at once: its frame may be the last one for long.
enum { LONG = 16000000 };

// MARK: Counting

static struct laid_out *place_of(const char *key) {
    struct laid_out *least = &table[0];
    for (size_t place = 0; place < CRERENDER_LAYOUTS; place++) {
        if (table[place].key == key) return &table[place];
        if (table[place].nanoseconds < least->nanoseconds) least = &table[place];
    }
    *least = (struct laid_out){.key = key, .first_at = part_now()};
    return least;
}

void layouts_ended(uint64_t nanoseconds, uint64_t processor) {
    // Nothing is measured where CSS turns a widget: that is no layout that anything asked for.
    struct record *record = askers_innermost();
    if (record && record != current.record) {
        current.record = record;
        current.writer = 0;
    }
    if (current.record && !current.writer) current.writer = asker_origin(current.record).writer;
    current.nanoseconds += nanoseconds;
    current.processor += processor;
}

static void count_places(struct laid_out *laid_out) {
    // Nanoseconds that one of them takes: all of them take a tenth of the layout at most.
    enum { EACH = 60 };
    uint64_t places = places_of(current.record->widget, current.nanoseconds / (10 * EACH));
    bool is_same_widget = laid_out->instance == current.record->instance;
    if (places && is_same_widget && laid_out->places == places) laid_out->same++;
    laid_out->instance = current.record->instance;
    laid_out->places = places;
}

void layouts_frame_ended(uint64_t processor, uint64_t input_since) {
    if (epoch != fact_table_epoch()) {
        epoch = fact_table_epoch();
        memset(table, 0, sizeof table);
    }
    if (current.record && !current.record->is_named) part_name(current.record);
    if (current.record && current.record->key) {
        struct laid_out *laid_out = place_of(current.record->key);
        laid_out->count++;
        laid_out->nanoseconds += current.nanoseconds;
        laid_out->processor += current.processor;
        laid_out->of += processor;
        laid_out->last_at = part_now();
        crerender_vote_add(&laid_out->writers, current.writer);
        count_places(laid_out);
        if (input_since && current.processor >= LONG && current.processor > laid_out->longest) {
            laid_out->longest = current.processor;
            laid_out->longest_of = part_processor() - input_since;
        }
        is_changed = true;
        if (current.nanoseconds >= LONG) layouts_put();
    }
    memset(&current, 0, sizeof current);
}

void layouts_put(void) {
    if (!is_changed) return;
    is_changed = false;
    struct crerender_fact facts[CRERENDER_LAYOUTS] = {0};
    for (size_t place = 0; place < CRERENDER_LAYOUTS; place++) {
        const struct laid_out *laid_out = &table[place];
        if (!laid_out->key) continue;
        facts[place] = (struct crerender_fact){.kind = CRERENDER_FACT_LAYOUT,
                                               .view = laid_out->key,
                                               .writer = crerender_vote_writer(&laid_out->writers),
                                               .count = laid_out->count,
                                               .of = laid_out->of,
                                               .nanoseconds = laid_out->nanoseconds,
                                               .processor = laid_out->processor,
                                               .longest = laid_out->longest,
                                               .longest_of = laid_out->longest_of,
                                               .duration = laid_out->last_at - laid_out->first_at,
                                               .same = laid_out->same};
    }
    fact_table_put(CRERENDER_FACT_LAYOUT, facts, CRERENDER_LAYOUTS, epoch);
}

void layouts_forget_widget(const struct record *record) {
    if (current.record == record) current.record = NULL;
}
#endif

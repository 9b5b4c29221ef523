// SPDX-License-Identifier: MIT
// Counts frames without input by the widgets that they are drawn for, in rows of seconds. A second ends with the first frame behind it:
// nothing wakes for that.

#include "frame_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Widgets/questions.h"

#include <string.h>

// MARK: The frame under way

/// A widget with a cause of its own for the frame under way.
struct asked {
    struct record *record;
    uintptr_t writer;
};

/// More of them ask in one frame only where everything is drawn.
enum { MOST_ASKED = 8 };
struct asked_list {
    struct asked all[MOST_ASKED];
    size_t count;
};
static struct asked_list asked, laid_out, ticked;
/// The number of the frame under way.
static uint32_t frame = 1;

static void add(struct asked_list *list, struct record *record, uintptr_t writer) {
    for (size_t place = 0; place < list->count; place++) {
        struct asked *known = &list->all[place];
        if (known->record != record) continue;
        if (!known->writer) known->writer = writer;
        return;
    }
    if (list->count < MOST_ASKED) list->all[list->count++] = (struct asked){record, writer};
}

/// The widget that has another one as a part, as a progress bar has its trough: that is what a program knows.
static struct record *whole_of(struct record *part) {
    enum { MOST_LEVELS = 8 };
    struct record *record = part;
    for (int level = 0; level < MOST_LEVELS && is_part_of_widget(record->widget); level++) {
        GtkWidget *outer = gtk.gtk_widget_get_parent(record->widget);
        struct record *around = outer ? record_of(outer) : NULL;
        if (!around) return part;
        record = around;
    }
    return record;
}

void causes_note(struct record *record, uintptr_t writer) { add(&asked, whole_of(record), writer); }

void causes_note_layout(struct record *record, uintptr_t writer) { add(&laid_out, whole_of(record), writer); }

void causes_note_tick(struct record *record, uintptr_t writer) { add(&ticked, whole_of(record), writer); }

void causes_note_style(struct record *record) {
    record->styled_for = frame;
    GtkWidget *outer = gtk.gtk_widget_get_parent(record->widget);
    const struct record *around = outer ? known_record_of(outer) : NULL;
    if (around && around->styled_for == frame) return;
    add(&asked, whole_of(record), record->spun);
}

void causes_forget_frame(void) {
    asked.count = laid_out.count = ticked.count = 0;
    frame++;
}

static void forget(struct asked_list *list, const struct record *record) {
    for (size_t place = list->count; place > 0; place--)
        if (list->all[place - 1].record == record) list->all[place - 1] = list->all[--list->count];
}

// MARK: Style sheets

/// Who changed one last, and the frame that it was before.
static uintptr_t sheet_writer;
static uint32_t sheet_before;

void causes_note_sheet(void) {
    if (sheet_before != frame) sheet_writer = writers_origin(0).writer;
    sheet_before = frame;
}

static void note_window(struct record *record, void *clock) {
    bool is_window = gtk.gtk_widget_get_parent(record->widget) == NULL;
    if (is_window && gtk.gtk_widget_get_frame_clock(record->widget) == clock) add(&asked, record, sheet_writer);
}

/// Of a frame that a style sheet is known to have led to, and of the one behind it where nothing else did.
static void note_sheet(GdkFrameClock *clock) {
    bool is_behind = sheet_before + 1 == frame && !asked.count;
    if (sheet_writer && (sheet_before == frame || is_behind)) records_each_kept(note_window, clock);
}

// MARK: Tick callbacks of GTK's own, which are not seen as they run

/// Widgets that had one when they were looked for last.
static struct asked_list tickers;

struct search {
    GdkFrameClock *clock;
    int left;
};

static void look(struct record *record, void *context) {
    struct search *search = context;
    // GTK gives a window one of its own until it has found out styles: that says not who changed them.
    bool is_window = gtk.gtk_widget_get_parent(record->widget) == NULL;
    if (search->left-- > 0 && !is_window && tickers.count < MOST_ASKED && has_tick(record->widget, search->clock))
        add(&tickers, record, 0);
}

/// Whether they were looked for in this second.
static bool has_looked;

static bool note_tickers(GdkFrameClock *clock) {
    bool is_any = false;
    for (size_t place = 0; place < tickers.count; place++) {
        if (!has_tick(tickers.all[place].record->widget, clock)) continue;
        add(&asked, tickers.all[place].record, tickers.all[place].record->spun);
        is_any = true;
    }
    return is_any;
}

static void note_all(const struct asked_list *list) {
    for (size_t place = 0; place < list->count; place++) add(&asked, list->all[place].record, list->all[place].writer);
}

/// Of a frame that nothing is known to have asked for: a widget with a tick callback keeps the clock going.
static void note_ticks(GdkFrameClock *clock) {
    enum { MOST_LOOKS = 2000 };
    note_all(&ticked);
    if (asked.count || note_tickers(clock) || has_looked) return;
    has_looked = true;
    tickers.count = 0;
    struct search search = {clock, MOST_LOOKS};
    records_each_kept(look, &search);
    note_tickers(clock);
}

// MARK: Seconds

struct amount {
    uint64_t frames, nanoseconds, processor;
};

static void add_second(struct amount *amount, const struct amount *second) {
    amount->frames += second->frames;
    amount->nanoseconds += second->nanoseconds;
    amount->processor += second->processor;
}

static void add_frame(struct amount *amount, struct frame_cost cost) {
    add_second(amount, &(struct amount){1, cost.nanoseconds, cost.processor});
}

/// A widget that asked in this second, or in the row of seconds up to it.
struct asker {
    /// Its number; 0 where the place is free. The record is null once the widget is no more.
    uint64_t instance;
    struct record *record;
    const char *key, *hidden;
    struct crerender_vote writers;
    struct amount second, row;
    /// Whether it could be seen at the end of one of the row's seconds.
    bool was_seen;
};
static struct asker askers[CRERENDER_ASKERS];

/// The seconds in a row, the second that runs, and the longest row before.
static struct {
    struct amount second;
    uint64_t second_began;
    uint64_t seconds, frames;
    /// Seconds with less, on end.
    unsigned quieter;
} row;
static struct {
    uint64_t seconds;
    struct crerender_fact facts[CRERENDER_ASKERS];
} longest;
static uint64_t last_input, first_frame;
static uint32_t epoch;

enum { SECOND = 1000000000, QUIET = 2 * SECOND, LEAST_FRAMES = 9, LEAST_OVER = 15 };

/// The place of a widget; that with least is given away. Null where all others have more.
static struct asker *asker_of_record(struct record *record) {
    struct asker *least = &askers[0];
    for (size_t place = 0; place < CRERENDER_ASKERS; place++) {
        struct asker *asker = &askers[place];
        if (asker->instance == record->instance) return asker;
        if (asker->row.frames + asker->second.frames < least->row.frames + least->second.frames) least = asker;
    }
    // One that asks in each sixteenth frame keeps its place.
    uint64_t frames = least->row.frames + least->second.frames;
    if (frames > 1 && frames >= (row.frames + row.second.frames) / 16) return NULL;
    *least = (struct asker){.instance = record->instance, .record = record, .key = record->key};
    return least;
}

static void count(const struct asked *one, struct frame_cost cost) {
    // One that was in no window has no name yet.
    if (!one->record->is_named) part_name(one->record);
    struct asker *asker = asker_of_record(one->record);
    if (!asker) return;
    asker->key = one->record->key;
    crerender_vote_add(&asker->writers, one->writer);
    add_frame(&asker->second, cost);
}

static struct crerender_fact fact_of(const struct asker *asker) {
    return (struct crerender_fact){.kind = CRERENDER_FACT_ASKER,
                                   .view = asker->key,
                                   .hidden = asker->was_seen ? NULL : asker->hidden,
                                   .writer = crerender_vote_writer(&asker->writers),
                                   .count = asker->row.frames,
                                   .of = row.frames,
                                   .nanoseconds = asker->row.nanoseconds,
                                   .processor = asker->row.processor,
                                   .duration = row.seconds * SECOND};
}

static void put(void) {
    struct crerender_fact facts[CRERENDER_ASKERS] = {0};
    for (size_t place = 0; place < CRERENDER_ASKERS; place++)
        if (askers[place].row.frames && askers[place].key) facts[place] = fact_of(&askers[place]);
    if (row.seconds >= longest.seconds) memcpy(longest.facts, facts, sizeof facts);
    fact_table_put(CRERENDER_FACT_ASKER, row.seconds >= longest.seconds ? facts : longest.facts, CRERENDER_ASKERS,
                   epoch);
}

/// Ends the row. What ended by itself and was short is no finding.
static void end_row(bool by_itself, const struct crerender_fact *before) {
    bool is_kept = !by_itself || row.seconds >= LEAST_OVER;
    if (is_kept && row.seconds > longest.seconds) {
        longest.seconds = row.seconds;
    } else if (row.seconds && !is_kept) {
        memcpy(longest.facts, before, sizeof longest.facts);
        fact_table_put(CRERENDER_FACT_ASKER, longest.facts, CRERENDER_ASKERS, epoch);
    }
    memset(askers, 0, sizeof askers);
    row.seconds = row.frames = 0;
    row.quieter = 0;
}

/// Takes the second that has ended into the row.
static void take_second(void) {
    row.seconds++;
    row.frames += row.second.frames;
    row.quieter = 0;
    for (size_t place = 0; place < CRERENDER_ASKERS; place++) {
        struct asker *asker = &askers[place];
        if (!asker->second.frames) continue;
        add_second(&asker->row, &asker->second);
        asker->hidden = asker->record ? sight_obstacle(asker->record) : NULL;
        if (!asker->hidden) asker->was_seen = true;
    }
    put();
}

static void begin_second(uint64_t now) {
    row.second = (struct amount){0};
    row.second_began = now;
    has_looked = false;
    for (size_t place = 0; place < CRERENDER_ASKERS; place++) {
        askers[place].second = (struct amount){0};
        // One that did not ask in the row gives its place to others.
        if (!askers[place].row.frames) askers[place] = (struct asker){0};
    }
}

static void begin_anew(uint64_t now) {
    epoch = fact_table_epoch();
    longest.seconds = 0;
    memset(longest.facts, 0, sizeof longest.facts);
    memset(askers, 0, sizeof askers);
    row.seconds = row.frames = 0;
    row.quieter = 0;
    begin_second(now);
}

/// Ends the second if it is over; false where it is not.
static bool roll(uint64_t now) {
    static struct crerender_fact before[CRERENDER_ASKERS];
    if (epoch != fact_table_epoch() || !row.second_began) begin_anew(now);
    uint64_t elapsed = now - row.second_began;
    if (elapsed < SECOND) return false;
    if (!row.seconds) memcpy(before, longest.facts, sizeof before);
    bool is_quiet = row.second_began >= last_input + QUIET && row.second_began >= first_frame + QUIET;
    bool has_enough = row.second.frames >= LEAST_FRAMES;
    if (is_quiet && has_enough) take_second();
    if (is_quiet && !has_enough) row.quieter++;
    // No frame came since: these seconds had less, too.
    if (elapsed >= 2 * (uint64_t)SECOND) row.quieter += 2;
    if (!is_quiet || row.quieter >= 2) end_row(is_quiet, before);
    begin_second(now);
    return true;
}

bool causes_frame_ended(GdkFrameClock *clock, struct frame_cost cost) {
    uint64_t now = part_now();
    if (!first_frame) first_frame = now;
    bool has_rolled = roll(now);
    add_frame(&row.second, cost);
    note_sheet(clock);
    if (!asked.count) note_all(&laid_out);
    if (!asked.count) note_ticks(clock);
    for (size_t place = 0; place < asked.count; place++) count(&asked.all[place], cost);
    causes_forget_frame();
    return has_rolled;
}

bool causes_are_steady(void) {
    enum { STEADY = 2 };
    return row.seconds >= STEADY && part_now() >= last_input + QUIET;
}

void causes_forget_widget(const struct record *record) {
    forget(&asked, record);
    forget(&laid_out, record);
    forget(&ticked, record);
    forget(&tickers, record);
    for (size_t place = 0; place < CRERENDER_ASKERS; place++)
        if (askers[place].record == record) askers[place].record = NULL;
}

// MARK: Input

static void (*told_input)(void *context);
static uint64_t input_since;

static void note_input(void *context) {
    last_input = part_now();
    if (!input_since) input_since = part_processor();
    told_input(context);
}

/// A frame that begins later after an input, and after what handled it, need not have come of it.
enum { OF_INPUT = 250000000 };

uint64_t causes_take_input(uint64_t began) {
    uint64_t since = input_since;
    input_since = 0;
    return began < last_input + OF_INPUT ? since : 0;
}

void causes_listen(void) {
    told_input = part.swift.input;
    part.swift.input = note_input;
}
#endif

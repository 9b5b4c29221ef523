// SPDX-License-Identifier: MIT
// Counts the widgets of one class that leave a widget in a turn of the main loop, and the new ones that it gets in the same turn.

#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <string.h>

/// Widgets of one class in one widget, in a turn.
struct group {
    uint32_t turn;
    /// An address alone: what the widgets were in may be gone.
    const void *parent;
    GType type;
    uint32_t dropped, made;
    uint64_t first_at, last_at;
    /// The thread's processor time in the turn, up to one of the last widgets.
    uint64_t processor;
    /// Known from some widgets on.
    const char *key, *parent_key;
    uintptr_t writer;
};

/// Fewer are no matter. The groups of one turn; beyond that, those with few give their places away.
enum { LEAST = 20, GROUPS = 64, WAYS = 4 };
static struct group groups[GROUPS];
/// The number of the turn, and what it is known by: the source that runs, and when its turn began.
static uint32_t turn = 1;
static const void *source;
static gint64 time_of_turn;
static uint64_t processor_of_turn;
/// Whether a group of this turn has that many that left and that many that came.
static bool has_many;

/// Whether something is scrolled in this turn, for which a list makes the widgets that come into sight.
static bool is_scrolled;
static uint64_t changes_by_frame;

/// What was made anew, turn by turn.
struct made_anew {
    const char *key, *parent_key;
    struct crerender_vote writers;
    uint64_t turns, fewest, nanoseconds, processor, first_at, last_at;
};
static struct made_anew table[CRERENDER_ANEW];
static uint32_t epoch;

// MARK: The facts

static struct made_anew *place_of(const struct group *group) {
    struct made_anew *least = &table[0];
    for (size_t place = 0; place < CRERENDER_ANEW; place++) {
        struct made_anew *known = &table[place];
        if (known->key == group->key && known->parent_key == group->parent_key) return known;
        if (known->turns < least->turns) least = known;
    }
    *least = (struct made_anew){.key = group->key, .parent_key = group->parent_key, .first_at = group->first_at};
    return least;
}

static void put(void) {
    struct crerender_fact facts[CRERENDER_ANEW] = {0};
    for (size_t place = 0; place < CRERENDER_ANEW; place++) {
        const struct made_anew *known = &table[place];
        if (!known->key) continue;
        facts[place] = (struct crerender_fact){.kind = CRERENDER_FACT_ANEW,
                                               .view = known->key,
                                               .parent = known->parent_key,
                                               .writer = crerender_vote_writer(&known->writers),
                                               .count = known->turns,
                                               .of = known->fewest,
                                               .nanoseconds = known->nanoseconds,
                                               .processor = known->processor,
                                               .duration = known->last_at - known->first_at};
    }
    fact_table_put(CRERENDER_FACT_ANEW, facts, CRERENDER_ANEW, epoch);
}

static void count(const struct group *group) {
    struct made_anew *known = place_of(group);
    uint64_t fewer = group->made < group->dropped ? group->made : group->dropped;
    known->fewest = known->turns && known->fewest < fewer ? known->fewest : fewer;
    known->turns++;
    known->nanoseconds += group->last_at - group->first_at;
    known->processor += group->processor;
    known->last_at = group->last_at;
    crerender_vote_add(&known->writers, group->writer);
}

/// Whether as many came as had left, but for a tenth.
static bool is_made_anew(const struct group *group) {
    uint32_t fewer = group->made < group->dropped ? group->made : group->dropped;
    uint32_t more = group->made < group->dropped ? group->dropped : group->made;
    return group->turn == turn && group->key && fewer >= LEAST && (more - fewer) * 10 <= more;
}

static void end_turn(void) {
    if (has_many && !is_scrolled) {
        if (epoch != fact_table_epoch()) memset(table, 0, sizeof table);
        epoch = fact_table_epoch();
        for (size_t place = 0; place < GROUPS; place++)
            if (is_made_anew(&groups[place])) count(&groups[place]);
        put();
    }
    has_many = false;
    turn++;
}

// MARK: The turn

/// Begins another turn if it is one. False where no source runs: a program that begins has no turn.
static bool enter_turn(void) {
    GSource *current = gtk.g_main_current_source();
    if (!current) return false;
    // GLib reads the clock once a turn.
    gint64 now = gtk.g_source_get_time(current);
    if (current == source && now == time_of_turn) return true;
    end_turn();
    source = current;
    time_of_turn = now;
    is_scrolled = models_changes() != changes_by_frame;
    processor_of_turn = part_processor();
    return true;
}

static uint32_t size_of(const struct group *group) { return group->turn == turn ? group->made + group->dropped : 0; }

static struct group *group_of(const void *parent, GType type) {
    size_t hash = (size_t)((((uintptr_t)parent >> 4) ^ (type >> 3)) * 0x9e3779b97f4a7c15u >> 20);
    struct group *least = &groups[hash % GROUPS];
    for (size_t way = 0; way < WAYS; way++) {
        struct group *group = &groups[(hash + way) % GROUPS];
        if (group->turn == turn && group->parent == parent && group->type == type) return group;
        if (size_of(group) < size_of(least)) least = group;
    }
    if (size_of(least) >= LEAST) return NULL;
    *least = (struct group){.turn = turn, .parent = parent, .type = type, .first_at = part_now()};
    return least;
}

static GType type_of(GtkWidget *widget) { return ((GTypeInstance *)widget)->g_class->g_type; }

static void note_dropped(GtkWidget *widget) {
    struct record *record = known_record_of(widget);
    const void *parent = record ? record->put_into : NULL;
    if (!parent) return;
    record->put_into = NULL;
    struct group *group = enter_turn() ? group_of(parent, type_of(widget)) : NULL;
    if (!group) return;
    group->last_at = part_now();
    if (++group->dropped >= LEAST && group->made >= LEAST) has_many = true;
}

/// Names a group, while what makes its widgets is on the stack.
static void name(struct group *group, GtkWidget *widget, GtkWidget *parent) {
    group->key = part_key(widget);
    group->parent_key = part_key(parent);
    group->writer = writers_origin(0).writer;
}

static void note_made(GtkWidget *widget, GtkWidget *parent) {
    struct record *record = record_of(widget);
    if (!record) return;
    bool is_new = !record->was_put;
    record->was_put = true;
    record->put_into = parent;
    struct group *group = is_new && enter_turn() ? group_of(parent, type_of(widget)) : NULL;
    if (!group) return;
    group->last_at = part_now();
    if (++group->made == LEAST) name(group, widget, parent);
    // The kernel is asked for some of them.
    enum { EACH = 8 };
    if (group->made % EACH == 0) group->processor = part_processor() - processor_of_turn;
    if (group->made >= LEAST && group->dropped >= LEAST) has_many = true;
}

void anew_note_parent(GtkWidget *widget) {
    GtkWidget *parent = gtk.gtk_widget_get_parent(widget);
    if (parent)
        note_made(widget, parent);
    else
        note_dropped(widget);
}

void anew_frame_ended(void) {
    if (has_many) end_turn();
    changes_by_frame = models_changes();
}
#endif

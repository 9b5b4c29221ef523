// SPDX-License-Identifier: MIT
// Counts the runs of widgets' `snapshot`, and compares what they draw.

#include "crerender_gtk.h"
#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/frame_parts.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

void (*drawing_draw_over)(GtkWidget *widget, GtkSnapshot *snapshot);
void (*drawing_mark)(GtkWidget *widget, uint64_t count, bool is_wasted);
uint64_t drawing_counted;

typedef void (*snapshot_function)(GtkWidget *widget, GtkSnapshot *snapshot);

// MARK: A run

/// Draws into a snapshot of its own, so that the content can be compared.
static void draw(struct crerender_gtk_run *run, snapshot_function original, GtkSnapshot *snapshot) {
    if (run->is_plain) return original(run->widget, snapshot);
    GtkSnapshot *own = gtk.gtk_snapshot_new();
    original(run->widget, own);
    run->node = gtk.gtk_snapshot_free_to_node(own);
    if (run->node) gtk.gtk_snapshot_append_node(snapshot, run->node);
}

/// Whether the widgets in it may be others, or elsewhere.
static bool has_moved(struct record *record, const struct facts *facts) {
    bool stays = !facts->has_layout || places_stay(record);
    return !stays || facts->has_changed_child || facts->properties[0] || facts->is_shown;
}

/// Whether there was no room for a class's function.
static bool is_full;

/// Whether a class has no stand-in: what its widgets draw is not seen, so a run in which nothing changed may draw something else.
static bool has_unseen(void) { return is_full || patches_any(); }

/// Whether the content is as it was.
static enum comparison compare(const struct crerender_gtk_run *run) {
    struct record *record = run->record;
    // It is asked in each run: what it drew last is what counts.
    bool moves = run->is_plain && has_moved(record, &run->facts);
    if (!run->is_plain) record->places = 0;
    if (!record->is_drawn || record->generation != part.generation) return NODES_UNKNOWN;
    if (run->has_changed) return NODES_DIFFER;
    // What GTK draws around it cannot be seen.
    bool is_unknown = run->has_frame_changed || record->has_frame_changed;
    if (run->is_plain) return moves || is_unknown || run->has_unknown ? NODES_UNKNOWN : NODES_SAME;
    // It may have drawn widgets alone before, which is not kept.
    if (has_unseen() && !record->node) return NODES_UNKNOWN;
    enum comparison content = nodes_compare(record->node, run->node);
    return content == NODES_SAME && is_unknown ? NODES_UNKNOWN : content;
}

static void keep(struct crerender_gtk_run *run) {
    struct record *record = run->record;
    if (record->node) gtk.gsk_render_node_unref(record->node);
    record->node = run->node;
    run->node = NULL;
    record->is_drawn = true;
    record->generation = part.generation;
}

static void tell_outer(const struct crerender_gtk_run *run, bool has_own_reason, enum comparison comparison) {
    struct crerender_gtk_run *outer = run->outer;
    if (!outer) return;
    bool is_own = has_own_reason || !run->origin;
    const char *origin = is_own ? run->key : run->origin;
    if ((!is_own && run->has_more_origins) || (outer->origin && outer->origin != origin))
        outer->has_more_origins = true;
    if (!outer->origin) outer->origin = origin;
    if (comparison == NODES_DIFFER) outer->has_changed = true;
    if (comparison == NODES_UNKNOWN) outer->has_unknown = true;
}

/// The clock of the frames of what a run is in; null of what is in nothing.
static GdkFrameClock *clock_of(const struct crerender_gtk_run *run) {
    if (run->is_outermost) return NULL;
    GdkFrameClock *clock = frames_painting();
    return clock ? clock : gtk.gtk_widget_get_frame_clock(run->widget);
}

/// A run in which the widget ended: nothing that belongs to the widget can be looked at.
static struct crerender_gtk_outcome outcome_of_ended(const struct crerender_gtk_run *run) {
    drawing_counted++;
    frames_note_run(true, run->is_outermost, false);
    tell_outer(run, true, NODES_UNKNOWN);
    return (struct crerender_gtk_outcome){.is_counted = true};
}

/// Notes whom the frame is drawn for: a widget with a reason of its own, or the one that asked for its layout.
static void note_cause(struct record *record, const struct reason *reason) {
    if (reason->is_child) return;
    if (reason->asker) return causes_note(reason->asker, asker_origin(reason->asker).writer);
    if (reason->is_layout) return causes_note_layout(record, asker_origin(record).writer);
    uintptr_t writer = reason->is_tick && record->tick ? record->tick : reason->origin.writer;
    causes_note(record, writer || !reason->is_tick ? writer : record->spun);
}

struct crerender_gtk_outcome crerender_gtk_judge(struct crerender_gtk_run *run) {
    if (run->has_ended) return outcome_of_ended(run);
    struct record *record = run->record;
    struct crerender_gtk_outcome outcome = {.is_first = !record->is_drawn, .is_counted = true};
    struct reason_question asked = {record, &run->facts, clock_of(run), run->origin, run->has_more_origins};
    struct reason reason = reason_of(&asked);
    if (reason.is_tick) steps_note_outside();
    outcome.reason = reason.text;
    outcome.is_child = reason.is_child;
    outcome.writer = reason.origin.writer;
    outcome.source = reason.origin.source;
    outcome.callback = reason.origin.callback;
    enum comparison comparison = compare(run);
    outcome.is_compared = comparison != NODES_UNKNOWN;
    outcome.is_same = comparison == NODES_SAME;
    // Whatever it drew: one that draws something else each time would have the HUD ask again and again.
    bool is_for_hud = record->is_for_hud && !outcome.reason && !outcome.is_first;
    outcome.is_counted = !is_for_hud;
    if (outcome.is_counted) {
        note_cause(record, &reason);
        drawing_counted++;
        record->runs++;
        if (drawing_mark && !outcome.is_child && !outcome.is_first)
            drawing_mark(run->widget, record->runs, outcome.is_same);
    }
    frames_note_run(outcome.is_counted, run->is_outermost && !outcome.is_same,
                    run->is_outermost && comparison == NODES_DIFFER);
    record->is_for_hud = false;
    tell_outer(run, !outcome.is_child, comparison);
    keep(run);
    return outcome;
}

// MARK: In the place of a class's function

static struct slots snapshots;
/// GtkWidget's own; null where that is not known.
static void *plain;

static bool has_other_reason(const struct crerender_gtk_run *run) {
    return run->facts.states || run->facts.has_style || run->facts.is_shown || has_tick(run->widget, clock_of(run));
}

/// Begins to count a run; false where it does not.
static bool begins(struct crerender_gtk_run *run, bool is_plain) {
    struct record *record = part_counts() ? record_of(run->widget) : NULL;
    if (!record) return false;
    // It may have moved during a pause.
    if (record->is_drawn && record->generation != part.generation) part_rename(run->widget);
    if (!record->is_named) part_name(record);
    if (!record->is_listed) part_list(record);
    if (!record->view) return false;
    if (!run->evaluation) run->evaluation = part.swift.run_memory();
    if (!part.swift.run_began(record->view, record->instance, &record->hint, run->evaluation)) return false;
    run->record = record;
    run->key = record->key;
    run->is_plain = is_plain;
    // What happened before a pause need not be all.
    if (record->generation == part.generation) run->facts = record->facts;
    run->has_frame_changed = record->has_frame_changed;
    record->facts = (struct facts){.models = models_changes()};
    record->has_frame_changed = false;
    // Something else would have had it drawn, too.
    if (record->leads_to_drawing.link && has_other_reason(run)) lead_forget(&record->leads_to_drawing);
    run->step = step_began(record, false, &record->leads_to_drawing, NULL);
    return true;
}

/// Ends the run of a call, if it counts and was not forgotten.
static void end(const void *place) {
    struct crerender_gtk_run *run = runs_end(place);
    if (!run || (!run->record && !run->has_ended)) return;
    uint64_t nanoseconds = part.swift.run_ended(run->evaluation, run);
    if (run->is_outermost) frames_add_snapshot(nanoseconds);
    step_ended(&run->step);
    if (run->is_outermost) askers_drawn();
    run->record = NULL;
    // It was not judged.
    if (run->node) gtk.gsk_render_node_unref(run->node);
    run->node = NULL;
}

static void snapshot_runs(void *original, GtkWidget *widget, GtkSnapshot *snapshot) {
    uint64_t mark = 0;
    struct crerender_gtk_run *run = NULL;
    enum run_kind kind = runs_begin(&mark, __builtin_frame_address(0), widget, &run);
    // A class's function that calls its parent's is one run, and is drawn over once.
    if (kind == RUN_CHAINED) return ((snapshot_function)original)(widget, snapshot);
    if (kind == RUN_REFUSED && part_counts()) part.swift.run_dropped(part.swift.context);
    bool is_part = run && run->is_outermost && part_counts();
    uint32_t around = is_part ? frames_snapshot_begins() : 0;
    if (run && begins(run, original == plain && !has_unseen())) {
        draw(run, original, snapshot);
    } else {
        frames_note_unseen();
        ((snapshot_function)original)(widget, snapshot);
    }
    end(&mark);
    if (is_part) frames_snapshot_ended(around);
    if (drawing_draw_over) drawing_draw_over(widget, snapshot);
}

#define SNAPSHOT(number) \
    static void snapshot_##number(GtkWidget *widget, GtkSnapshot *snapshot) { \
        snapshot_runs(snapshots.originals[number], widget, snapshot); \
    }
SLOTS_ALL(SNAPSHOT)
#define ENTRY(number) (void *)snapshot_##number,
static void *const snapshot_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
static struct slots snapshots = {.name = "snapshot", .functions = snapshot_functions};

bool drawing_hook(GtkWidgetClass *class, bool is_base) {
    void *original = (void *)class->snapshot;
    bool has_room = slots_replace(&snapshots, (GTypeClass *)class, (void **)&class->snapshot);
    if (is_base && (void *)class->snapshot != original) plain = original;
    if (!has_room) is_full = true;
    return has_room;
}

void drawing_expect_hud(GtkWidget *root) {
    struct record *record = part_counts() ? drawn_record_of(root) : NULL;
    if (record) record->is_for_hud = true;
}

const char *crerender_gtk_reason(uint32_t number) { return texts_at(number); }
#endif

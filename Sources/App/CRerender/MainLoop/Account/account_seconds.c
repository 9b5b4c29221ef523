// SPDX-License-Identifier: MIT
// Which seconds in a row were busy without input, and whether that is worth a message.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

#include <string.h>

/// How often the app tells the daemon of a stretch that is known, and of a loop that turns.
#define NEWS_PERIOD ((uint64_t)5 * SECOND)
#define TURNS_PERIOD ((uint64_t)SECOND)
enum { NEWS_TURNS = 10 };

static bool is_frequent(uint64_t count, uint64_t per_second, uint64_t length) {
    return (double)count * SECOND >= (double)per_second * (double)length;
}

static void add_rows(struct loop_account *a) {
    for (int i = 0; i < ROWS && a->second_rows[i].row != 0; i++) {
        struct row_count *from = &a->second_rows[i];
        for (int j = 0; j < ROWS; j++) {
            struct row_count *to = &a->stretch_rows[j];
            if (to->row != from->row && to->row != 0) continue;
            to->row = from->row;
            to->same += from->same;
            to->due += from->due;
            break;
        }
    }
}

/// Names the source of a loop that spins: the one that was dispatched alone most often, or, where most turns were empty, the one that
/// said most often that it is due.
static void name_row(struct loop_account *a, struct crerender_stretch *stretch) {
    struct row_count same = {0}, due = {0};
    for (int i = 0; i < ROWS && a->stretch_rows[i].row != 0; i++) {
        if (a->stretch_rows[i].same > same.same) same = a->stretch_rows[i];
        if (a->stretch_rows[i].due > due.due) due = a->stretch_rows[i];
    }
    stretch->same_turns = same.same;
    // Where no source says so in most of the turns, the program may turn the loop itself.
    uint64_t is_due = due.due * 2 >= stretch->empty_turns ? due.row : 0;
    stretch->row = same.same >= stretch->empty_turns ? same.row : is_due;
}

static void keep_longer(struct stretch_state *stretch) {
    if (stretch->current.nanoseconds > stretch->kept.nanoseconds) stretch->kept = stretch->current;
    stretch->current = (struct crerender_stretch){0};
    stretch->quieter = 0;
}

static void end_by_input(struct loop_account *a) {
    for (int i = 0; i < STRETCHES; i++) keep_longer(&a->stretches[i]);
    memset(a->stretch_rows, 0, sizeof a->stretch_rows);
}

/// A second had less. Two of them on end say that the stretch ended by itself: if it was short, it is forgotten.
static void pass_quieter(struct loop_account *a, struct stretch_state *stretch) {
    if (stretch->current.nanoseconds == 0 || ++stretch->quieter < QUIETER) return;
    if (stretch->current.nanoseconds < LEAST_OVER) {
        // It may have been told as one that goes on.
        if (stretch->current.nanoseconds >= LEAST) a->has_forgotten = true;
        stretch->current = (struct crerender_stretch){0};
    }
    keep_longer(stretch);
}

static void pass_busy(struct loop_account *a, int which, uint64_t length) {
    struct stretch_state *stretch = &a->stretches[which];
    if (stretch->quieter > 0) keep_longer(stretch);
    struct crerender_stretch *current = &stretch->current;
    if (which == SPINNING) {
        if (current->nanoseconds == 0) memset(a->stretch_rows, 0, sizeof a->stretch_rows);
        add_rows(a);
    }
    current->nanoseconds += length;
    current->latest_at = a->second_began + length;
    current->processor += a->second.processor;
    current->turns += a->second.turns;
    current->polls_without_wait += a->second.polls_without_wait;
    current->empty_turns += a->second.empty_turns;
    current->wakeups += a->second.wakeups;
    current->frames += a->second.frames;
    current->unpainted += a->second.unpainted;
    current->same_frames += a->second.same_frames;
    current->compared += a->second.compared;
    current->compared_same += a->second.compared_same;
    current->likely += a->second.likely;
    current->likely_same += a->second.likely_same;
    if (which == SPINNING) name_row(a, current);
}

void account_tell(struct loop_account *a, uint64_t now) {
    a->has_forgotten = false;
    a->told_at = now;
    a->told_turns = a->totals.turns;
    void (*told)(void) = __atomic_load_n(&a->on_news, __ATOMIC_ACQUIRE);
    if (told) told();
}

/// Whether there is something to tell.
static bool has_news(struct loop_account *a, uint64_t now) {
    if (a->has_forgotten) return true;
    uint64_t longest = 0;
    for (int i = 0; i < STRETCHES; i++)
        if (a->stretches[i].current.nanoseconds > longest) longest = a->stretches[i].current.nanoseconds;
    uint64_t age = now - a->told_at;
    // News of a short one come as long as it goes on: see `QuietStretch.pause`.
    if (longest >= LEAST && (longest < LEAST_OVER || age >= NEWS_PERIOD)) return true;
    return age >= TURNS_PERIOD && a->totals.turns - a->told_turns >= NEWS_TURNS;
}

void account_end_second(struct loop_account *a, uint64_t length, uint64_t asleep, uint64_t now) {
    uint64_t quiet = GET(a->quiet_from), input = GET(a->input_at);
    if (input != 0 && input + QUIET > quiet) quiet = input + QUIET;
    if (a->second_began < quiet) {
        end_by_input(a);
    } else {
        const bool is_busy[STRETCHES] = {
            [FRAMES] = is_frequent(a->second.frames, 9, length),
            [SPINNING] = is_frequent(a->second.turns, 200, length),
            [BUSY] = is_frequent(a->second.processor, 10000000, length),
        };
        for (int i = 0; i < STRETCHES; i++) {
            if (is_busy[i]) pass_busy(a, i, length);
            uint64_t quieter = asleep + (is_busy[i] ? 0 : 1);
            for (uint64_t n = 0; n < quieter && n < QUIETER; n++) pass_quieter(a, &a->stretches[i]);
        }
    }
    a->second_began += length + asleep * SECOND;
    a->second = (struct crerender_stretch){0};
    memset(a->second_rows, 0, sizeof a->second_rows);
    account_show_stretches(a);
    if (has_news(a, now)) account_tell(a, now);
}

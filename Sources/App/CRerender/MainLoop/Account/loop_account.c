// SPDX-License-Identifier: MIT
// Adds up what the main loop's thread does, by turns, and which processor time that takes.
//
// The thread's clock is read at each end of a poll; in a loop that turns more than 1,000 times a second at each hundredth turn.
//
// One thread at a time writes: the loop's. The next one may begin while the last one is still in a function here, so that all words are
// atomic; their numbers may be mixed up for a moment then, and nothing else. Readers copy words of their own, under a sequence number.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

#include <string.h>

enum {
    /// So many turns are read together, if they took less than this.
    TOGETHER = 100,
    TOGETHER_TIME = 100000000,
    /// A thread that did not run for so long in a poll has slept.
    SLEPT = 10000,
    /// The same where only the clock is known: a poll that finds events at once takes less.
    SLEPT_BY_CLOCK = 20000,
    /// A loop of the other kind that turns on the same thread is an inner one, unless the outer one has not turned for so long.
    OUTER_TIME = SECOND,
    /// The daemon hears of a turn of so long when it ends, however few there are: it is a micro-hang, whose source has a row.
    TOLD_TURN = 100000000,
};

/// Forgets what was counted, once a reset asked for that.
static void follow_reset(struct loop_account *a) {
    uint64_t wanted = __atomic_load_n(&a->wanted_generation, __ATOMIC_ACQUIRE);
    if (wanted == a->generation) return;
    a->generation = wanted;
    uint64_t reading = a->clocks.own(), base = GET(a->reset_processor);
    memset(&a->totals, 0, sizeof a->totals);
    a->totals.processor = reading > base ? reading - base : 0;
    PUT(a->read_processor, reading);
    PUT(a->read_at, GET(a->since));
    memset(a->unread, 0, sizeof a->unread);
    for (uint32_t i = 0; i < DEPTH; i++) PUT(a->pieces[i].unread, 0);
    a->began_at = GET(a->reset_at);
    a->process_base = GET(a->reset_process);
    memset(a->stretches, 0, sizeof a->stretches);
    memset(&a->second, 0, sizeof a->second);
    memset(a->second_rows, 0, sizeof a->second_rows);
    a->second_began = a->told_at = GET(a->since);
    a->told_turns = 0;
    account_show_totals(a);
    account_show_stretches(a);
}

/// The calling thread's loop is the main loop from now on. Only what it runs from now on is counted.
static void take_over(struct loop_account *a, int loop, uint64_t now) {
    PUT(a->depth, 0);
    PUT(a->loop_depth, 0);
    PUT(a->in_poll, false);
    PUT(a->in_body, false);
    for (int i = 0; i < PLACES; i++) PUT(a->unread[i], 0);
    PUT(a->since, now);
    PUT(a->read_at, now);
    PUT(a->read_processor, a->clocks.own());
    a->is_together = false;
    a->turns_together = 0;
    a->together_began = now;
    a->running = 1024;
    a->turn_began = 0;
    a->base = 0;
    PUT(a->loop, loop);
    if (a->began_at == 0) {
        a->began_at = now;
        a->process_base = a->clocks.process();
        a->second_began = a->told_at = now;
        PUT(a->quiet_from, now + QUIET);
    }
    PUT(a->thread, crerender_this_thread());
    account_show_totals(a);
}

enum { OF_ANOTHER, INNER, MAIN };

/// What a loop is that turns on the calling thread.
static int relation(struct loop_account *a, int loop, uint64_t now) {
    bool is_here = GET(a->thread) == crerender_this_thread();
    bool is_other = GET(a->loop) != loop;
    bool is_over = GET(a->thread) == 0 || GET(a->was_left) || (is_here && now > GET(a->turned_at) + OUTER_TIME);
    if (is_other && !is_over) return is_here ? INNER : OF_ANOTHER;
    // One thread at a time is in GLib's default context, and in the main run loop.
    if (is_other || !is_here) take_over(a, loop, now);
    PUT(a->turned_at, now);
    PUT(a->was_left, false);
    return MAIN;
}

/// In an outermost poll no piece is open: one that was left by a jump is dropped.
static void note_outermost(struct loop_account *a, uintptr_t stack) {
    if (stack < a->base && (GET(a->depth) != 0 || GET(a->in_body))) return;
    PUT(a->depth, 0);
    PUT(a->in_body, false);
    a->base = stack;
}

static struct row_count *row_of(struct loop_account *a, uint32_t row) {
    for (int i = 0; i < ROWS; i++) {
        if (a->second_rows[i].row == 0) a->second_rows[i].row = (uint64_t)row + 1;
        if (a->second_rows[i].row == (uint64_t)row + 1) return &a->second_rows[i];
    }
    return NULL;
}

static void count_turn(struct loop_account *a, uint64_t now, bool waits) {
    if (!waits) {
        a->totals.polls_without_wait++;
        a->second.polls_without_wait++;
    }
    // The loop turned before that was seen.
    if (a->turn_began == 0) return;
    a->totals.turns++;
    a->second.turns++;
    if (a->turn_row == 0 && !a->has_others) {
        // A longer one had a source that is not seen.
        if (!account_sees_all(a) || now - a->turn_began >= LONG) return;
        a->totals.empty_turns++;
        a->second.empty_turns++;
    } else if (!a->has_others) {
        struct row_count *row = row_of(a, (uint32_t)(a->turn_row - 1));
        if (row) row->same++;
    }
}

/// Whether the clock is read at the end of this turn: at each, or at each hundredth.
static bool is_to_be_read(struct loop_account *a, uint64_t now) {
    uint64_t passed = now - a->together_began;
    bool is_last = ++a->turns_together >= TOGETHER;
    if (!is_last && (!a->is_together || passed < TOGETHER_TIME)) return !a->is_together;
    a->is_together = is_last && passed < TOGETHER_TIME;
    a->turns_together = 0;
    a->together_began = now;
    return true;
}

__attribute__((noinline)) void crerender_account_turn_ended(int loop, uint64_t now, bool waits) {
    if (crerender_is_silent()) return;
    struct loop_account *a = known_account();
    int relation_of_it = relation(a, loop, now);
    if (relation_of_it == OF_ANOTHER) return;
    follow_reset(a);
    if (relation_of_it == INNER) {
        account_advance(a, now);
        PUT(a->in_poll, true);
        return;
    }
    bool was_together = a->is_together;
    a->is_poll_read = is_to_be_read(a, now);
    account_advance_reading(a, now, a->is_poll_read);
    if (a->is_poll_read && was_together) a->running = GET(a->rate);
    count_turn(a, now, waits);
    if (now >= a->second_began + SECOND) account_end_second(a, now - a->second_began, 0, now);
    note_outermost(a, (uintptr_t)__builtin_frame_address(0));
    PUT(a->loop_depth, GET(a->depth));
    PUT(a->in_poll, true);
    a->poll_waits = waits;
    if (a->is_poll_read) account_show_totals(a);
    bool is_long = a->turn_began != 0 && now - a->turn_began >= TOLD_TURN;
    if (a->has_slow_frame || (is_long && now - a->told_at >= SECOND)) account_tell(a, now);
    a->has_slow_frame = false;
}

/// A poll ends: reads what it took, or takes it to be what polls usually take, since the clock does not tell.
static void end_poll(struct loop_account *a, uint64_t now) {
    uint64_t since = GET(a->since), passed = now > since ? now - since : 0, before = GET(a->totals.processor);
    bool has_slept;
    if (a->is_poll_read) {
        account_advance_reading(a, now, true);
        uint64_t ran = GET(a->totals.processor) - before;
        has_slept = passed > ran + SLEPT;
        if (a->poll_waits) a->poll_cost = a->poll_cost == 0 ? ran : (a->poll_cost * 7 + ran) / 8;
    } else {
        has_slept = passed >= SLEPT_BY_CLOCK;
        uint64_t work = a->poll_waits && passed > a->poll_cost ? a->poll_cost : passed;
        ADD(a->unread[CRERENDER_PART_LOOP], work);
        PUT(a->since, since + passed);
    }
    PUT(a->in_poll, false);
    if (!a->poll_waits || !has_slept) return;
    a->totals.wakeups++;
    a->second.wakeups++;
}

void crerender_account_turn_began(int loop, uint64_t now) {
    if (crerender_is_silent()) return;
    struct loop_account *a = known_account();
    int relation_of_it = relation(a, loop, now);
    if (relation_of_it == OF_ANOTHER) return;
    follow_reset(a);
    if (relation_of_it == INNER) {
        // Read, so that its wait is no work.
        account_advance_reading(a, now, true);
        PUT(a->in_poll, false);
        return;
    }
    if (GET(a->in_poll))
        end_poll(a, now);
    else
        account_advance(a, now);
    a->turn_began = now;
    a->turn_number++;
    // What runs this loop itself goes on behind it, in one of its turns.
    for (uint32_t i = 0; i < GET(a->depth) && i < DEPTH; i++) PUT(a->pieces[i].before, GET(a->pieces[i].wall));
    a->turn_row = 0;
    a->has_others = false;
    uint64_t passed = now > a->second_began ? now - a->second_began : 0;
    if (passed < SECOND) return;
    // What was counted was before the poll, within the second.
    account_end_second(a, SECOND, passed / SECOND - 1, now);
}

void crerender_account_loop_was_left(int loop, uint64_t now) {
    struct loop_account *a = own_account();
    if (!a || GET(a->loop) != loop) return;
    account_advance_reading(a, now, true);
    PUT(a->was_left, true);
    account_show_totals(a);
}

// MARK: What is in a turn

uint64_t crerender_account_turn(void) {
    struct loop_account *a = own_account();
    return a ? a->turn_number : 0;
}

void crerender_account_sees_sources(bool tell_input) {
    struct loop_account *a = known_account();
    PUT(a->sees_sources, 1);
    PUT(a->sources_tell_input, tell_input);
}

void crerender_account_misses_sources(void) { PUT(known_account()->misses_sources, 1); }

bool crerender_account_sees_all_sources(void) { return !GET(known_account()->misses_sources); }

void crerender_account_dispatched(uint32_t row) {
    struct loop_account *a = own_account();
    if (!a) return;
    // Which source it is, is not known; so neither is whether it was the one of the turn before.
    if (row >= CRERENDER_ROWS) {
        a->has_others = true;
        return;
    }
    uint64_t known = a->turn_row;
    if (known == 0) a->turn_row = (uint64_t)row + 1;
    if (known != 0 && known != (uint64_t)row + 1) a->has_others = true;
}

void crerender_account_due(uint32_t row) {
    struct loop_account *a = own_account();
    if (!a) return;
    struct row_count *known = row_of(a, row);
    if (known) known->due++;
}

void crerender_account_frame(bool is_painted, bool is_same, bool has_slow) {
    struct loop_account *a = own_account();
    if (!a) return;
    a->second.frames++;
    if (!is_painted) a->second.unpainted++;
    if (has_slow) a->has_slow_frame = true;
    if (is_same) a->second.same_frames++;
}

void crerender_account_compared(uint64_t compared, uint64_t same, uint64_t likely, uint64_t likely_same) {
    struct loop_account *a = own_account();
    if (!a) return;
    a->second.compared += compared;
    a->second.compared_same += same;
    a->second.likely += likely;
    a->second.likely_same += likely_same;
}

void crerender_account_first_frame(uint64_t now) {
    struct loop_account *a = own_account();
    if (!a || a->has_frames) return;
    a->has_frames = true;
    PUT(a->quiet_from, now + QUIET);
    memset(a->stretches, 0, sizeof a->stretches);
    account_show_stretches(a);
}

void crerender_account_input(uint64_t now) {
    struct loop_account *a = known_account();
    if (now > GET(a->input_at)) PUT(a->input_at, now);
}

void crerender_account_knows_input(void) { PUT(known_account()->is_input_known, 1); }

void crerender_account_on_news(void (*changed)(void)) {
    __atomic_store_n(&known_account()->on_news, changed, __ATOMIC_RELEASE);
}

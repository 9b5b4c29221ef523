// SPDX-License-Identifier: MIT
// Takes slices of time and reads the thread's clock, by parts of the loop's work and by pieces.
//
// Time goes on in slices: one part at a time has the thread. A slice that takes long is read at its end, together with what was not read
// before it. What lies between two readings is shared out by the clock.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

#include <string.h>

enum {
    /// As LONG, where many turns are read together.
    LONG_AMONG_MANY = 1000000,
    /// After so long the clock is read in a turn, whatever it does.
    OVERDUE = 200000000,
};

// MARK: Slices and readings

/// Reads the thread's clock, and shares out what it ran since the last reading. Of that, `slice` is the end: what came before it was
/// short and ran, so that what is left is the slice's, however long it was blocked.
static void read_clock(struct loop_account *a, uint32_t part, struct open_piece *piece, uint64_t slice) {
    uint64_t reading = a->clocks.own(), latest = GET(a->read_processor);
    // A thread's number may have gone to another thread.
    uint64_t ran = reading > latest ? reading - latest : 0, sum = 0;
    PUT(a->read_processor, reading);
    PUT(a->read_at, GET(a->since));
    ADD(a->totals.processor, ran);
    ADD(a->second.processor, ran);
    for (int i = 0; i < PLACES; i++) sum += GET(a->unread[i]);
    uint64_t before = slice == 0 || ran < sum ? ran : sum;
    double rate = sum == 0 ? 0 : (double)before / (double)sum;
    if (sum != 0) PUT(a->rate, rate < 1 ? (uint64_t)(rate * 1024) : 1024);
    for (uint32_t i = 0; sum != 0 && i < PLACES; i++) {
        uint64_t wall = GET(a->unread[i]);
        if (wall == 0) continue;
        PUT(a->unread[i], 0);
        if (i == NO_PART) continue;
        ADD(a->totals.parts[i].wall, wall);
        ADD(a->totals.parts[i].processor, (uint64_t)((double)wall * rate));
    }
    uint32_t depth = GET(a->depth);
    for (uint32_t i = 0; i < depth && i < DEPTH; i++) {
        struct open_piece *open = &a->pieces[i];
        uint64_t unread = GET(open->unread), share = (uint64_t)((double)unread * rate);
        if (unread == 0) continue;
        PUT(open->unread, 0);
        ADD(open->processor, share);
        ADD(open->shared, share);
    }
    if (slice == 0) return;
    // Of a poll, what it waited is no work.
    uint64_t own = ran - before, wall = GET(a->in_poll) ? own : slice;
    if (part != NO_PART) {
        ADD(a->totals.parts[part].wall, wall);
        ADD(a->totals.parts[part].processor, own);
    }
    if (piece) {
        ADD(piece->wall, wall);
        ADD(piece->processor, own);
    }
}

/// The piece that runs, if its time is its own.
static struct open_piece *running_piece(struct loop_account *a) {
    uint32_t depth = GET(a->depth);
    if (depth == 0 || GET(a->in_poll) || GET(a->in_body)) return NULL;
    return &a->pieces[(depth < DEPTH ? depth : DEPTH) - 1];
}

/// The part that a slice of that length is of. What is between two pieces is the loop's own work if it is short: asking sources whether
/// they are due. A longer gap is a function that is not seen.
static uint32_t part_of(struct loop_account *a, uint64_t slice, struct open_piece **piece) {
    *piece = NULL;
    if (GET(a->in_poll)) return CRERENDER_PART_LOOP;
    if (GET(a->in_body)) return CRERENDER_PART_BODIES;
    if (GET(a->depth) == GET(a->loop_depth) && slice < LONG) return CRERENDER_PART_LOOP;
    struct open_piece *running = running_piece(a);
    if (!running) return NO_PART;
    *piece = running;
    return GET(running->part);
}

void account_advance_reading(struct loop_account *a, uint64_t now, bool is_read) {
    uint64_t since = GET(a->since);
    // The counter may be read a few nanoseconds early by the processor.
    if (now <= since) {
        if (is_read) read_clock(a, NO_PART, NULL, 0);
        return;
    }
    uint64_t slice = now - since;
    PUT(a->since, now);
    // So that a turn that does not end is known, too.
    bool is_overdue = now > GET(a->read_at) + OVERDUE;
    struct open_piece *piece;
    uint32_t part = part_of(a, slice, &piece);
    if (slice >= (GET(a->is_together) ? LONG_AMONG_MANY : LONG) || (is_read && GET(a->in_poll))) {
        read_clock(a, part, piece, slice);
    } else {
        ADD(a->unread[part], slice);
        if (piece) {
            ADD(piece->wall, slice);
            ADD(piece->unread, slice);
        }
        if (is_read || is_overdue) read_clock(a, NO_PART, NULL, 0);
    }
    if (is_overdue && !GET(a->in_poll)) account_show_totals(a);
}

// MARK: Pieces

enum crerender_part crerender_account_enter(enum crerender_part part, uint64_t now) {
    struct loop_account *a = own_account();
    if (!a) return CRERENDER_PARTS;
    account_advance(a, now);
    if (part > NO_PART) part = NO_PART;
    uint32_t depth = GET(a->depth);
    enum crerender_part around = depth == 0 ? CRERENDER_PARTS : a->pieces[(depth < DEPTH ? depth : DEPTH) - 1].part;
    if (depth < DEPTH) {
        struct open_piece *piece = &a->pieces[depth];
        PUT(piece->began, now);
        PUT(piece->wall, 0);
        PUT(piece->before, 0);
        PUT(piece->unread, 0);
        PUT(piece->processor, 0);
        PUT(piece->shared, 0);
        PUT(piece->part, (uint32_t)part);
        PUT(piece->was_in_body, (uint32_t)GET(a->in_body));
        PUT(a->in_body, false);
    }
    PUT(a->depth, depth + 1);
    return around;
}

void crerender_account_leave(enum crerender_part around, uint64_t now) {
    (void)around;
    struct loop_account *a = own_account();
    if (!a) return;
    uint32_t depth = GET(a->depth);
    // It began before the loop was on this thread.
    if (depth == 0) return;
    account_advance(a, now);
    if (depth > DEPTH) {
        PUT(a->depth, depth - 1);
        return;
    }
    struct open_piece *piece = &a->pieces[depth - 1];
    uint64_t from = GET(piece->began), read_at = GET(a->read_at);
    if (from < read_at) from = read_at;
    bool is_together = GET(a->is_together);
    // Many short slices.
    if (now > from && now - from >= (is_together ? LONG_AMONG_MANY : LONG)) read_clock(a, NO_PART, NULL, 0);
    uint64_t unread = GET(piece->unread), share = is_together ? unread * GET(a->running) >> 10 : unread;
    uint64_t shared = GET(piece->shared) + share, processor = GET(piece->processor) + share;
    PUT(a->last.wall, GET(piece->wall));
    PUT(a->last.in_turn, GET(piece->wall) - GET(piece->before));
    PUT(a->last.processor, processor);
    PUT(a->last.is_shared, shared * 2 > processor);
    PUT(a->in_body, GET(piece->was_in_body) != 0);
    PUT(a->depth, depth - 1);
    // A loop inside of that piece was left.
    if (GET(a->loop_depth) > depth - 1) PUT(a->loop_depth, 0);
}

void crerender_account_body(bool runs, uint64_t now) {
    struct loop_account *a = own_account();
    if (!a || GET(a->in_body) == runs) return;
    account_advance(a, now);
    PUT(a->in_body, runs);
}

struct crerender_piece crerender_account_piece(void) {
    struct loop_account *a = own_account();
    if (!a) return (struct crerender_piece){0};
    return (struct crerender_piece){GET(a->last.wall), GET(a->last.in_turn), GET(a->last.processor),
                                    GET(a->last.is_shared)};
}

void crerender_account_parts(uint64_t now, uint64_t *wall) {
    struct loop_account *a = own_account();
    if (!a) return;
    account_advance(a, now);
    for (int i = 0; i < CRERENDER_PARTS; i++) wall[i] = GET(a->totals.parts[i].wall) + GET(a->unread[i]);
}

// Which seconds in a row were busy without input, and whether that is worth a message.

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

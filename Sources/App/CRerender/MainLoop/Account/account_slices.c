// SPDX-License-Identifier: MIT
// Takes slices of time and reads the thread's clock, by parts of the loop's work and by pieces.
//
// Time goes on in slices: one part at a time has the thread. A slice that takes long is read at its end, together with what was not read
// before it. What lies between two readings is shared out by the clock.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "account_state.h"

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

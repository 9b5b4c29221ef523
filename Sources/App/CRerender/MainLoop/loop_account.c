// SPDX-License-Identifier: MIT
// Adds up what the main loop's thread does, and which processor time that takes.
//
// Time goes on in slices: one part at a time has the thread. A slice that takes long is read at its end, together with what was not read
// before it. The thread's clock is read at each end of a poll as well; in a loop that turns more than 1,000 times a second at each
// hundredth turn. What lies between two readings is shared out by the clock.
//
// One thread at a time writes: the loop's. The next one may begin while the last one is still in a function here, so that all words are
// atomic; their numbers may be mixed up for a moment then, and nothing else. Readers copy words of their own, under a sequence number.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRerender.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define GET(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define PUT(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)
#define ADD(word, value) PUT(word, GET(word) + (value))

enum {
    /// A slice of so long is read, and a gap of so long is not the loop's own work.
    LONG = 50000,
    /// The same where many turns are read together.
    LONG_AMONG_MANY = 1000000,
    /// So many turns are read together, if they took less than this.
    TOGETHER = 100,
    TOGETHER_TIME = 100000000,
    /// After so long the clock is read in a turn, whatever it does.
    OVERDUE = 200000000,
    /// A thread that did not run for so long in a poll has slept.
    SLEPT = 10000,
    /// The same where only the clock is known: a poll that finds events at once takes less.
    SLEPT_BY_CLOCK = 20000,
    SECOND = 1000000000,
    /// A loop of the other kind that turns on the same thread is an inner one, unless the outer one has not turned for so long.
    OUTER_TIME = SECOND,
    /// Pieces in each other. Further ones are part of what is around them.
    DEPTH = 32,
    /// So many sources of a second have a count of their own.
    ROWS = 16,
    /// A quieter second ends a stretch, and a second one says that it ended by itself.
    QUIETER = 2,
};

/// How long after the beginning and after input nothing is without input.
#define QUIET ((uint64_t)2 * SECOND)
/// As `QuietStretch.least` and `QuietStretch.leastOver`.
#define LEAST ((uint64_t)5 * SECOND)
#define LEAST_OVER ((uint64_t)15 * SECOND)
/// How often the app tells the daemon of a stretch that is known, and of a loop that turns.
#define NEWS_PERIOD ((uint64_t)5 * SECOND)
#define TURNS_PERIOD ((uint64_t)10 * SECOND)
enum { NEWS_TURNS = 10 };

/// Time that no part has.
enum { NO_PART = CRERENDER_PARTS, PLACES };

/// A piece that runs.
struct open_piece {
    uint64_t began;
    /// Its own time, and what of it lies after the last reading.
    uint64_t wall, unread;
    uint64_t processor, shared;
    uint32_t part;
    uint32_t was_in_body;
};

/// How often a source was dispatched alone in a turn, and how often it was due.
struct row_count {
    uint64_t row, same, due;
};

enum { FRAMES, SPINNING, BUSY, STRETCHES };

/// A row of seconds, as far as it goes.
struct stretch_state {
    struct crerender_stretch kept, current;
    /// Quieter seconds since the last of `current`.
    uint64_t quieter;
};

/// What readers copy: words, under an even sequence number.
struct shown {
    struct crerender_account totals;
    struct crerender_stretch kept[STRETCHES], current[STRETCHES];
    uint64_t generation, thread, began_at, process_base, read_at, read_processor;
};
enum { SHOWN_WORDS = sizeof(struct shown) / sizeof(uint64_t) };

static uint64_t real_clock(clockid_t clock) {
    struct timespec t = {0};
    if (clock_gettime(clock, &t) != 0) return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static uint64_t real_now(void) { return crerender_now(); }
static uint64_t real_own(void) { return real_clock(CLOCK_THREAD_CPUTIME_ID); }
/// The kernel's number for the clock of a thread of this process: clock_getcpuclockid(3) makes such a one of a process.
static uint64_t real_thread(pid_t thread) { return real_clock((clockid_t)((~(unsigned)thread << 3) | 6)); }
static uint64_t real_process(void) { return real_clock(CLOCK_PROCESS_CPUTIME_ID); }

/// What is kept of one main loop.
struct loop_account {
    struct crerender_account_clocks clocks;
    // Of the loop's thread.
    int32_t thread;
    int loop;
    bool was_left;
    /// When the loop turned last, and where the stack was in the outermost poll that is known.
    uint64_t turned_at;
    uintptr_t base;
    uint64_t generation;
    struct crerender_account totals;
    uint64_t began_at, process_base;
    // Slices.
    uint64_t since;
    bool in_poll, poll_waits, is_poll_read, in_body;
    uint32_t depth, loop_depth;
    struct open_piece pieces[DEPTH];
    struct crerender_piece last;
    // Readings.
    uint64_t read_at, read_processor;
    uint64_t unread[PLACES];
    bool is_together;
    uint32_t turns_together;
    uint64_t together_began;
    /// What a poll takes that waits. How much of the time ran that was shared out last, in 1/1,024, and of turns that were read together.
    uint64_t poll_cost, rate, running;
    // The turn.
    uint64_t turn_began, turn_number;
    uint64_t turn_row;
    bool has_others;
    // The second, and seconds in a row.
    uint64_t second_began;
    struct crerender_stretch second;
    struct row_count second_rows[ROWS], stretch_rows[ROWS];
    struct stretch_state stretches[STRETCHES];
    bool has_frames, has_forgotten;
    uint64_t told_at, told_turns;
    // Of any thread.
    uint64_t input_at, quiet_from, is_input_known, sees_sources, sources_tell_input, misses_sources;
    uint64_t wanted_generation, reset_at, reset_processor, reset_process;
    void (*on_news)(void);
    uint32_t shown_sequence;
    uint64_t shown[SHOWN_WORDS];
};

/// The process's.
static struct loop_account process_account = {.clocks = {real_now, real_own, real_thread, real_process}};
/// The calling thread's own, in tests; NULL elsewhere.
static _Thread_local struct loop_account *test_account;

static struct loop_account *known_account(void) { return test_account ? test_account : &process_account; }

/// The account of the loop that the calling thread runs; NULL on other threads.
static struct loop_account *own_account(void) {
    int32_t thread = crerender_this_thread();
    if (crerender_is_silent()) return NULL;
    if (__builtin_expect(GET(process_account.thread) == thread, 1)) return &process_account;
    return test_account && GET(test_account->thread) == thread ? test_account : NULL;
}

// MARK: Showing

/// Writes words for readers, unless another thread does so at this moment: it has taken the loop over, and shows its own.
static void show(struct loop_account *a, size_t place, const uint64_t *from, size_t bytes) {
    uint32_t sequence = GET(a->shown_sequence);
    if ((sequence & 1) || !__atomic_compare_exchange_n(&a->shown_sequence, &sequence, sequence + 1, false,
                                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    // Nothing of what follows is seen before the odd number.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (size_t i = 0; i < bytes / sizeof *from; i++) PUT(a->shown[place / sizeof *from + i], GET(from[i]));
    __atomic_store_n(&a->shown_sequence, sequence + 2, __ATOMIC_RELEASE);
}

static void show_totals(struct loop_account *a) {
    show(a, offsetof(struct shown, totals), (const uint64_t *)&a->totals, offsetof(struct crerender_account, frames));
    const uint64_t others[] = {a->generation,   (uint64_t)a->thread, a->began_at,
                               a->process_base, a->read_at,          a->read_processor};
    show(a, offsetof(struct shown, generation), others, sizeof others);
}

static void show_stretches(struct loop_account *a) {
    struct crerender_stretch all[2][STRETCHES];
    for (int i = 0; i < STRETCHES; i++) {
        all[0][i] = a->stretches[i].kept;
        all[1][i] = a->stretches[i].current;
    }
    show(a, offsetof(struct shown, kept), (const uint64_t *)all, sizeof all);
}

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

/// Gives the time until now to what has the thread. `is_read` where it is to be read, however short it is.
static void advance_reading(struct loop_account *a, uint64_t now, bool is_read) {
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
    if (is_overdue && !GET(a->in_poll)) show_totals(a);
}

static void advance(struct loop_account *a, uint64_t now) { advance_reading(a, now, false); }

// MARK: Pieces

enum crerender_part crerender_account_enter(enum crerender_part part, uint64_t now) {
    struct loop_account *a = own_account();
    if (!a) return CRERENDER_PARTS;
    advance(a, now);
    if (part > NO_PART) part = NO_PART;
    uint32_t depth = GET(a->depth);
    enum crerender_part around = depth == 0 ? CRERENDER_PARTS : a->pieces[(depth < DEPTH ? depth : DEPTH) - 1].part;
    if (depth < DEPTH) {
        struct open_piece *piece = &a->pieces[depth];
        PUT(piece->began, now);
        PUT(piece->wall, 0);
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
    advance(a, now);
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
    advance(a, now);
    PUT(a->in_body, runs);
}

struct crerender_piece crerender_account_piece(void) {
    struct loop_account *a = own_account();
    if (!a) return (struct crerender_piece){0};
    return (struct crerender_piece){GET(a->last.wall), GET(a->last.processor), GET(a->last.is_shared)};
}

// MARK: Seconds

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

/// Ends the second, which had all that was counted until now, and goes on after `asleep` more in which nothing happened.
static void end_second(struct loop_account *a, uint64_t length, uint64_t asleep, uint64_t now) {
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
    show_stretches(a);
    if (!has_news(a, now)) return;
    a->has_forgotten = false;
    a->told_at = now;
    a->told_turns = a->totals.turns;
    void (*told)(void) = __atomic_load_n(&a->on_news, __ATOMIC_ACQUIRE);
    if (told) told();
}

// MARK: Turns

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
    show_totals(a);
    show_stretches(a);
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
    show_totals(a);
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
        if (!GET(a->sees_sources) || GET(a->misses_sources) || now - a->turn_began >= LONG) return;
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
        advance(a, now);
        PUT(a->in_poll, true);
        return;
    }
    bool was_together = a->is_together;
    a->is_poll_read = is_to_be_read(a, now);
    advance_reading(a, now, a->is_poll_read);
    if (a->is_poll_read && was_together) a->running = GET(a->rate);
    count_turn(a, now, waits);
    if (now >= a->second_began + SECOND) end_second(a, now - a->second_began, 0, now);
    note_outermost(a, (uintptr_t)__builtin_frame_address(0));
    PUT(a->loop_depth, GET(a->depth));
    PUT(a->in_poll, true);
    a->poll_waits = waits;
    if (a->is_poll_read) show_totals(a);
}

/// A poll ends: reads what it took, or takes it to be what polls usually take, since the clock does not tell.
static void end_poll(struct loop_account *a, uint64_t now) {
    uint64_t since = GET(a->since), passed = now > since ? now - since : 0, before = GET(a->totals.processor);
    bool has_slept;
    if (a->is_poll_read) {
        advance_reading(a, now, true);
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
        advance_reading(a, now, true);
        PUT(a->in_poll, false);
        return;
    }
    if (GET(a->in_poll))
        end_poll(a, now);
    else
        advance(a, now);
    a->turn_began = now;
    a->turn_number++;
    a->turn_row = 0;
    a->has_others = false;
    uint64_t passed = now > a->second_began ? now - a->second_began : 0;
    if (passed < SECOND) return;
    // What was counted was before the poll, within the second.
    end_second(a, SECOND, passed / SECOND - 1, now);
}

void crerender_account_loop_was_left(int loop, uint64_t now) {
    struct loop_account *a = own_account();
    if (!a || GET(a->loop) != loop) return;
    advance_reading(a, now, true);
    PUT(a->was_left, true);
    show_totals(a);
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

void crerender_account_frame(bool is_painted, bool is_same) {
    struct loop_account *a = own_account();
    if (!a) return;
    a->second.frames++;
    if (!is_painted) a->second.unpainted++;
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
    show_stretches(a);
}

void crerender_account_input(uint64_t now) {
    struct loop_account *a = known_account();
    if (now > GET(a->input_at)) PUT(a->input_at, now);
}

void crerender_account_knows_input(void) { PUT(known_account()->is_input_known, 1); }

void crerender_account_on_news(void (*changed)(void)) {
    __atomic_store_n(&known_account()->on_news, changed, __ATOMIC_RELEASE);
}

// MARK: Reading

/// Copies what is shown; false where the writer was faster each time, or lost its processor.
static bool copy_shown(struct loop_account *a, struct shown *copy) {
    uint64_t words[SHOWN_WORDS];
    for (int attempt = 0; attempt < 1000; attempt++) {
        uint32_t sequence = __atomic_load_n(&a->shown_sequence, __ATOMIC_ACQUIRE);
        if ((sequence & 1) == 0) {
            for (int i = 0; i < SHOWN_WORDS; i++) words[i] = GET(a->shown[i]);
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
            if (GET(a->shown_sequence) == sequence) {
                memcpy(copy, words, sizeof *copy);
                return true;
            }
        }
        sched_yield();
    }
    return false;
}

/// What the thread has run since it was read; never more than has passed.
static uint64_t ran_since(struct loop_account *a, const struct shown *known, uint64_t now) {
    uint64_t reading = a->clocks.thread((pid_t)known->thread);
    if (reading <= known->read_processor || now <= known->read_at) return 0;
    uint64_t ran = reading - known->read_processor, passed = now - known->read_at;
    return ran < passed ? ran : passed;
}

/// The longer one of the two. One that is not told of any more has ended by itself.
static struct crerender_stretch longest(struct loop_account *a, const struct shown *known, int which, uint64_t now) {
    struct crerender_stretch current = known->current[which], kept = known->kept[which];
    bool goes_on = now <= current.latest_at + (uint64_t)(QUIETER + 1) * SECOND;
    bool counts = goes_on || current.nanoseconds >= LEAST_OVER || GET(a->input_at) > current.latest_at;
    return counts && current.nanoseconds > kept.nanoseconds ? current : kept;
}

bool crerender_account_read(struct crerender_account *account) {
    struct loop_account *a = known_account();
    struct shown known;
    memset(account, 0, sizeof *account);
    if (!copy_shown(a, &known) || known.thread == 0) return false;
    uint64_t now = a->clocks.now(), began_at = known.began_at, process_base = known.process_base;
    if (known.generation == __atomic_load_n(&a->wanted_generation, __ATOMIC_ACQUIRE)) {
        *account = known.totals;
        account->processor += ran_since(a, &known, now);
        account->frames = longest(a, &known, FRAMES, now);
        account->spinning = longest(a, &known, SPINNING, now);
        account->busy = longest(a, &known, BUSY, now);
    } else {
        // The loop has not turned since.
        uint64_t reading = a->clocks.thread((pid_t)known.thread), base = GET(a->reset_processor);
        account->processor = reading > base ? reading - base : 0;
        began_at = GET(a->reset_at);
        process_base = GET(a->reset_process);
    }
    uint64_t process = a->clocks.process();
    account->counted = now > began_at ? now - began_at : 0;
    account->process = process > process_base ? process - process_base : 0;
    if (account->process < account->processor) account->process = account->processor;
    bool is_told = GET(a->sources_tell_input) && !GET(a->misses_sources);
    account->is_input_known = GET(a->is_input_known) || is_told;
    return true;
}

pid_t crerender_account_thread(void) { return GET(known_account()->thread); }

void crerender_account_reset(void) {
    struct loop_account *a = known_account();
    pid_t thread = GET(a->thread);
    if (thread == 0) return;
    PUT(a->reset_at, a->clocks.now());
    PUT(a->reset_processor, a->clocks.thread(thread));
    PUT(a->reset_process, a->clocks.process());
    __atomic_fetch_add(&a->wanted_generation, 1, __ATOMIC_RELEASE);
}

void crerender_account_set_test_clocks(const struct crerender_account_clocks *clocks) {
    free(test_account);
    test_account = clocks ? calloc(1, sizeof *test_account) : NULL;
    if (test_account) test_account->clocks = *clocks;
}

// SPDX-License-Identifier: MIT
// What is kept of a main loop by those who add it up: words that are read and written as a whole, for readers and other threads. And what each does.
#ifndef CRERENDER_ACCOUNT_STATE_H
#define CRERENDER_ACCOUNT_STATE_H

#include "CRerender.h"

#pragma GCC visibility push(hidden)

#define GET(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define PUT(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)
#define ADD(word, value) PUT(word, GET(word) + (value))

enum {
    SECOND = 1000000000,
    /// Pieces in each other. Further ones are part of what is around them.
    DEPTH = 32,
    /// So many sources of a second have a count of their own.
    ROWS = 16,
    /// A quieter second ends a stretch, and a second one says that it ended by itself.
    QUIETER = 2,
    /// A slice of so long is read, and a gap of so long is not the loop's own work.
    LONG = 50000,
};

/// How long after the beginning and after input nothing is without input.
#define QUIET ((uint64_t)2 * SECOND)
/// As `QuietStretch.least` and `QuietStretch.leastOver`.
#define LEAST ((uint64_t)5 * SECOND)
#define LEAST_OVER ((uint64_t)15 * SECOND)

/// Time that no part has.
enum { NO_PART = CRERENDER_PARTS, PLACES };

/// A piece that runs.
struct open_piece {
    uint64_t began;
    /// Its own time, what of it lies in earlier turns, and what after the last reading.
    uint64_t wall, before, unread;
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
    /// Whether a frame of this turn shows what slow input led to.
    bool has_slow_frame;
    // Of any thread.
    uint64_t input_at, quiet_from, is_input_known, sees_sources, sources_tell_input, misses_sources;
    uint64_t wanted_generation, reset_at, reset_processor, reset_process;
    void (*on_news)(void);
    uint32_t shown_sequence;
    uint64_t shown[SHOWN_WORDS];
};

/// The process's.
extern struct loop_account process_account;
/// The calling thread's own, in tests; NULL elsewhere.
extern _Thread_local struct loop_account *test_account;

static inline struct loop_account *known_account(void) { return test_account ? test_account : &process_account; }

/// The account of the loop that the calling thread runs; NULL on other threads.
static inline struct loop_account *own_account(void) {
    int32_t thread = crerender_this_thread();
    if (crerender_is_silent()) return NULL;
    if (__builtin_expect(GET(process_account.thread) == thread, 1)) return &process_account;
    return test_account && GET(test_account->thread) == thread ? test_account : NULL;
}

/// Whether each source is seen that the loop dispatches: GLib's are, unless some are known to be missed. Any thread.
static inline bool account_sees_all(const struct loop_account *account) {
    return GET(account->loop) == CRERENDER_GLIB && GET(account->sees_sources) && !GET(account->misses_sources);
}

/// Ends the second, which had all that was counted until now, and goes on after `asleep` more in which nothing happened.
void account_end_second(struct loop_account *account, uint64_t length, uint64_t asleep, uint64_t now);

/// Tells that there is news. On the loop's thread.
void account_tell(struct loop_account *account, uint64_t now);

/// Shows the totals, or the seconds in a row, from now on. On the loop's thread.
void account_show_totals(struct loop_account *account);
void account_show_stretches(struct loop_account *account);

/// Gives the time until now to what has the thread. `is_read` where it is to be read, however short it is.
void account_advance_reading(struct loop_account *account, uint64_t now, bool is_read);

static inline void account_advance(struct loop_account *account, uint64_t now) {
    account_advance_reading(account, now, false);
}

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// What the main loop's thread does with its processor time, as the loop goes along.
#ifndef CRERENDER_LOOP_ACCOUNT_H
#define CRERENDER_LOOP_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// In the order of the parts of `LoopTotals`.
enum crerender_part {
    CRERENDER_PART_BODIES,
    CRERENDER_PART_STYLE,
    CRERENDER_PART_LAYOUT,
    CRERENDER_PART_UPDATE,
    CRERENDER_PART_SNAPSHOT,
    CRERENDER_PART_DRAWING,
    CRERENDER_PART_SOURCES,
    CRERENDER_PART_LOOP,
    /// How many there are; as a part: none.
    CRERENDER_PARTS
};

// MARK: What the loop's thread calls
//
// Each of these may be called on any thread, and does nothing on another thread than the loop's. None takes a lock, allocates, or
// waits; a reading of the thread's processor time is a system call of 0.2 to 0.4 microseconds.

/// The loop is about to ask for events, or to wait for them, unless `waits` is false. `loop` is CRERENDER_GLIB or CRERENDER_CFRUNLOOP.
void crerender_account_turn_ended(int loop, uint64_t now, bool waits);
/// The loop has asked, or has waited.
void crerender_account_turn_began(int loop, uint64_t now);
/// The loop was left, which GLib's does not say.
void crerender_account_loop_was_left(int loop, uint64_t now);

/// A piece of a part begins. The time until now is that of what is around it. Returns the part around it, CRERENDER_PARTS for none.
///
/// A piece of 50 microseconds or more has the processor time that it took. What is shorter has a share by the clock.
enum crerender_part crerender_account_enter(enum crerender_part part, uint64_t now);
/// The piece that began last ends; `around` is what its beginning returned.
void crerender_account_leave(enum crerender_part around, uint64_t now);
/// A body runs from now on, or what is around bodies does. A body that begins within another one need not be told.
void crerender_account_body(bool runs, uint64_t now);

/// Of a piece: without bodies, and without the pieces in it.
struct crerender_piece {
    uint64_t wall;
    /// What of it lies in the turn under way: a function that runs a loop of its own has turns before that.
    uint64_t in_turn;
    uint64_t processor;
    /// Whether most of `processor` is shared out by the clock.
    bool is_shared;
};
/// The piece that ended last.
struct crerender_piece crerender_account_piece(void);

/// The time by the clock of each part until now, `CRERENDER_PARTS` numbers. Nothing is written on another thread than the loop's. The numbers
/// begin anew with a reset.
void crerender_account_parts(uint64_t now, uint64_t *wall);

/// The number of the turn under way, from 1 on; a loop in a loop has turns of its own. 0 before the first, and on other threads.
uint64_t crerender_account_turn(void);
/// From now on `crerender_account_dispatched` is called for each source of GLib's. A turn before that is not known to be empty, and neither is
/// one of CoreFoundation's loop. Whether sources bring all input may change: a toolkit that tells of it may be loaded later.
void crerender_account_sees_sources(bool tell_input);
/// Some sources cannot be seen: from now on no turn is known to be empty, nor whether input came by one. Any thread.
void crerender_account_misses_sources(void);
/// Whether that was never said. Any thread.
bool crerender_account_sees_all_sources(void);
/// A source of that row was dispatched in this turn. `row` counts from 0; `CRERENDER_ROWS` where it is not one source's.
void crerender_account_dispatched(uint32_t row);
/// A source of that row has said, before the poll, that it is due.
void crerender_account_due(uint32_t row);
/// A frame has ended. Where it shows what slow input led to, the end of the turn tells of it: it may be the last turn for long.
void crerender_account_frame(bool is_painted, bool is_same, bool has_slow);
/// Frames of a sample were compared by their pixels, too: `same` of `compared` draw the same. The sample stands for `likely` frames, and says that
/// `likely_same` of these draw the same.
void crerender_account_compared(uint64_t compared, uint64_t same, uint64_t likely, uint64_t likely_same);
/// The first frame of the process. What came before is the program's start.
void crerender_account_first_frame(uint64_t now);

// MARK: What any thread calls

/// Input came.
void crerender_account_input(uint64_t now);
/// From now on somebody tells of all input.
void crerender_account_knows_input(void);

/// A part's time.
struct crerender_part_time {
    uint64_t wall, processor;
};
/// Seconds in a row without input, as `QuietStretch` has them.
struct crerender_stretch {
    uint64_t nanoseconds;
    /// Of the monotonic clock.
    uint64_t latest_at;
    uint64_t processor, turns, polls_without_wait, empty_turns, same_turns, row, wakeups, frames, unpainted,
        same_frames, compared, compared_same, likely, likely_same;
};
/// The fields of `LoopTotals`, in their order.
struct crerender_account {
    uint64_t counted, turns, polls_without_wait, empty_turns, wakeups, processor, process;
    struct crerender_part_time parts[CRERENDER_PARTS];
    struct crerender_stretch frames, spinning, busy;
    uint64_t is_input_known;
};

/// What is known now; false before the loop has turned. The thread's and the process's processor time are read here.
bool crerender_account_read(struct crerender_account *account);
/// The loop's thread; 0 before the loop has turned.
pid_t crerender_account_thread(void);
/// Begins anew: the thread of the loop does so at its next turn.
void crerender_account_reset(void);
/// Has `changed` called on the loop's thread when there is news that is worth a message: at most once a second and at the first frame after each
/// turn of 100 ms, and never while the loop sleeps.
void crerender_account_on_news(void (*_Nullable changed)(void));

/// Where time comes from; tests have clocks of their own.
struct crerender_account_clocks {
    uint64_t (*now)(void);
    /// Processor time of the calling thread, of a thread, and of the process.
    uint64_t (*own)(void);
    uint64_t (*thread)(pid_t thread);
    uint64_t (*process)(void);
};
/// Gives the calling thread an account of its own with other clocks, in the place of the process's, until NULL takes it away; for tests.
void crerender_account_set_test_clocks(const struct crerender_account_clocks *_Nullable clocks);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

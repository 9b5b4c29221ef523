// SPDX-License-Identifier: MIT
// Reaches the main loops that a process may have, without linking any of them.
#ifndef CRERENDER_MAIN_LOOP_H
#define CRERENDER_MAIN_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

enum { CRERENDER_GLIB, CRERENDER_CFRUNLOOP };
/// What a loop does. GLib tells of its waits only. In the order of the cases of `LoopState.Edge`.
enum { CRERENDER_ENTERED, CRERENDER_LEFT, CRERENDER_BEFORE_WAIT, CRERENDER_AFTER_WAIT };

/// Called on the loop's thread at each edge; never in a forked child.
typedef void (*crerender_edge)(int loop, int edge);

/// Whether the calling thread may look up what the program does not link, for which it may wait for the loader. At first no
/// thread may; only one of ours does, and one whose app asks for the main queue to be served.
void crerender_let_thread_wait_for_loader(bool may);
bool crerender_thread_may_wait_for_loader(void);

/// When this code was loaded, by the monotonic clock: in front of `main`, unless a library that was loaded later needed it.
uint64_t crerender_loaded_at(void);

/// How many files the loader has loaded so far. Takes the loader's lock for a moment.
uint64_t crerender_loads(void);
/// Wraps the poll function of GLib's default context, if GLib is in the process; again if the app has set another since.
/// One caller at a time.
void crerender_hook_glib(crerender_edge edge);
/// Observes the main CFRunLoop in the common modes, if CoreFoundation is in the process. One caller at a time; once.
void crerender_hook_cfrunloop(crerender_edge edge);
/// Put back what all files called, and the app's poll function where ours is, and take the observers away. What is on a queue runs as it would
/// have. Any number of times, and no hook after it.
void crerender_unhook_imports(void);
void crerender_unhook_glib(void);
void crerender_unhook_cfrunloop(void);

/// Has `CRERENDER_TURN_LASTS` told once a turn of GLib's default context has lasted for so long, and at most twice as long. It may
/// be told for a turn that is over, where the loop does not wait between two.
void crerender_set_turn_alarm(uint64_t nanoseconds);

/// Deletes the timer and ends its thread, for good. The hooks set it no more.
void crerender_stop_turn_alarm(void);

/// It was told: the next turn sets the alarm anew.
void crerender_turn_alarm_rang(void);

/// Whether the calling thread owns GLib's default context: is inside of its loop. False without GLib.
bool crerender_owns_glib(void);
/// Whether no thread is inside of the loop of GLib's default context. The context is had for nanoseconds: a loop that is started
/// at that very moment waits for it, or finds it taken. False without GLib.
bool crerender_glib_is_free(void);

enum crerender_wake_state { CRERENDER_WAKES, CRERENDER_WAKE_LOST, CRERENDER_WAKE_UNKNOWN };

/// Whether libdispatch still has the descriptor by which it wakes the main queue's thread. A host that closes descriptors which it
/// does not know closes that one, and its number may be a file's of the host's now. Makes it where libdispatch has not yet and the host has
/// descriptors left. One thread, the uplink's; 50 microseconds.
enum crerender_wake_state crerender_main_queue_wake_state(void);

/// Has `answer` called on the main queue, once it is served. False where libdispatch is not in the process.
bool crerender_ping_main_queue(void (*answer)(void));
/// The thread that serves the main queue now; 0 while none does, -1 where that cannot be told. After `dispatchMain()` it is
/// another one from time to time.
pid_t crerender_main_queue_owner(void);
/// Has libdispatch tell when its threads begin to work off queues and when they end; `ended` is called on such a thread, often.
/// False where it does not tell, or tells somebody else. Once.
bool crerender_watch_drains(void (*ended)(void));
/// Since when a thread works off queues; 0 if it does not, or if that is not known. The second is of the calling thread.
uint64_t crerender_drain_began(pid_t thread);
uint64_t crerender_own_drain_began(void);
/// Has GLib's default context serve the main queue. Does nothing if it does already; false where GLib or libdispatch is
/// not in the process.
bool crerender_serve_main_queue(void);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// What the main loop's thread does with its processor time, as the loop goes along.

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

// What main loops call, by function: sources of GLib, timers and blocks of CoreFoundation, and what others give a row.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// In the order of the cases of `LoopRow.Kind`.
enum crerender_row_kind {
    ROW_TIMER,
    ROW_IDLE,
    ROW_DESCRIPTOR,
    ROW_SOURCE,
    ROW_HANDLER,
    ROW_TICK,
    ROW_RUN_LOOP,
    ROW_OTHERS,
    ROW_WAKEUP,
    ROW_SAMPLED
};

/// The rows of a process. Programs have some ten functions that a loop calls; the rest is one row.
enum { CRERENDER_ROWS = 64 };

/// A row as it is at one moment. The numbers are in the order of `LoopRow.Numbers`.
struct crerender_row {
    enum crerender_row_kind kind;
    /// The function's address; 0 for none.
    uintptr_t function;
    /// The source's name, and of a run loop what it is; whose it is; the thread. Each may be empty, the last is for the loop's.
    char name[64], of[128], thread[16];
    uint64_t count, wall, processor, longest, turns, polls, interval, descriptor, unread, micro, is_shared;
    /// Of the calls in `unread` those in which nothing but its end kept the descriptor ready: its other end was closed.
    uint64_t closed;
};

/// The row of a function on the loop's thread, made at the first call; that of all others where there is no room. It stays the row of
/// that function for as long as the process lives. `CRERENDER_ROWS`, which is no row, where another thread makes one for too long. Some
/// ten nanoseconds.
///
/// - Parameters:
///   - of: Whose it is, for handlers and tick callbacks; as much of it as the row has room for is copied.
///   - name: What it is called where the function says nothing; copied when the row is made.
uint32_t crerender_row(enum crerender_row_kind kind, uintptr_t function, const char *_Nullable of,
                       const char *_Nullable name);
/// Counts a call. On the loop's thread.
void crerender_row_add(uint32_t row, struct crerender_piece piece);
/// The turn under way is a micro-hang, and about to end: rows are given their time in it. On the loop's thread.
void crerender_rows_in_micro_hang(void);
/// The same of a hang, whose record has that number of a turn: the row with more than half of its nanoseconds is kept until the next one.
/// Returns the most that one row took of it, of those that looks found running where there were any; 0 where that is not known.
uint64_t crerender_rows_in_hang(uint64_t number, uint64_t nanoseconds);
/// A look at the thread, in a turn of that number, found the function of a row running. The row plus 1; 0 for none. One thread, the uplink's.
void crerender_row_looked_at(uint64_t number, uint32_t row);
/// That row plus 1, where the latest hang was the turn of that number; else 0. Any thread.
uint32_t crerender_row_of_hang(uint64_t number);
/// Counts a call of `g_idle_add` that returns to an address, where it wakes the loop from another thread: for what stands in the place of
/// that function already. Any thread.
void crerender_idle_added(uintptr_t caller);
/// Copies the rows, in the order in which they were made, and returns how many. Any thread.
uint32_t crerender_rows(struct crerender_row *rows, uint32_t room);
/// Gives a function that GLib calls, and that has no other row, one with the numbers of samples. What an earlier call gave is zero from now
/// on. One thread, the uplink's.
///
/// - Parameters:
///   - place: An instruction in the function; 0 where samples tell of none.
///   - had: How many samples were in it.
///   - called: How many were in something that the loop calls.
///   - all: How many there were while the thread ran.
void crerender_rows_take_samples(uintptr_t place, uint64_t had, uint64_t called, uint64_t all);
/// Says of a row that its function is one of a library that calls others: from now on, sources that have it get rows by their names and
/// intervals. Any thread.
void crerender_row_is_of_library(uint32_t row);
/// Begins anew with all numbers. Any thread.
void crerender_rows_reset(void);

/// The row of the source whose function runs now on the loop's thread, plus 1; 0 for none. Any thread.
uint32_t crerender_row_running(void);

struct pollfd;

/// What a poll of the loop found. A descriptor may be ready for something that no function waits for, and then the loop never sleeps.
void crerender_descriptors_ready(const struct pollfd *_Nullable files, unsigned count);

/// When a source of the main loop last read data that a descriptor brought; 0 before. Any thread.
uint64_t crerender_latest_data(void);

/// Has sources of GLib counted, if GLib is in the process, also those that are there; again for files that were loaded since. On a thread
/// that may wait for the loader; one caller at a time.
void crerender_hook_sources(void);
/// Has timers and blocks of CoreFoundation's run loops counted, in the same way.
void crerender_hook_run_loops(void);
/// Puts the functions back that were in the tables of sources. Any number of times, and no hook after it.
void crerender_unhook_tables(void);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// What main loops call, by function: sources of GLib, timers and blocks of CoreFoundation, and what others give a row.
#ifndef CRERENDER_LOOP_SOURCES_H
#define CRERENDER_LOOP_SOURCES_H

#include "loop_account.h"
#include <stdbool.h>
#include <stdint.h>

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

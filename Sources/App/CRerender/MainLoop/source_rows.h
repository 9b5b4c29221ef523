// SPDX-License-Identifier: MIT
// Rows as those who count for them see them.
#ifndef CRERENDER_SOURCE_ROWS_H
#define CRERENDER_SOURCE_ROWS_H

#include "loop_sources.h"

#pragma GCC visibility push(hidden)

/// What a row is of.
struct row_key {
    enum crerender_row_kind kind;
    uintptr_t function;
    /// Tells sources apart that have one function of a library; 0 for none.
    uint64_t variant;
    /// Both may be null.
    const char *of, *name;
    /// The name of a thread other than the loop's; null for the loop's.
    const char *thread;
};

/// The row of a key, made where the key has no row; `CRERENDER_ROWS` where that could not be done in time.
uint32_t row_of(const struct row_key *key);
/// Counts a call on another thread than the loop's.
void row_add_elsewhere(uint32_t row, uint64_t wall);
/// What a source of a row was seen to do. On the loop's thread.
void row_due(uint32_t row);
/// - Parameter is_closed: Whether nothing but the end of what its descriptor reads keeps that ready.
void row_unread(uint32_t row, bool is_closed);
/// The interval of a timer, in nanoseconds, and the number of a descriptor. Where a row has several, neither is known.
void row_interval(uint32_t row, uint64_t interval);
void row_descriptor(uint32_t row, int descriptor);
/// Whether `crerender_row_is_of_library` was said of it.
bool row_is_of_library(uint32_t row);
/// A row's number as the account takes it: `CRERENDER_ROWS` for that of all others, which is not one source.
uint32_t row_of_one(uint32_t row);

/// What runs now on the loop's thread. A row plus 1, and where on the stack the function that calls it is.
struct row_around {
    uint32_t row;
    uintptr_t place;
};
/// A row's function is about to run; returns what is around it, for the end.
struct row_around row_begins(uint32_t row, uintptr_t place);
void row_ends(struct row_around around);

/// The name of the calling thread.
const char *row_thread_name(void);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Rows as those who count for them see them.
#ifndef CRERENDER_LOOP_PARTS_H
#define CRERENDER_LOOP_PARTS_H

#include "../Loaded/loaded.h"
#include "main_loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Tells the timer of long turns when a turn begins and ends. The hooks call it.

/// Takes the kernel's number of a timer that tells `CRERENDER_TURN_LASTS`; -1 for none.
void turn_alarm_has(int timer);
/// Whether the timer's thread is to end. Asked after the timer was made known, and after each signal.
bool turn_alarm_ends(void);
void turn_begins(void);
/// `waits`: whether the loop is going to wait, or only to look.
void turn_ends(bool waits);

// Counts who wakes the main loop from another thread, and who turns it without waiting.

enum { WAKEUPS = 6 };

/// Fills in so many imports, of functions that `symbol` finds: those that stand in for them count calls for a context, the default one. One
/// caller at a time, before they are called.
void wakeups_begin(struct loaded_import *imports, void *(*symbol)(const char *name), void *context);

// Blocks that stand in for blocks of the host's, without the compiler's support: the runtime of blocks is not linked.

/// A block, as the ABI of blocks lays it out.
struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *block);
    const struct block_descriptor {
        unsigned long reserved, size;
        void (*copy)(void *to, const void *from);
        void (*dispose)(const void *block);
    } * descriptor;
    /// Of a block that stands in for another one: that one, and an object of Swift's or null. Each copy keeps both.
    struct block *inner;
    void *object;
};

/// Finds the runtime of blocks; false where it is not in the process. On a thread that may wait for the loader.
bool blocks_are_found(void);
/// A block, to be put on the stack, that stands in for another one. Once the runtime was found.
struct block block_around(struct block *inner, void (*invoke)(void *block), void *object);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Counts sources of GLib where it calls them, by rows. Nothing here waits, allocates, or has a descriptor.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "glib_sources.h"

#include "../loop_parts.h"
#include "CRerender.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

static int64_t (*time_of)(struct source *source);
static int64_t (*ready_time_of)(struct source *source);

/// The default context; NULL until something is hooked.
static void *main_context;
/// The thread that dispatched a source of it last.
static pid_t loop_thread;
/// Whether GTK 4 is in the process: its part for widgets tells of input.
static bool has_gtk4;

void source_calls_begin(void *context, void *(*symbol)(const char *name)) {
    *(void **)&time_of = symbol("g_source_get_time");
    *(void **)&ready_time_of = symbol("g_source_get_ready_time");
    main_context = context;
}

void source_calls_have_gtk4(bool has) { has_gtk4 = has; }

// MARK: Rows of sources

/// Which row a source of the loop had last: for the time before GLib says the source's function, and for rows by the source's name.
struct known_source {
    const struct source *source;
    const struct source_table *table;
    uintptr_t function;
    /// The turn in which it said that it is due.
    uint64_t due_in;
    unsigned number;
    uint32_t row;
    /// The function's data, and what it calls: a script's function, itself, or 0 for one that a binding made.
    const void *data;
    uintptr_t called;
};
enum { KNOWN_SOURCES = 64 };
static struct known_source known_sources[KNOWN_SOURCES];

static struct known_source *place_of_source(const struct source *source) {
    uint64_t hash = (uint64_t)(uintptr_t)source * UINT64_C(0x9E3779B97F4A7C15);
    return &known_sources[(hash >> 32) % KNOWN_SOURCES];
}

static bool is_of_source(const struct known_source *known, const struct source_table *table,
                         const struct source *source) {
    return known->source == source && known->table == table && known->number == source->number;
}

static uint32_t row_of_source(const struct source_table *table, const struct source *source, uintptr_t function,
                              uint64_t variant) {
    const struct row_key key = {.kind = table->kind, .function = function, .variant = variant, .name = source->name};
    return row_of(&key);
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return hash;
}

/// GLib 2.90 rounds the one time up and the other one down. Its intervals are whole milliseconds.
static uint64_t whole_interval(uint64_t interval) {
    enum { MILLISECOND = 1000000, OFF = 2000 };
    uint64_t more = interval % MILLISECOND;
    if (more <= OFF) return interval - more;
    return MILLISECOND - more <= OFF ? interval - more + MILLISECOND : interval;
}

/// The function that a row is of: that of a script, where a binding calls one for the callback; 0 where that is not known.
static uintptr_t function_of(const struct source_table *table, source_callback callback, const void *data) {
    return callback ? crerender_called_function((uintptr_t)callback, data) : (uintptr_t)table->dispatch;
}

/// The name of a source as a number; 0 for what GLib calls all of a kind, which says nothing.
static uint64_t variant_of(const struct source *source) {
    static const char *const of_all[] = {"GIdleSource", "GTimeoutSource", "GUnixFDSource", "GIOChannel"};
    if (!source->name) return 0;
    for (size_t index = 0; index < sizeof of_all / sizeof *of_all; index++)
        if (strcmp(source->name, of_all[index]) == 0) return 0;
    return hash_of(source->name);
}

/// The first row of a source. The name of the source tells those of a program's table apart, and those of a binding, because the row is
/// called by it. Of a library's function it is known before the call which row counts it: a sample that is taken meanwhile is that row's.
static uint32_t first_row_of(const struct source_table *table, const struct source *source, uintptr_t function) {
    bool has_name = table->kind == ROW_SOURCE || function == 0;
    uint32_t row = row_of_source(table, source, function, has_name ? variant_of(source) : 0);
    // A timer's interval is known when it was called.
    if (has_name || table->kind == ROW_TIMER || !row_is_of_library(row)) return row;
    uint64_t variant = variant_of(source);
    return variant == 0 ? row : row_of_source(table, source, function, variant);
}

/// The interval of a timer whose function ran, in nanoseconds; 0 where it is not known.
static uint64_t interval_of(struct source *source, int64_t before) {
    if (before <= 0 || !(source->flags & SOURCE_IS_ACTIVE)) return 0;
    int64_t after = ready_time_of(source);
    // A timer of whole seconds goes by the second, however late it was; another one begins anew with the time of this turn.
    if (after <= before) return 0;
    int64_t whole = after - before;
    if (whole % 1000000 == 0) return (uint64_t)whole * 1000;
    int64_t since = after - time_of(source);
    return since > 0 ? whole_interval((uint64_t)since * 1000) : 0;
}

/// The row for what is known of a source now that it was called.
static uint32_t row_after(const struct source_table *table, const struct source *source, struct known_source *known,
                          uint64_t interval) {
    uint32_t row = known->row;
    if (!row_is_of_library(row)) return row;
    uint64_t variant = variant_of(source) ^ interval;
    // A timer that ends with this call has no interval any more.
    if (variant == 0 || (table->kind == ROW_TIMER && interval == 0)) return row;
    known->row = row_of_source(table, source, known->called, variant);
    return known->row;
}

// MARK: Where GLib calls

/// Calls the host's function, with `errno` as it was and as the function leaves it.
static int call(const struct source_table *table, struct source *source, source_callback callback, void *data,
                int *error) {
    errno = *error;
    int goes_on = table->dispatch(source, callback, data);
    *error = errno;
    return goes_on;
}

static int dispatched_elsewhere(const struct source_table *table, struct source *source, source_callback callback,
                                void *data, int *error) {
    uintptr_t function = function_of(table, callback, data);
    const struct row_key key = {.kind = table->kind,
                                .function = function,
                                .variant = function == 0 ? variant_of(source) : 0,
                                .name = source->name,
                                .thread = row_thread_name()};
    uint32_t row = row_of(&key);
    uint64_t began = crerender_now();
    int goes_on = call(table, source, callback, data, error);
    uint64_t ended = crerender_now();
    row_add_elsewhere(row, ended - began);
    // Such as messages that another thread reads for the main loop.
    if (!has_gtk4 && (table->kind == ROW_SOURCE || table->kind == ROW_DESCRIPTOR)) crerender_account_input(ended);
    return goes_on;
}

/// Whether something from outside may have made a source ready, in a program whose input no toolkit tells. Of a source with functions of
/// its own it may be a descriptor, if neither its time nor what it said itself made it due. The events of GTK 3 and GTK 2 come by one.
static bool brings_input(const struct source_table *table, struct source *source, uint64_t due_in) {
    if (table->kind != ROW_SOURCE || has_gtk4) return false;
    // It was asked before the poll, in the turn before.
    if (due_in != 0 && due_in + 1 == crerender_account_turn())
        return source->name && strncmp(source->name, "GDK ", 4) == 0;
    int64_t ready = ready_time_of ? ready_time_of(source) : -1;
    return ready < 0 || !time_of || ready > time_of(source);
}

__attribute__((noinline)) static int dispatched_here(const struct source_table *table, struct source *source,
                                                     source_callback callback, void *data, int *error) {
    uintptr_t function = callback ? (uintptr_t)callback : (uintptr_t)table->dispatch;
    struct known_source *entry = place_of_source(source);
    struct known_source known = *entry;
    bool is_of = is_of_source(&known, table, source);
    uint64_t due_in = is_of ? known.due_in : 0;
    bool is_same = is_of && known.function == function && known.data == data;
    if (!is_same) {
        uintptr_t called = function_of(table, callback, data);
        uint32_t row = first_row_of(table, source, called);
        known = (struct known_source){source, table, function, due_in, source->number, row, data, called};
    }
    *entry = known;

    bool is_timer = table->kind == ROW_TIMER && ready_time_of && time_of;
    int64_t ready = is_timer ? ready_time_of(source) : 0;
    struct source_descriptor descriptor = source_descriptor_of(table, source);
    bool has_input = brings_input(table, source, due_in);
    uint64_t turn = crerender_account_turn(), began = crerender_now();
    bool is_hot = descriptor.file >= 0 && source_is_one_of_many(known.row, turn, began);
    int before = descriptor.file >= 0 ? source_bytes_of(descriptor.file) : -1;

    enum crerender_part around = crerender_account_enter(CRERENDER_PART_SOURCES, began);
    uintptr_t place = (uintptr_t)__builtin_frame_address(0);
    struct javascript_call script = javascript_begins(known.called, place);
    struct row_around outer = row_begins(known.row, place);
    int goes_on = call(table, source, callback, data, error);
    row_ends(outer);
    javascript_ends(script);
    uint64_t ended = crerender_now();
    crerender_account_leave(around, ended);
    struct crerender_piece piece = crerender_account_piece();

    uint64_t interval = is_timer && goes_on ? interval_of(source, ready) : 0;
    uint32_t row = row_after(table, source, &known, interval);
    // Its function may have run a loop of its own, in which the place is another source's now.
    if (entry->source == source && entry->number == known.number) entry->row = row;
    if (interval) row_interval(row, interval);
    if (descriptor.file >= 0) {
        row_descriptor(row, descriptor.file);
        const struct source_reading reading = {before, is_hot && goes_on, turn, ended};
        source_look_at_descriptor(row, descriptor, &reading);
    }
    if (has_input) crerender_account_input(ended);
    crerender_row_add(row, piece);
    crerender_account_dispatched(row_of_one(row));
    return goes_on;
}

// What the host may look at after GLib has called a source is as without us.
int crerender_dispatched(const struct source_table *table, struct source *source, source_callback callback,
                         void *data) {
    if (crerender_is_silent()) return table->dispatch(source, callback, data);
    int error = errno, goes_on;
    pid_t thread = crerender_this_thread();
    // The default context has one owner at a time. A context of its own may be run by that thread, too, inside of a function.
    if (source->context == main_context) __atomic_store_n(&loop_thread, thread, __ATOMIC_RELAXED);
    if (__atomic_load_n(&loop_thread, __ATOMIC_RELAXED) == thread)
        goes_on = dispatched_here(table, source, callback, data, &error);
    else
        goes_on = dispatched_elsewhere(table, source, callback, data, &error);
    errno = error;
    return goes_on;
}

int crerender_prepared(const struct source_table *table, struct source *source, int *timeout) {
    int is_ready = table->prepare(source, timeout);
    if (!is_ready && !(timeout && *timeout == 0)) return is_ready;
    // A due timer is dispatched, so that it was due says nothing more.
    if (table->kind == ROW_TIMER || source->context != main_context || crerender_is_silent()) return is_ready;
    struct known_source *known = place_of_source(source);
    uint32_t row = CRERENDER_ROWS;
    if (is_of_source(known, table, source)) {
        known->due_in = crerender_account_turn();
        row = known->row;
    } else if (table->kind == ROW_SOURCE) {
        // One that was never called has the function of its table.
        row = first_row_of(table, source, (uintptr_t)table->dispatch);
    }
    if (row >= CRERENDER_ROWS) return is_ready;
    row_due(row);
    crerender_account_due(row);
    return is_ready;
}

/// Calls in turns on end of one row, without a wait and with as many bytes left as before.
static struct {
    uint64_t turn, ended;
    uint32_t row;
    int left;
    uint32_t count;
} unread;

/// From so many on, what is left was not read: a writer that fills up what a reader takes does not hit the same number so often.
enum { UNREAD_CALLS = 20 };
/// Where more is left, a writer may wait for room, and then it does.
enum { MOST_UNREAD = 2048 };
/// A turn that began later has waited.
enum { WAIT = 2000000 };

int source_bytes_of(int file) {
    int count = -1;
    return ioctl(file, FIONREAD, &count) == 0 ? count : -1;
}

struct source_descriptor source_descriptor_of(const struct source_table *table, const struct source *source) {
    struct source_descriptor found = {-1, POLLIN, 0};
    if (table->kind != ROW_DESCRIPTOR) return found;
    // GUnixFDSource goes on with its descriptor.
    if (table->has_descriptor) {
        memcpy(&found.file, source + 1, sizeof found.file);
    } else if (source->descriptors && source->descriptors->data) {
        found = *(const struct source_descriptor *)source->descriptors->data;
    }
    return found;
}

bool source_is_one_of_many(uint32_t row, uint64_t turn, uint64_t now) {
    if (unread.row != row || turn != unread.turn + 1) return false;
    return unread.count >= UNREAD_CALLS || now - unread.ended < WAIT;
}

/// What a descriptor is ready for: it has something to read, or its other end was closed; 0 for neither.
static short ready_for(int file) {
    struct pollfd descriptor = {file, POLLIN | POLLRDHUP, 0};
    return poll(&descriptor, 1, 0) == 1 ? descriptor.revents : 0;
}

/// When data was read last.
static uint64_t data_at;

uint64_t crerender_latest_data(void) { return __atomic_load_n(&data_at, __ATOMIC_RELAXED); }

static void note_data(uint64_t now) {
    __atomic_store_n(&data_at, now, __ATOMIC_RELAXED);
    crerender_account_input(now);
}

void source_look_at_descriptor(uint32_t row, struct source_descriptor descriptor,
                               const struct source_reading *reading) {
    bool is_left = false, is_closed = false, is_input = (descriptor.events & POLLIN) && reading->before > 0;
    int left = -1;
    if (reading->is_looked_at) {
        left = source_bytes_of(descriptor.file);
        is_input = is_input && (left < reading->before || left >= MOST_UNREAD);
        // One that waits until it can write has nothing to read.
        short ready = left == reading->before && left < MOST_UNREAD ? ready_for(descriptor.file) : 0;
        is_left = ready != 0;
        is_closed = left <= 0 && (ready & (POLLHUP | POLLRDHUP)) != 0;
    }
    bool is_same = unread.row == row && (unread.count == 0 || unread.left == left);
    unread.count = is_left && is_same ? unread.count + 1 : 0;
    unread.left = left;
    unread.row = row;
    unread.turn = reading->turn;
    unread.ended = reading->ended;
    if (unread.count >= UNREAD_CALLS) row_unread(row, is_closed);
    if (is_input) note_data(reading->ended);
}

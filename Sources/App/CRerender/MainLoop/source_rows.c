// SPDX-License-Identifier: MIT
// The table of rows: one for each function that a main loop calls. It never shrinks, so a row's number stays its own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loop_parts.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

enum number {
    COUNT,
    WALL,
    PROCESSOR,
    LONGEST,
    TURNS,
    POLLS,
    INTERVAL,
    DESCRIPTOR,
    UNREAD,
    MICRO,
    IS_SHARED,
    CLOSED,
    NUMBERS
};

/// Some kinds leave most rows to sources: a toolkit connects hundreds of handlers and tick callbacks, each thread that wakes the loop may
/// have a name, and samples may tell of another function each time.
enum { MOST_OF_TOOLKIT = 40, MOST_OF_WAKEUPS = 8, MOST_OF_SAMPLES = 4 };

/// Stands in a row that has several intervals, or several descriptors.
static const uint64_t several = UINT64_MAX;

/// What is before `numbers` is written before others see the row, and never again.
struct row {
    enum crerender_row_kind kind;
    uintptr_t function;
    uint64_t variant;
    char name[64], of[128], thread[16];
    bool is_of_library;
    /// How often all rows had begun anew when this one did.
    uint32_t resets;
    /// The turn in which it was called last, and its time in that. The loop's thread alone.
    uint64_t turn, turn_wall;
    /// The latest turn, by its number in the loop's record, in which a look at the thread found the function running.
    uint64_t looked;
    uint64_t numbers[NUMBERS];
};

/// And one that is not told of, for calls whose row could not be made in time.
static struct row rows[CRERENDER_ROWS + 1];
static uint32_t row_count, toolkit_count, wakeup_count, sampled_count;
/// The row of all for which there is no room, plus 1.
static uint32_t others;
static uint32_t resets;

/// Numbers of rows plus 1, by hash. Twice as many places as rows, so that a search soon ends.
enum { PLACES = 2 * CRERENDER_ROWS };
static uint8_t places[PLACES];
static bool is_making;

static void copy(char *to, size_t room, const char *from) {
    size_t length = from ? strnlen(from, room - 1) : 0;
    if (length) memcpy(to, from, length);
    to[length] = '\0';
}

static bool has_text(const char *known, size_t room, const char *text) {
    return text ? strncmp(known, text, room - 1) == 0 : known[0] == '\0';
}

static bool is_of(const struct row *row, const struct row_key *key) {
    return row->function == key->function && row->kind == key->kind && row->variant == key->variant &&
           has_text(row->thread, sizeof row->thread, key->thread) && has_text(row->of, sizeof row->of, key->of);
}

static uint32_t place_of(const struct row_key *key) {
    uint64_t hash = (key->function ^ key->variant) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)key->kind;
    return (uint32_t)((hash * UINT64_C(0x9E3779B97F4A7C15)) >> 32) % PLACES;
}

/// The row of a key plus 1; 0 where the key has no row. Then `place` is where it belongs.
static uint32_t find(const struct row_key *key, uint32_t *place) {
    *place = place_of(key);
    for (;; *place = (*place + 1) % PLACES) {
        uint32_t known = __atomic_load_n(&places[*place], __ATOMIC_ACQUIRE);
        if (known == 0 || is_of(&rows[known - 1], key)) return known;
    }
}

/// Some microseconds, and then the call counts as one of the others: a thread that makes a row may have been stopped meanwhile.
static bool begin_making(void) {
    for (int tries = 0; tries < 1000; tries++)
        if (!__atomic_exchange_n(&is_making, true, __ATOMIC_ACQUIRE)) return true;
    return false;
}

static uint32_t add(const struct row_key *key) {
    struct row *row = &rows[row_count];
    row->kind = key->kind;
    row->function = key->function;
    row->variant = key->variant;
    copy(row->name, sizeof row->name, key->name);
    copy(row->of, sizeof row->of, key->of);
    copy(row->thread, sizeof row->thread, key->thread);
    row->resets = __atomic_load_n(&resets, __ATOMIC_RELAXED);
    uint32_t number = row_count;
    __atomic_store_n(&row_count, number + 1, __ATOMIC_RELEASE);
    return number;
}

static bool has_room(enum crerender_row_kind kind) {
    // The last is for the others, until they have theirs.
    if (row_count + (others ? 0 : 1) >= CRERENDER_ROWS) return false;
    switch (kind) {
    case ROW_HANDLER:
    case ROW_TICK: return toolkit_count < MOST_OF_TOOLKIT;
    case ROW_WAKEUP: return wakeup_count < MOST_OF_WAKEUPS;
    case ROW_SAMPLED: return sampled_count < MOST_OF_SAMPLES;
    default: return true;
    }
}

static uint32_t make_others(void) {
    if (!others) {
        const struct row_key key = {.kind = ROW_OTHERS};
        __atomic_store_n(&others, add(&key) + 1, __ATOMIC_RELEASE);
    }
    return others - 1;
}

uint32_t row_of(const struct row_key *key) {
    uint32_t place, known = find(key, &place);
    if (known) return known - 1;
    // Without room, nothing is looked for under a lock again and again.
    uint32_t known_others = __atomic_load_n(&others, __ATOMIC_ACQUIRE);
    if (known_others && __atomic_load_n(&row_count, __ATOMIC_RELAXED) == CRERENDER_ROWS) return known_others - 1;
    if (!begin_making()) return known_others ? known_others - 1 : CRERENDER_ROWS;
    known = find(key, &place);
    uint32_t row = known ? known - 1 : CRERENDER_ROWS;
    if (!known && !has_room(key->kind)) {
        row = make_others();
    } else if (!known) {
        if (key->kind == ROW_HANDLER || key->kind == ROW_TICK) toolkit_count++;
        if (key->kind == ROW_WAKEUP) wakeup_count++;
        if (key->kind == ROW_SAMPLED) sampled_count++;
        row = add(key);
        __atomic_store_n(&places[place], (uint8_t)(row + 1), __ATOMIC_RELEASE);
    }
    __atomic_store_n(&is_making, false, __ATOMIC_RELEASE);
    return row;
}

uint32_t crerender_row(enum crerender_row_kind kind, uintptr_t function, const char *of, const char *name) {
    const struct row_key key = {.kind = kind, .function = function, .of = of, .name = name};
    return row_of(&key);
}

// MARK: Numbers

static uint64_t number(const struct row *row, enum number which) {
    return __atomic_load_n(&row->numbers[which], __ATOMIC_RELAXED);
}

static void set(struct row *row, enum number which, uint64_t value) {
    __atomic_store_n(&row->numbers[which], value, __ATOMIC_RELAXED);
}

/// The row, with numbers that are of the time since the latest reset.
static struct row *current(uint32_t which) {
    struct row *row = &rows[which < CRERENDER_ROWS ? which : CRERENDER_ROWS];
    uint32_t now = __atomic_load_n(&resets, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&row->resets, __ATOMIC_RELAXED) == now) return row;
    for (enum number each = COUNT; each < NUMBERS; each++)
        if (each != INTERVAL && each != DESCRIPTOR) set(row, each, 0);
    row->turn = 0;
    __atomic_store_n(&row->resets, now, __ATOMIC_RELEASE);
    return row;
}

void crerender_row_add(uint32_t which, struct crerender_piece piece) {
    struct row *row = current(which);
    set(row, COUNT, number(row, COUNT) + 1);
    set(row, WALL, number(row, WALL) + piece.wall);
    set(row, PROCESSOR, number(row, PROCESSOR) + piece.processor);
    if (piece.wall > number(row, LONGEST)) set(row, LONGEST, piece.wall);
    if (piece.is_shared) set(row, IS_SHARED, 1);
    uint64_t turn = crerender_account_turn();
    if (turn == row->turn) {
        row->turn_wall += piece.in_turn;
        return;
    }
    row->turn = turn;
    row->turn_wall = piece.in_turn;
    set(row, TURNS, number(row, TURNS) + 1);
}

void crerender_rows_in_micro_hang(void) {
    uint64_t turn = crerender_account_turn();
    uint32_t known = __atomic_load_n(&row_count, __ATOMIC_ACQUIRE);
    for (uint32_t which = 0; turn != 0 && which < known; which++) {
        struct row *row = &rows[which];
        if (row->turn == turn) set(row, MICRO, number(row, MICRO) + row->turn_wall);
    }
}

/// The number of the latest hang's turn, and in the lowest byte its row plus 1: in one word, so that both are of one hang.
static uint64_t latest_hang;
/// The latest turn with a look.
static uint64_t looked;

void crerender_row_looked_at(uint64_t turn_of_record, uint32_t row) {
    if (row) __atomic_store_n(&rows[row - 1].looked, turn_of_record, __ATOMIC_RELAXED);
    __atomic_store_n(&looked, turn_of_record, __ATOMIC_RELEASE);
}

uint64_t crerender_rows_in_hang(uint64_t turn_of_record, uint64_t nanoseconds) {
    uint64_t turn = crerender_account_turn(), most = 0, longest = 0;
    // Of a loop that has no account, nothing is known.
    if (turn == 0) return 0;
    bool has_look = __atomic_load_n(&looked, __ATOMIC_ACQUIRE) == turn_of_record;
    uint32_t known = __atomic_load_n(&row_count, __ATOMIC_ACQUIRE);
    for (uint32_t which = 0; which < known; which++) {
        const struct row *row = &rows[which];
        if (row->turn != turn) continue;
        if (row->turn_wall > nanoseconds / 2) most = which + 1;
        // The hang is called by what the looks found.
        bool is_named = !has_look || __atomic_load_n(&row->looked, __ATOMIC_RELAXED) == turn_of_record;
        if (is_named && row->turn_wall > longest) longest = row->turn_wall;
    }
    __atomic_store_n(&latest_hang, turn_of_record << 8 | most, __ATOMIC_RELEASE);
    return longest;
}

uint32_t crerender_row_of_hang(uint64_t turn_of_record) {
    uint64_t latest = __atomic_load_n(&latest_hang, __ATOMIC_ACQUIRE);
    return latest >> 8 == turn_of_record ? (uint32_t)(latest & 0xFF) : 0;
}

// Two threads of one name may count for one row.
void row_add_elsewhere(uint32_t which, uint64_t wall) {
    struct row *row = current(which);
    __atomic_fetch_add(&row->numbers[COUNT], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&row->numbers[WALL], wall, __ATOMIC_RELAXED);
    if (wall > number(row, LONGEST)) set(row, LONGEST, wall);
}

void row_due(uint32_t which) {
    struct row *row = current(which);
    set(row, POLLS, number(row, POLLS) + 1);
}

void crerender_descriptors_ready(const struct pollfd *files, unsigned count) {
    uint32_t known = __atomic_load_n(&row_count, __ATOMIC_ACQUIRE);
    // Main loops have some ten.
    enum { MOST_FILES = 64 };
    for (unsigned place = 0; files && place < count && place < MOST_FILES; place++) {
        if (!files[place].revents || files[place].fd < 0) continue;
        for (uint32_t which = 0; which < known; which++)
            if (rows[which].kind == ROW_DESCRIPTOR && number(&rows[which], DESCRIPTOR) == (uint64_t)files[place].fd + 1)
                crerender_account_due(which);
    }
}

/// The row that samples tell of, plus 1.
static uint32_t sampled;

static void take_samples(uint64_t had, uint64_t called, uint64_t all) {
    if (sampled == 0) return;
    struct row *row = current(sampled - 1);
    set(row, COUNT, had);
    set(row, TURNS, called);
    set(row, POLLS, all);
}

void crerender_rows_take_samples(uintptr_t place, uint64_t had, uint64_t called, uint64_t all) {
    take_samples(0, 0, 0);
    const struct row_key key = {.kind = ROW_SAMPLED, .function = place};
    // That of all others is no function's.
    uint32_t row = place ? row_of_one(row_of(&key)) : CRERENDER_ROWS;
    sampled = row < CRERENDER_ROWS ? row + 1 : 0;
    take_samples(had, called, all);
}

void row_unread(uint32_t which, bool is_closed) {
    struct row *row = current(which);
    set(row, UNREAD, number(row, UNREAD) + 1);
    if (is_closed) set(row, CLOSED, number(row, CLOSED) + 1);
}

static void note(struct row *row, enum number which, uint64_t value) {
    uint64_t known = number(row, which);
    if (known == value || known == several) return;
    set(row, which, known == 0 ? value : several);
}

void row_interval(uint32_t which, uint64_t interval) {
    struct row *row = current(which);
    if (row->kind == ROW_TIMER || row->kind == ROW_RUN_LOOP) note(row, INTERVAL, interval);
}

void row_descriptor(uint32_t which, int descriptor) {
    struct row *row = current(which);
    if (row->kind == ROW_DESCRIPTOR && descriptor >= 0) note(row, DESCRIPTOR, (uint64_t)descriptor + 1);
}

void crerender_row_is_of_library(uint32_t which) {
    if (which < CRERENDER_ROWS) __atomic_store_n(&rows[which].is_of_library, true, __ATOMIC_RELAXED);
}

bool row_is_of_library(uint32_t which) {
    return which < CRERENDER_ROWS && __atomic_load_n(&rows[which].is_of_library, __ATOMIC_RELAXED);
}

uint32_t row_of_one(uint32_t which) {
    return which + 1 == __atomic_load_n(&others, __ATOMIC_RELAXED) ? CRERENDER_ROWS : which;
}

uint32_t crerender_rows(struct crerender_row *copies, uint32_t room) {
    uint32_t count = __atomic_load_n(&row_count, __ATOMIC_ACQUIRE), now = __atomic_load_n(&resets, __ATOMIC_ACQUIRE);
    if (count > room) count = room;
    for (uint32_t index = 0; index < count; index++) {
        const struct row *row = &rows[index];
        struct crerender_row *to = &copies[index];
        *to = (struct crerender_row){.kind = row->kind, .function = row->function};
        memcpy(to->name, row->name, sizeof to->name);
        memcpy(to->of, row->of, sizeof to->of);
        memcpy(to->thread, row->thread, sizeof to->thread);
        uint64_t interval = number(row, INTERVAL), descriptor = number(row, DESCRIPTOR);
        to->interval = interval == several ? 0 : interval;
        to->descriptor = descriptor == several ? 0 : descriptor;
        if (__atomic_load_n(&row->resets, __ATOMIC_ACQUIRE) != now) continue;
        to->count = number(row, COUNT);
        to->wall = number(row, WALL);
        to->processor = number(row, PROCESSOR);
        to->longest = number(row, LONGEST);
        to->turns = number(row, TURNS);
        to->polls = number(row, POLLS);
        to->unread = number(row, UNREAD);
        to->micro = number(row, MICRO);
        to->is_shared = number(row, IS_SHARED);
        to->closed = number(row, CLOSED);
    }
    return count;
}

void crerender_rows_reset(void) { __atomic_fetch_add(&resets, 1, __ATOMIC_ACQ_REL); }

// MARK: What runs

static uint32_t running;
/// The loop's thread alone.
static uintptr_t running_place;

struct row_around row_begins(uint32_t row, uintptr_t place) {
    struct row_around around = {__atomic_load_n(&running, __ATOMIC_RELAXED), running_place};
    // Stacks grow down: what is not above was left by a jump or an exception, or is on another stack, and is not around this one.
    if (around.place <= place) around = (struct row_around){0, 0};
    running_place = place;
    __atomic_store_n(&running, row + 1, __ATOMIC_RELAXED);
    return around;
}

void row_ends(struct row_around around) {
    running_place = around.place;
    __atomic_store_n(&running, around.row, __ATOMIC_RELAXED);
}

uint32_t crerender_row_running(void) { return __atomic_load_n(&running, __ATOMIC_RELAXED); }

const char *row_thread_name(void) {
    static _Thread_local char name[16];
    // Once: a thread has its name before its loop runs.
    if (!name[0] && (prctl(PR_GET_NAME, name) != 0 || !name[0])) copy(name, sizeof name, "unnamed");
    return name;
}

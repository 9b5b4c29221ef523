// SPDX-License-Identifier: MIT
// See the header.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "glib_sources.h"

#include "../source_rows.h"
#include "CRerender.h"

#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

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

// SPDX-License-Identifier: MIT
// Remembers which of the latest intervals have ended: a ring of their numbers, each with a mark.
#include "CSignpost.h"

/// Set in the ring once the interval has ended; numbers leave it free.
#define ENDED 1u

static uint64_t last;
static uint64_t ring[CSIGNPOST_LEDGER_SIZE];

static uint64_t *place(uint64_t serial) { return &ring[(serial / 2) % CSIGNPOST_LEDGER_SIZE]; }

uint64_t csignpost_ledger_open(void) {
    uint64_t serial = __atomic_add_fetch(&last, 2, __ATOMIC_RELAXED);
    __atomic_store_n(place(serial), serial, __ATOMIC_RELAXED);
    return serial;
}

int csignpost_ledger_close(uint64_t serial) {
    uint64_t found = serial;
    if (__atomic_compare_exchange_n(place(serial), &found, serial | ENDED, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return 1;
    }
    // A later interval has the place: whether this one ended is not known any more.
    return found != (serial | ENDED);
}

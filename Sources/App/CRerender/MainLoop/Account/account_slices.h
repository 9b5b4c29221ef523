// SPDX-License-Identifier: MIT
// Gives the time of a loop's thread to what has the thread.
#ifndef CRERENDER_ACCOUNT_SLICES_H
#define CRERENDER_ACCOUNT_SLICES_H

#include "account_state.h"

#pragma GCC visibility push(hidden)

/// Gives the time until now to what has the thread. `is_read` where it is to be read, however short it is.
void account_advance_reading(struct loop_account *account, uint64_t now, bool is_read);

static inline void account_advance(struct loop_account *account, uint64_t now) {
    account_advance_reading(account, now, false);
}

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Adds seconds up to stretches without input.
#ifndef CRERENDER_ACCOUNT_SECONDS_H
#define CRERENDER_ACCOUNT_SECONDS_H

#include "account_state.h"

#pragma GCC visibility push(hidden)

/// Ends the second, which had all that was counted until now, and goes on after `asleep` more in which nothing happened.
void account_end_second(struct loop_account *account, uint64_t length, uint64_t asleep, uint64_t now);

#pragma GCC visibility pop

#endif

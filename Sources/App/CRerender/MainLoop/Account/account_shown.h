// SPDX-License-Identifier: MIT
// Shows what is kept of a main loop to those who read it on other threads.
#ifndef CRERENDER_ACCOUNT_SHOWN_H
#define CRERENDER_ACCOUNT_SHOWN_H

#include "account_state.h"

#pragma GCC visibility push(hidden)

/// Shows the totals, or the seconds in a row, from now on. On the loop's thread.
void account_show_totals(struct loop_account *account);
void account_show_stretches(struct loop_account *account);

#pragma GCC visibility pop

#endif

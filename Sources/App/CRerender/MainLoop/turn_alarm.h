// SPDX-License-Identifier: MIT
// Tells the timer of long turns when a turn begins and ends. The hooks call it.
#ifndef CRERENDER_TURN_ALARM_H
#define CRERENDER_TURN_ALARM_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

void turn_begins(void);
/// `waits`: whether the loop is going to wait, or only to look.
void turn_ends(bool waits);
/// The same for threads that work off queues: it rings once one has worked for some milliseconds.
void drain_begins(void);
void drains_end(void);

#pragma GCC visibility pop

#endif

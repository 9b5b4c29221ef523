// SPDX-License-Identifier: MIT
// Tells the timer of long turns when a turn begins and ends. The hooks call it.
#ifndef CRERENDER_TURN_ALARM_H
#define CRERENDER_TURN_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void turn_begins(void);
/// `waits`: whether the loop is going to wait, or only to look.
void turn_ends(bool waits);
/// The same for a thread that works off queues: it rings once that has worked for some milliseconds. Returns when; 0 if it is
/// set for another thread, and rings sooner.
uint64_t drain_begins(void);
/// Ends what a call of `drain_begins` set, unless it rang or was set again.
void drain_ends(uint64_t rings);

#pragma GCC visibility pop

#endif

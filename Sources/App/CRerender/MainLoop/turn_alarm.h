// SPDX-License-Identifier: MIT
// Tells the timer of long turns when a turn begins and ends. The hooks call it.
#ifndef CRERENDER_TURN_ALARM_H
#define CRERENDER_TURN_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// Takes the kernel's number of a timer that tells `CRERENDER_TURN_LASTS`; -1 for none.
void turn_alarm_has(int timer);
/// Whether the timer's thread is to end. Asked after the timer was made known, and after each signal.
bool turn_alarm_ends(void);
void turn_begins(void);
/// `waits`: whether the loop is going to wait, or only to look.
void turn_ends(bool waits);
/// The same for a thread that works off queues: it rings once that has worked for some milliseconds, or earlier for another
/// thread. Returns the alarm's number, or 0 where there is none. A thread that has the alarm's number keeps it.
uint32_t drain_begins(uint32_t number);
/// The thread that has this number does not need the alarm any more.
void drain_ends(uint32_t number);

#pragma GCC visibility pop

#endif

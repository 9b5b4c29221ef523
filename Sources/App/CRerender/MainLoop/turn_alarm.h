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

#pragma GCC visibility pop

#endif

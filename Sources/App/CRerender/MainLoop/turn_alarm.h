// SPDX-License-Identifier: MIT
// What the wrapped poll function tells the timer of long turns.
#ifndef CRERENDER_TURN_ALARM_H
#define CRERENDER_TURN_ALARM_H

#include <stdbool.h>

void turn_begins(void);
/// `waits`: whether the loop is going to wait, or only to look.
void turn_ends(bool waits);

#endif

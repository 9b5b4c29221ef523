// SPDX-License-Identifier: MIT
// Tick callbacks of programs.
#ifndef CRERENDER_GTK_TICKS_H
#define CRERENDER_GTK_TICKS_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Times the tick callbacks that the program and its libraries add from now on.
void ticks_hook(void);

#endif
#endif

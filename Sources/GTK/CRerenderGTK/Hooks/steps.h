// SPDX-License-Identifier: MIT
// Finds what leads to what: a run of a widget's function that writes what leads to another run.
#ifndef CRERENDER_GTK_STEPS_H
#define CRERENDER_GTK_STEPS_H

#include "../Widgets/records.h"

#ifdef RERENDER_GTK

/// Whether what runs now is a step, or what one led to.
bool steps_has_current(void);

/// Notes a change of a widget that leads to a run of its `snapshot`, or of its layout and that of the widgets around it.
///
/// - Parameter writer: Where the program made the change; 0 where that is not known.
void steps_note(struct record *record, bool draws, bool lays_out, uintptr_t writer);

/// Replaces functions that programs call: idle functions are followed that a run adds.
void steps_hook(void);

#endif
#endif

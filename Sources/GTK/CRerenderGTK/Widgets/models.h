// SPDX-License-Identifier: MIT
// What widgets show that is no property of theirs: text buffers, and the adjustments that scroll them.
#ifndef CRERENDER_GTK_MODELS_H
#define CRERENDER_GTK_MODELS_H

#include "records.h"

#ifdef RERENDER_GTK

/// Notes that the text of a buffer, or the value of an adjustment, was changed, and by whom.
///
/// Looks for that with the first change since a widget drew it. What was noted of another object may be forgotten for it.
void models_note(void *model);

/// A number that grows with each change; never 0.
uint64_t models_changes(void);

/// Whether a text view's buffer was changed since there was such a number of changes, which is known where it is not 0; sets by whom.
bool models_changed_text(GtkWidget *widget, uint64_t since, struct origin *origin);

/// The same of the adjustments that scroll a widget, or of which it is the slider.
bool models_changed_value(GtkWidget *widget, uint64_t since, struct origin *origin);

#endif
#endif

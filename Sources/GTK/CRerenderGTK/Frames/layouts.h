// SPDX-License-Identifier: MIT
// Which widgets' layouts take long.
#ifndef CRERENDER_GTK_LAYOUTS_H
#define CRERENDER_GTK_LAYOUTS_H

#include "../Widgets/records.h"

#ifdef RERENDER_GTK

/// Widgets were laid out in a frame, for a widget that is looked for now: before any is drawn.
void layouts_ended(uint64_t nanoseconds, uint64_t processor);

/// The frame has ended, which took so much processor time. `input_since` is the thread's processor time when the first input since the
/// frame before came; 0 where none did.
void layouts_frame_ended(uint64_t processor, uint64_t input_since);

/// Tells of what was counted since the last call.
void layouts_put(void);

/// Forgets a widget that is no more.
void layouts_forget_widget(const struct record *record);

#endif
#endif

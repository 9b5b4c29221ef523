// SPDX-License-Identifier: MIT
// Frames of frame clocks.
#ifndef CRERENDER_GTK_FRAMES_H
#define CRERENDER_GTK_FRAMES_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// The signals of a frame clock that make up a frame, in their order.
enum frame_signal { FRAME_BEFORE_PAINT, FRAME_UPDATE, FRAME_LAYOUT, FRAME_PAINT, FRAME_AFTER_PAINT, FRAME_SIGNALS };

/// A frame clock is about to emit a signal.
void frames_emits(GdkFrameClock *clock, enum frame_signal signal);

/// A frame clock has emitted a signal, which took so long.
void frames_emitted(GdkFrameClock *clock, enum frame_signal signal, uint64_t nanoseconds);

/// The clock whose frame is painted now; null while none is.
GdkFrameClock *frames_painting(void);

/// A widget drew. It does not count where the HUD alone asked for it.
///
/// - Parameters:
///   - may_differ: Whether it is not known to have drawn what it drew before, where no other widget is around it.
///   - differs: Whether it is known to have drawn something else.
void frames_note_run(bool is_counted, bool may_differ, bool differs);

/// A widget draws, and it is not seen what.
void frames_note_unseen(void);

/// Widgets begin to draw, or have drawn: what is between is no drawing. `around` is what the first call returned.
uint32_t frames_snapshot_begins(void);
void frames_snapshot_ended(uint32_t around);

/// Widgets were laid out for so long. GTK also lays out while callbacks of the clock run: that time is layout.
void frames_add_layout(uint64_t nanoseconds);

/// Widgets drew for so long. Counts where a frame is painted.
void frames_add_snapshot(uint64_t nanoseconds);

#endif
#endif

// SPDX-License-Identifier: MIT
// Which widgets frames are drawn for.
#ifndef CRERENDER_GTK_CAUSES_H
#define CRERENDER_GTK_CAUSES_H

#include "../Widgets/records.h"

#ifdef RERENDER_GTK

/// Notes that a widget has a cause of its own for the frame under way, or for the next one: also one that is not drawn.
///
/// - Parameter writer: Where the program did it, or in the function that the frame clock calls, behind its first byte; 0 where it is not
///   known.
void causes_note(struct record *record, uintptr_t writer);

/// Notes that a widget drew after a layout that no widget is known to have asked for. It is the cause where no other one is known.
void causes_note_layout(struct record *record, uintptr_t writer);

/// Notes that a tick callback of a widget ran. It is the cause of the frame where no other one is known.
void causes_note_tick(struct record *record, uintptr_t writer);

/// Notes that an animation gave a widget another style. Nothing where the widget has it from the one around it.
void causes_note_style(struct record *record);

/// Notes that a style sheet was loaded, added or removed: the next frame is drawn for that, and GTK asks for one more behind it.
void causes_note_sheet(void);

/// What a frame took.
struct frame_cost {
    uint64_t nanoseconds, processor;
};

/// A frame has ended: counts it for those that it was drawn for. True where a second has ended with it.
bool causes_frame_ended(GdkFrameClock *clock, struct frame_cost cost);

/// Whether enough frames have come in each of two seconds that are without input, and no input has come since.
bool causes_are_steady(void);

/// The thread's processor time when the first input since the last call came; 0 where none did, or where it was too long before a frame that
/// began then.
uint64_t causes_take_input(uint64_t began);

/// Forgets those that a frame was drawn for which does not count.
void causes_forget_frame(void);

/// Forgets a widget that is no more.
void causes_forget_widget(const struct record *record);

/// Listens to input from now on: stands in front of `part.swift.input`.
void causes_listen(void);

#endif
#endif

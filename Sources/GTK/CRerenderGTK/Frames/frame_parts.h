// SPDX-License-Identifier: MIT
// Frames of frame clocks.
#ifndef CRERENDER_GTK_FRAME_PARTS_H
#define CRERENDER_GTK_FRAME_PARTS_H

#include "../headers.h"
#include "../Widgets/records.h"
#include "crerender_gtk.h"

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

// Which widgets frames are drawn for.

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

// Which widgets' layouts take long.

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

// From input to frame: how long it took until a press, a click or a key could be seen, and where that time went.

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// GTK is about to hand out input to a window with that key, which is kept for as long as the process runs.
void interactions_began(enum crerender_input input, const char *window);

/// GTK has handed it out.
void interactions_handed_out(void);

/// A handler that runs: when it began, and what is known of that moment where an interaction goes on.
struct interaction_handler {
    /// By the clock; the time of handlers and sources, and that of earlier runs of the same function.
    uint64_t began, sources, before;
    /// The key of its widget, which is kept for as long as the process runs.
    const char *view;
    /// The program's function; 0 where it is not known.
    uintptr_t function;
};

/// A handler begins.
struct interaction_handler interactions_handler_began(uint64_t began, const char *view, uintptr_t function);

/// It has ended.
void interactions_handler_ended(const struct interaction_handler *handler);

/// A widget that is drawn was changed.
void interactions_note_write(void);

/// A frame that painted something.
struct interaction_frame {
    GdkFrameClock *clock;
    int64_t counter;
    uint64_t began, drawings;
};

/// Such a frame has ended. Returns whether it shows what slow input led to, which is to be told at once: the program may rest now.
bool interactions_frame_ended(const struct interaction_frame *frame);

/// Asks when earlier frames of a clock were presented, whose frame `counter` has ended now.
void interactions_look(GdkFrameClock *clock, int64_t counter, const struct crerender_presentation_source *source);

#endif

#endif

// SPDX-License-Identifier: MIT
// Says why a widget drew again.
#ifndef CRERENDER_GTK_REASONS_H
#define CRERENDER_GTK_REASONS_H

#include "records.h"

#ifdef RERENDER_GTK

/// Notes that a property was notified. False where that is known already.
bool facts_note_property(struct facts *facts, const char *name);

/// Whether a widget has callbacks that run at each frame: an animation.
bool has_tick(GtkWidget *widget, GdkFrameClock *clock);

/// What is asked of a run.
struct reason_question {
    struct record *record;
    /// What had happened when the run began.
    const struct facts *facts;
    /// The clock of the window's frames; null of the window itself, which listens to its clock in any case.
    GdkFrameClock *clock;
    /// The key of the widget in it that drew again for a reason of its own; null where none did.
    const char *child;
    /// Whether there were several.
    bool has_more_children;
};

/// Why a run was.
struct reason {
    /// A number of `texts.h`; 0 where nothing is known.
    uint32_t text;
    /// Whether a child is the reason.
    bool is_child;
    /// Whether an animation is the reason.
    bool is_tick;
    /// Who made the change, or called `queue_draw` in an animation; all 0 where that is not known.
    struct origin origin;
};

/// The reason of a run. The widget's size is taken.
///
/// What is said first: properties, CSS classes, a buffer's text, state, style, size, an adjustment's value, that it is shown again, an
/// animation's tick, `queue_draw`, a child, a layout.
struct reason reason_of(const struct reason_question *asked);

#endif
#endif

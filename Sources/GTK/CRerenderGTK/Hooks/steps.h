// SPDX-License-Identifier: MIT
// Finds what leads to what: a run of a widget's function that writes what leads to another run.
#ifndef CRERENDER_GTK_STEPS_H
#define CRERENDER_GTK_STEPS_H

#include "../Widgets/records.h"

#ifdef RERENDER_GTK

/// A run of a widget's `snapshot` or of its layout.
struct step {
    GtkWidget *widget;
    /// Of the widget, which may be gone.
    void *view;
    uint64_t instance;
    bool is_layout;
    /// Its link, held; null until it is asked for, or something is known to have led to it.
    void *link;
};

/// Begins a run. What led to it is taken.
///
/// - Parameters:
///   - led_by: What led to it, if anything that is known did.
///   - around: The run that calls it, where that is why it runs; null elsewhere.
struct step step_began(struct record *record, bool is_layout, struct lead *led_by, const struct step *around);

/// Ends a run, or forgets one that was left by a jump.
void step_ended(struct step *step);

/// Whether what runs now is a step, or what one led to.
bool steps_has_current(void);

/// Notes a change of a widget that leads to a run of its `snapshot`, or of its layout and that of the widgets around it.
///
/// - Parameter writer: Where the program made the change; 0 where that is not known.
void steps_note(struct record *record, bool draws, bool lays_out, uintptr_t writer);

/// Notes that a layout gave a widget another size, so that it draws again.
void steps_note_size(const struct step *step);

/// Notes that something came from outside: input, a timer, an animation. It ends all rows of rounds.
void steps_note_outside(void);

/// Forgets what leads to a run.
void lead_forget(struct lead *lead);

/// The innermost run on this thread's stack; null for none.
struct step *drawing_step(void);
struct step *layout_step(void);

/// Replaces functions that programs call: idle functions are followed that a run adds.
void steps_hook(void);

#endif
#endif

// SPDX-License-Identifier: MIT
// Runs of widgets' functions as steps, and what leads to one.
#ifndef CRERENDER_GTK_LEADS_H
#define CRERENDER_GTK_LEADS_H

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

/// How often something came from outside.
extern uint64_t steps_outside;

/// Notes that something came from outside: input, a timer, an animation. It ends all rows of rounds.
static inline void steps_note_outside(void) { steps_outside++; }

/// Begins a run. What led to it is taken.
///
/// - Parameters:
///   - led_by: What led to it, if anything that is known did.
///   - around: The run that calls it, where that is why it runs; null elsewhere.
struct step step_began(struct record *record, bool is_layout, struct lead *led_by, const struct step *around);

/// Ends a run, or forgets one that was left by a jump.
void step_ended(struct step *step);

/// Notes that a layout gave a widget another size, so that it draws again.
void steps_note_size(const struct step *step);

/// Sets what leads to a run.
void lead_set(struct lead *lead, void *link, uintptr_t writer);

/// Forgets what leads to a run.
void lead_forget(struct lead *lead);

#endif
#endif

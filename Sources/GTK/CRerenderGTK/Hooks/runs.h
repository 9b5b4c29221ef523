// SPDX-License-Identifier: MIT
// What runs on GTK's thread, in memory that outlives the calls: steps and what leads to one, runs of `snapshot`, phases and handlers.
#ifndef CRERENDER_GTK_RUNS_H
#define CRERENDER_GTK_RUNS_H

#include "../headers.h"
#include "../Widgets/records.h"
#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// A run of a widget's `snapshot`.
struct crerender_gtk_run {
    /// The place on the stack of the call that it is of, and whether that is the thread's own stack.
    uintptr_t place;
    bool is_on_own_stack;
    /// Null where it does not count, and once the widget is no more.
    struct record *record;
    /// The view's key, kept for ever.
    const char *key;
    /// Whether the widget ended in the run: it counts, and no more is known of it.
    bool has_ended;
    GtkWidget *widget;
    /// The run that counts that this one is in.
    struct crerender_gtk_run *outer;
    /// Whether no other one is around it.
    bool is_outermost;
    /// Whether the function is GtkWidget's, which draws the widgets in it and nothing else: its node need not be looked at.
    bool is_plain;
    GskRenderNode *node;
    /// What had happened to the widget when it began.
    struct facts facts;
    bool has_frame_changed;
    struct step step;
    /// The key of the first widget in it that drew again for a reason of its own, and whether there was one of another key.
    const char *origin;
    bool has_more_origins;
    /// Whether a widget in it is known to have drawn something else than before, and whether one was not compared.
    bool has_changed, has_unknown;
    /// What Swift keeps of it, while it counts; the memory stays.
    void *evaluation;
};

/// What a call of a widget's `snapshot` is.
enum run_kind {
    /// A run of its own.
    RUN_NEW,
    /// A part of the widget's run that is under way: a class's function calls its parent's.
    RUN_CHAINED,
    /// There is no room.
    RUN_REFUSED
};

/// Looks what the call is that a place on the stack is in; begins a run where it is a new one.
enum run_kind runs_begin(const void *place, GtkWidget *widget, struct crerender_gtk_run **run);

/// Ends the run of a call, which was not left by a jump, and forgets those in it that were. Null where it was forgotten itself.
struct crerender_gtk_run *runs_end(const void *place);

/// Forgets a widget that is no more: a program may dispose of one while it is drawn.
void runs_forget_widget(const struct record *record);

/// The step of the innermost run on this thread's stack; null for none.
struct step *drawing_step(void);

/// Windows are about to be painted, by a call that a place is in: no run that began before is around those that begin now.
///
/// - Returns: What `runs_painted` is to be told.
size_t runs_paint(const void *place);
void runs_painted(size_t before);

/// Whether a place is on the thread's own stack. On a coroutine's, calls end in another order than they began in.
bool spans_is_own_stack(const void *place);

/// Begins a phase or handler for the call that a place on the stack is in. False where there is no room, and on another stack.
bool spans_begin(void *phase, const void *place, uint64_t *began);

/// Ends what was begun for a place, and forgets what was begun in it and jumped over. Returns when, in nanoseconds.
uint64_t spans_end(const void *place);

#endif
#endif

// SPDX-License-Identifier: MIT
// What each hook offers, one set for each file beside this header.
#ifndef CRERENDER_GTK_HOOKS_H
#define CRERENDER_GTK_HOOKS_H

#include "../headers.h"
#include "../Widgets/records.h"
#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

struct step;

/// Hooks the classes of all widgets, now if there is one, else when GTK makes the first.
void classes_hook(void);

/// Replaces a class's `snapshot`. False where no stand-in is left.
///
/// - Parameter is_base: Whether it is GtkWidget's.
bool drawing_hook(GtkWidgetClass *class, bool is_base);

/// What is called after the `snapshot` of each widget, to draw over what a window or popover drew; null for nothing.
///
/// What it draws is no part of what is compared, and its time is not the widget's.
extern void (*drawing_draw_over)(GtkWidget *widget, GtkSnapshot *snapshot);

/// What is called for each widget that drew again for a reason of its own, with how often it was drawn and whether that is known
/// to have been needless; null for nothing.
extern void (*drawing_mark)(GtkWidget *widget, uint64_t count, bool is_wasted);

/// How many runs were counted.
extern uint64_t drawing_counted;

/// Says that the next `snapshot` of a window is asked for by the HUD. If nothing else is the reason, it does not count.
void drawing_expect_hud(GtkWidget *root);

/// Replaces a class's `measure` and `size_allocate`. False where no stand-in is left.
bool layout_hook(GtkWidgetClass *class);

/// Replaces a layout manager's `measure` and `allocate`. False where no stand-in is left.
bool layout_hook_manager(GtkLayoutManagerClass *class);

/// The innermost layout on this thread's stack that gives sizes and places; null for none.
struct step *layout_step(void);

/// Asked before GTK gets an event of a surface: whether GTK must not get it. Null without the HUD.
extern bool (*emissions_take_event)(GdkSurface *surface, GdkEvent *event);

/// Times what GTK emits from now on, and what programs and other libraries emit by name. What GObject and GIO emit is not seen.
void emissions_hook(GType widget_type);

/// Replaces what tells a class's widgets of notified properties and of new styles.
///
/// - Returns: False where no stand-in is left.
bool changes_hook(GtkWidgetClass *class);

/// Listens to what GTK emits on all widgets. `is_new` is called for each widget that gets its parent or is realized.
void changes_listen(GType widget_type, void (*is_new)(GtkWidget *widget));

/// Listens no more. Any thread.
void changes_put_back(void);

/// Whether what runs now is a step, or what one led to.
bool steps_has_current(void);

/// Notes a change of a widget that leads to a run of its `snapshot`, or of its layout and that of the widgets around it.
///
/// - Parameter writer: Where the program made the change; 0 where that is not known.
void steps_note(struct record *record, bool draws, bool lays_out, uintptr_t writer);

/// Replaces functions that programs call: idle functions are followed that a run adds.
void steps_hook(void);

/// Tells `report` of a hand-over: `handed PROCESS`, where the running instance is, or 0 where that is not known.
///
/// - Parameter type: GApplication's.
void handover_listen(GType type);
void handover_put_back(void);

/// Times the tick callbacks that the program and its libraries add from now on.
void ticks_hook(void);

#endif

// What runs on GTK's thread, in memory that outlives the calls: steps and what leads to one, runs of `snapshot`, phases and handlers.

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
    /// The place on the stack of the mark of the call that it is of, and whether that is the thread's own stack.
    uintptr_t place;
    bool is_on_own_stack;
    /// What the mark says while the call runs. No two runs have the same.
    uint64_t number;
    /// The frame of the call, and its return address, which never changes while it runs.
    const uintptr_t *frame;
    uintptr_t return_address;
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

/// Looks what the call is that a mark lies in, which has this frame; begins a run where it is a new one.
enum run_kind runs_begin(uint64_t *mark, const uintptr_t *frame, GtkWidget *widget, struct crerender_gtk_run **run);

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

// Which functions the program connects to signals.

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// Notes what is connected from now on, by the program and by GTK for its interface files, on the thread that counts.
///
/// - Parameter is_timed: Whether a signal's emissions are timed; the functions of others are not noted.
void connections_hook(bool (*is_timed)(guint signal));

/// The program's function that is connected to a signal of an instance; 0 where none is known, and where it is not the only one.
/// On the thread that counts, while the instance lives. Some nanoseconds where none is known.
uintptr_t connections_function(gpointer instance, guint signal);

#endif

#endif

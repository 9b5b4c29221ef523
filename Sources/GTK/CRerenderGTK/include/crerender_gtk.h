// SPDX-License-Identifier: MIT
// What the Swift part of Rerender for GTK calls and is called by, and when frames were presented. No types of GTK.
#ifndef CRERENDER_GTK_H
#define CRERENDER_GTK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A run of a widget's `snapshot`.
struct crerender_gtk_run;

/// What of the main loop called a function of the program.
enum crerender_gtk_source {
    CRERENDER_GTK_NO_SOURCE,
    CRERENDER_GTK_TIMER,
    CRERENDER_GTK_IDLE,
    CRERENDER_GTK_OTHER_SOURCE
};

/// What became of a run.
struct crerender_gtk_outcome {
    /// The number of its reason, for `crerender_gtk_reason`; 0 where nothing that is known explains it.
    uint32_t reason;
    /// Whether its render node was compared with the last one of the widget, and whether both are the same.
    bool is_compared, is_same;
    /// Whether there is no last one.
    bool is_first;
    /// Whether it counts. Not where the HUD alone asked for it.
    bool is_counted;
    /// Whether the reason is a child that drew again.
    bool is_child;
    /// Where the program made the change that is the reason: the address that its call returns to; 0 where that is not known.
    uintptr_t writer;
    /// What called the code that made it, and its function; 0 where it is not known.
    enum crerender_gtk_source source;
    uintptr_t callback;
};

/// A frame that a window's frame clock went through and that drew. All in nanoseconds.
struct crerender_gtk_frame {
    /// What `frame_began` returned.
    uint64_t number;
    uint64_t update, layout;
    /// The paint phase: the widgets' part, and the rest.
    uint64_t snapshot, drawing;
    /// What there is between two frames; 0 where it is not known.
    uint64_t interval;
    /// The thread's processor time in all phases; 0 where it is not known.
    uint64_t processor;
    /// Whether the compositor told the interval, and it is no default of GTK's.
    bool is_interval_told;
    /// Whether all that drew is known to have drawn what it drew before, and whether the frame began within a second after the first one.
    bool is_same, is_early;
};

/// Memory for a phase or a handler that runs.
struct crerender_gtk_span {
    uint64_t words[7];
};

/// A script's function that runs, as CRerender knows it.
struct crerender_gtk_script {
    uintptr_t words[2];
};

/// Parts of the main thread's work, in the order of `enum crerender_part` of CRerender.
enum crerender_gtk_part {
    CRERENDER_GTK_PART_BODIES,
    CRERENDER_GTK_PART_STYLE,
    CRERENDER_GTK_PART_LAYOUT,
    CRERENDER_GTK_PART_UPDATE,
    CRERENDER_GTK_PART_SNAPSHOT,
    CRERENDER_GTK_PART_DRAWING,
    CRERENDER_GTK_PART_SOURCES,
    CRERENDER_GTK_PART_LOOP,
    /// How many there are.
    CRERENDER_GTK_PARTS
};

/// Kinds of what the main loop calls, in the order of `enum crerender_row_kind` of CRerender. Those of other kinds have their rows from there.
enum crerender_gtk_row { CRERENDER_GTK_ROW_HANDLER = 4, CRERENDER_GTK_ROW_TICK = 5 };

/// Phases of a view beside its runs. The first drawing is that in a window's first second.
enum crerender_gtk_phase { CRERENDER_GTK_LAYOUT, CRERENDER_GTK_DRAWING, CRERENDER_GTK_FIRST_DRAWING };

/// What is called back, on the thread that GTK runs on. Nothing here may call GTK.
struct crerender_gtk_callbacks {
    void *context;
    /// Widgets are about to be counted.
    void (*begin)(void *context);
    /// The view of a key, for as long as the process runs.
    void *(*view)(void *context, const char *key);
    /// Memory for a run that counts, for as long as the process runs.
    void *(*run_memory)(void);
    /// A run of a view begins, in such memory that no other one has now. False where nothing counts.
    ///
    /// - Parameter hint: A number that is the instance's, 0 at first.
    bool (*run_began)(void *view, uint64_t instance, uint32_t *hint, void *memory);
    /// It ends: calls `crerender_gtk_judge`, and counts it. Returns how long it took, in nanoseconds.
    uint64_t (*run_ended)(void *memory, struct crerender_gtk_run *run);
    /// The call that it is of was left by a jump: it does not count.
    void (*run_forgotten)(void *memory);
    /// There was no room for a run.
    void (*run_dropped)(void *context);
    /// Counts layouts of a view.
    void (*laid_out)(void *view, uint64_t count, uint64_t nanoseconds);
    /// A phase of a view, and an event handler of one, or of none where the view is null; kept for as long as the process runs. Null
    /// where there is no room.
    void *(*phase)(void *view, enum crerender_gtk_phase phase);
    void *(*handler)(void *context, void *view, const char *name);
    /// A phase or handler begins, or ends; returns when, in nanoseconds.
    uint64_t (*span_began)(void *phase, struct crerender_gtk_span *span);
    uint64_t (*span_ended)(void *phase, struct crerender_gtk_span *span);
    /// The call that it is of was left by a jump.
    void (*span_forgotten)(struct crerender_gtk_span *span);
    /// A run of a widget's function as a step: its layout or its `snapshot`, the step and the code that led to it (null and 0 where they are
    /// not known), and how often something came from outside. Held; null where nothing counts.
    void *(*step)(void *view, uint64_t instance, bool is_layout, void *previous, uintptr_t writer, uint64_t outside);
    /// Holds a step once more, and lets go of it once.
    void (*keep_step)(void *step);
    void (*forget_step)(void *step);
    /// A step as one that leads on over an idle function: the given one, or where that is null the body or handler that runs. Held; null
    /// where nothing known runs.
    void *(*queued_step)(void *step);
    /// The program adds an idle function, by a call that returns to an address. Any thread.
    void (*idle_added)(uintptr_t caller);
    /// Somebody used a window, or what that leads to at once has ended.
    void (*input)(void *context);
    /// A frame begins; returns its number.
    uint64_t (*frame_began)(void *context);
    void (*frame_ended)(void *context, const struct crerender_gtk_frame *frame);
    /// A frame was presented so long after it began.
    void (*frame_presented)(void *context, uint64_t nanoseconds);
    /// A widget is no more.
    void (*ended)(void *view, uint64_t instance);
    /// The row of a handler or tick callback, by its function's address and by whose it is: a text that is kept for as long as the process
    /// runs. That of all others where there is no room.
    uint32_t (*row)(void *context, int kind, uintptr_t function, const char *of);
    /// It ran: counts the piece of the main thread's work that has just ended for its row.
    void (*row_ran)(void *context, uint32_t row, uint64_t wall);
    /// A function is called in the place of the one of that name, which stays where it is.
    void (*stands_in)(void *context, uintptr_t function, const char *name);
    /// The place of the innermost function of a script that runs, and an address in the frame of the interpreter's function that runs it;
    /// 0 for none. Places stand where addresses of code do.
    uintptr_t (*script)(void *context, uintptr_t *frame);
    /// The place of a script's function that a binding calls for a callback with its data, or for a closure with its marshaller; 0 where it is
    /// not known.
    uintptr_t (*script_callable)(void *context, uintptr_t callback, const void *data);
    /// Whether an address behind a call is in a function of a language binding that is linked into the program.
    bool (*is_passed_over)(uintptr_t address);
    /// A handler is about to be called in a function's frame on the stack; writes what ran, for the end. Says to those who look at a stack which
    /// script's function it is, where that cannot be read from the stack.
    void (*handler_began)(void *context, uintptr_t function, uintptr_t frame, struct crerender_gtk_script *around);
    void (*handler_ended)(void *context, const struct crerender_gtk_script *around);
    /// A piece of a part begins, at a time of the monotonic clock; returns the part that it is in. It ends: that part goes on.
    uint32_t (*part_enter)(void *context, uint32_t part, uint64_t now);
    void (*part_leave)(void *context, uint32_t around, uint64_t now);
    /// Writes the time by the clock of all parts, in their order, until now; nothing where no loop is known to run on the thread.
    void (*parts)(void *context, uint64_t now, uint64_t *wall);
    /// A frame clock has gone through a frame.
    ///
    /// - Parameters:
    ///   - is_same: Whether every widget that drew is known to have drawn what it drew before, without a look at pictures.
    ///   - has_slow: Whether it shows what slow input led to.
    void (*frame_seen)(void *context, bool is_painted, bool is_same, bool has_slow);
    /// Frames of a sample were compared by their pictures, too: `same` of `compared` draw the same. The sample stands for `likely` frames, those
    /// since this was told last that are not known to draw the same without pictures, and says that `likely_same` of these do.
    void (*frames_compared)(void *context, uint64_t compared, uint64_t same, uint64_t likely, uint64_t likely_same);
    /// Says which process has the windows.
    void (*report)(void *context, const char *text);
    /// Says why no widgets are counted.
    void (*refused)(void *context, const char *why);
    /// Says that some widgets are not counted, as there was no room for the functions of their classes.
    void (*was_full)(void *context);
    /// Says how many functions other code has put into classes, and the first of them: each name after a space.
    void (*replaced)(void *context, size_t count, const char *names);
};

/// Counts the widgets of this process from now on, or from when it makes its first. GTK 4 has to be loaded. Once.
///
/// - Returns: Null, or else why not.
const char *crerender_gtk_start(const struct crerender_gtk_callbacks *callbacks);

/// Does that for a program that asks for it itself, on GTK's thread. Any number of times: only the first call does something.
///
/// - Returns: Null, or else why not: what `crerender_gtk_elsewhere` returns where another copy of this library counts them.
const char *crerender_gtk_start_linked(const struct crerender_gtk_callbacks *callbacks);

/// What is said where another copy of this library counts the widgets.
const char *crerender_gtk_elsewhere(void);

/// Says why the HUD cannot be shown in a window now, as a program asks for it; null where it can. Any thread.
const char *crerender_gtk_hud_obstacle(void *window);

/// Whether this library counts the widgets, and the calling thread is GTK's.
bool crerender_gtk_is_on_thread(void);

/// Says whether anything counts; true in the beginning. Any thread.
void crerender_gtk_set_counting(bool is_counting);

/// Puts back what was put into classes, tables of imports and lists of hooks; nothing is put there any more. Once everything is off, for good. Any
/// thread, any number of times.
void crerender_gtk_put_back(void);

/// Finds the reason of a run that has ended, and whether it was needed.
struct crerender_gtk_outcome crerender_gtk_judge(struct crerender_gtk_run *run);

/// What led to the idle function that runs on the calling thread, as `queued_step` returned it; null where none does, and where nothing that
/// is known led to it. Not held: it is kept until the function returns.
void *crerender_gtk_source_step(void);

/// The text of a reason, for ever; null where there is none of that number.
const char *crerender_gtk_reason(uint32_t number);

// When frames were presented, which is known some frames later or never. No types of GTK, so that it can be tried without one.

/// What a clock knows of one of its frames.
struct crerender_presentation {
    /// Whether the clock has it still, and whether all is known of it that ever will be.
    bool is_kept, is_complete;
    /// When it was presented, in nanoseconds; 0 where GTK does not know.
    uint64_t at;
};

/// Whom to ask and to tell.
struct crerender_presentation_source {
    struct crerender_presentation (*ask)(const void *clock, int64_t counter);
    /// A frame was presented so long after it began.
    void (*tell)(uint64_t nanoseconds);
};

/// Frames that are waited for, of all clocks; more take the places of the oldest.
enum { CRERENDER_PRESENTATIONS = 8 };

/// A frame was drawn; its presentation will be asked for. One thread; no allocation.
void crerender_presentation_note(const void *clock, int64_t counter, uint64_t began);

/// Asks for the earlier frames of a clock whose frame `counter` is drawn now. Each is asked for in the next few frames alone.
void crerender_presentation_look(const void *clock, int64_t counter,
                                 const struct crerender_presentation_source *source);

// What is known of widgets beside their runs: who asks for frames, who is laid out for long, what is made anew, and which input took long until
// it was seen. No types of GTK.

/// In the order of the cases of `WidgetFact.Kind`, after none.
enum crerender_fact_kind {
    CRERENDER_NO_FACT,
    CRERENDER_FACT_ASKER,
    CRERENDER_FACT_LAYOUT,
    CRERENDER_FACT_ANEW,
    CRERENDER_FACT_INTERACTION
};

/// How many of a kind are kept, those with most and, of interactions, the newest slow ones; and of all together.
enum {
    CRERENDER_ASKERS = 6,
    CRERENDER_LAYOUTS = 5,
    CRERENDER_ANEW = 5,
    CRERENDER_INTERACTIONS = 16,
    CRERENDER_FACTS = 32
};

/// In the order of the cases of `WidgetFact.Interaction.Input`, after none.
enum crerender_input {
    CRERENDER_INPUT_NONE,
    CRERENDER_INPUT_PRESS,
    CRERENDER_INPUT_CLICK,
    CRERENDER_INPUT_KEY,
    CRERENDER_INPUT_TOUCH
};

/// What is known of an interaction beside the numbers of its fact: when it began, by the monotonic clock, and where its time went.
struct crerender_interaction {
    enum crerender_input input;
    uint64_t began, evaluations, style, layout, drawing, presentation;
};

/// Who does something most of the time, by a majority vote. All 0 at first.
struct crerender_vote {
    /// An address in the function that leads: one with more than half of all does in the end.
    uintptr_t writer;
    /// How far it leads, how often it was found since it began to lead, and how often all were.
    uint64_t lead, own, all;
};

/// Counts one time more; `found` is 0 where the writer is not known.
static inline void crerender_vote_add(struct crerender_vote *vote, uintptr_t found) {
    vote->all++;
    if (found && found == vote->writer) {
        vote->lead++;
        vote->own++;
    } else if (vote->lead) {
        vote->lead--;
    } else if (found) {
        vote->writer = found;
        vote->lead = vote->own = 1;
    }
}

/// The writer of half of all times or more; 0 where that is not known of one.
static inline uintptr_t crerender_vote_writer(const struct crerender_vote *vote) {
    return vote->own * 2 >= vote->all ? vote->writer : 0;
}

/// A fact, whose numbers are those of `WidgetFact.Numbers`. Texts are kept for as long as the process runs.
struct crerender_fact {
    enum crerender_fact_kind kind;
    /// The widget's key; why it is not visible, or null; the key of what it is in, or null.
    const char *view, *hidden, *parent;
    /// An address in the function that did it, behind its first byte; 0 where none is known, or none that did half of it.
    uintptr_t writer;
    uint64_t count, of, nanoseconds, processor, longest, longest_of, duration, same;
    /// Without an input for the other kinds.
    struct crerender_interaction interaction;
};

/// Copies the facts, each at the same place as before. Places without a fact are of no kind. Any thread; may wait for a copy like this one.
void crerender_facts_read(struct crerender_fact facts[CRERENDER_FACTS]);

/// Forgets all of them. Any thread.
void crerender_facts_reset(void);

#endif

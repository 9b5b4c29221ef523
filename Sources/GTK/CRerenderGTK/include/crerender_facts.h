// SPDX-License-Identifier: MIT
// What is known of widgets beside their runs: who asks for frames, who is laid out for long, what is made anew, and which input took long until
// it was seen. No types of GTK.
#ifndef CRERENDER_FACTS_H
#define CRERENDER_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

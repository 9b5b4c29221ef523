// SPDX-License-Identifier: MIT
// Keeps the interactions that took longest from input to frame and the newest slow ones, with where their time went by the
// main loop's account.

#include "frame_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Widgets/questions.h"

#include <stdbool.h>
#include <string.h>

/// A frame that begins later after an input was handed out need not have come of it.
enum { OF_INPUT = 250000000 };

/// Input that comes so soon after other input had waited with it: both are seen in one frame.
enum { TOGETHER = 16000000 };

/// What took less is one frame at 60 a second, and is not kept.
enum { LEAST = 16000000 };

/// From so long on, until its frame ended, one is slow.
enum { SLOW = 200000000 };

/// So many of the newest slow ones are kept, however short; the other places are for the longest.
enum { NEWEST = 8 };

static uint64_t without(uint64_t all, uint64_t own) { return all > own ? all - own : 0; }

static void read_parts(uint64_t now, uint64_t wall[CRERENDER_GTK_PARTS]) {
    memset(wall, 0, CRERENDER_GTK_PARTS * sizeof *wall);
    part.swift.parts(part.swift.context, now, wall);
}

// MARK: The one under way

/// Handlers of one function, or of one widget where the function is not known: all their runs together, and the latest input that they had.
struct ran {
    const char *view;
    uintptr_t function;
    uint64_t nanoseconds;
    enum crerender_input input;
};

/// One more takes the place of the one with least.
enum { MOST_RAN = 8 };

/// Input that no frame has shown yet.
static struct {
    enum crerender_input input, latest;
    const char *window;
    /// When GTK began to hand out the first of it, and when it had handed out the latest; 0 while it does.
    uint64_t began, handed_out;
    /// The thread's processor time, and all parts of its work, when it began.
    uint64_t processor, parts[CRERENDER_GTK_PARTS];
    uint64_t writes;
    struct ran ran[MOST_RAN];
} current;

/// Whether what happens at that time is no part of it any more.
static bool is_over(uint64_t at) { return at > (current.handed_out ? current.handed_out : current.began) + OF_INPUT; }

void interactions_began(enum crerender_input input, const char *window) {
    uint64_t now = part_now();
    if (current.input && current.handed_out && now < current.handed_out + TOGETHER) {
        current.latest = input;
        current.handed_out = 0;
        return;
    }
    memset(&current, 0, sizeof current);
    current.input = current.latest = input;
    current.window = window;
    current.began = now;
    current.processor = part_processor();
    read_parts(now, current.parts);
}

void interactions_handed_out(void) {
    if (current.input) current.handed_out = part_now();
}

/// The time of handlers and sources until now, where an interaction goes on; else 0.
static uint64_t sources_until_now(void) {
    if (!current.input) return 0;
    uint64_t now = part_now(), wall[CRERENDER_GTK_PARTS];
    // Nothing was painted for it.
    if (current.handed_out && is_over(now)) current.input = CRERENDER_INPUT_NONE;
    read_parts(now, wall);
    return wall[CRERENDER_GTK_PART_SOURCES];
}

static bool is_of(const struct ran *one, const struct interaction_handler *handler) {
    return one->view && one->function == handler->function && (one->function || one->view == handler->view);
}

/// The runs of such a handler, or the place of the one with least.
static struct ran *place_of(const struct interaction_handler *handler) {
    struct ran *found = current.ran;
    for (struct ran *one = current.ran; one < current.ran + MOST_RAN; one++) {
        if (is_of(one, handler)) return one;
        if (one->nanoseconds < found->nanoseconds) found = one;
    }
    return found;
}

struct interaction_handler interactions_handler_began(uint64_t began, const char *view, uintptr_t function) {
    struct interaction_handler handler = {began, sources_until_now(), 0, view, function};
    const struct ran *known = current.input ? place_of(&handler) : NULL;
    if (known && is_of(known, &handler)) handler.before = known->nanoseconds;
    return handler;
}

void interactions_handler_ended(const struct interaction_handler *handler) {
    // Input of a loop in the handler is another interaction.
    if (!current.input || handler->began < current.began) return;
    uint64_t took = without(sources_until_now(), handler->sources);
    struct ran *place = place_of(handler);
    if (!is_of(place, handler)) *place = (struct ran){handler->view, handler->function, 0, current.latest};
    // Runs of the same function inside of this one are part of it.
    place->nanoseconds = handler->before + took;
    if (took > handler->before) place->input = current.latest;
}

/// The handler with most: of the program's, if that took half of the most, since GTK's own handler is around it.
static const struct ran *most_of(void) {
    const struct ran *most = current.ran;
    for (const struct ran *one = current.ran + 1; one < current.ran + MOST_RAN; one++) {
        uint64_t weight = one->nanoseconds * (one->function ? 2 : 1);
        if (weight > most->nanoseconds * (most->function ? 2 : 1)) most = one;
    }
    return most;
}

void interactions_note_write(void) { current.writes++; }

// MARK: Those that are kept

/// One that is kept, and the frame whose presentation is to be asked for; without a clock, nothing is.
struct interaction {
    struct crerender_fact fact;
    const GdkFrameClock *clock;
    int64_t counter;
    uint64_t painted;
};
static struct interaction kept[CRERENDER_INTERACTIONS];
/// How many slow ones there were.
static uint64_t slow;
static uint32_t epoch;
static bool is_changed;

static void put(void) {
    if (!is_changed) return;
    struct crerender_fact facts[CRERENDER_INTERACTIONS];
    for (size_t place = 0; place < CRERENDER_INTERACTIONS; place++) facts[place] = kept[place].fact;
    is_changed = !fact_table_put(CRERENDER_FACT_INTERACTION, facts, CRERENDER_INTERACTIONS, epoch);
}

/// What one must exceed to take the place of another; no length does for one of the newest slow ones.
static uint64_t worth(const struct interaction *one) {
    return one->fact.same && one->fact.same + NEWEST > slow ? UINT64_MAX : one->fact.nanoseconds;
}

static struct interaction *least(void) {
    struct interaction *found = &kept[0];
    for (size_t place = 1; place < CRERENDER_INTERACTIONS; place++)
        if (worth(&kept[place]) < worth(found)) found = &kept[place];
    return found;
}

/// Keeps the interaction, whose frame ends now, if it is slow or one of the longest.
static void take(const struct interaction_frame *frame, uint64_t now) {
    uint64_t took = now - current.began;
    bool is_slow = took >= SLOW;
    if (is_slow) slow++;
    struct interaction *place = least();
    if (took < LEAST || (!is_slow && took <= worth(place))) return;
    uint64_t wall[CRERENDER_GTK_PARTS];
    read_parts(now, wall);
    for (size_t one = 0; one < CRERENDER_GTK_PARTS; one++) wall[one] = without(wall[one], current.parts[one]);
    const struct ran *most = most_of();
    *place = (struct interaction){.clock = frame->clock, .counter = frame->counter, .painted = now};
    place->fact = (struct crerender_fact){
        .kind = CRERENDER_FACT_INTERACTION,
        .view = most->view ? most->view : current.window,
        // Its first byte is part of it.
        .writer = most->function ? most->function + 1 : 0,
        .count = frame->drawings,
        .of = current.writes,
        .nanoseconds = took,
        .processor = without(part_processor(), current.processor),
        .longest = most->nanoseconds,
        .longest_of = wall[CRERENDER_GTK_PART_SOURCES],
        .same = is_slow ? slow : 0,
    };
    place->fact.interaction = (struct crerender_interaction){
        .input = most->view ? most->input : current.input,
        .began = current.began,
        .evaluations = wall[CRERENDER_GTK_PART_BODIES],
        .style = wall[CRERENDER_GTK_PART_STYLE] + wall[CRERENDER_GTK_PART_UPDATE],
        .layout = wall[CRERENDER_GTK_PART_LAYOUT],
        .drawing = wall[CRERENDER_GTK_PART_SNAPSHOT] + wall[CRERENDER_GTK_PART_DRAWING],
    };
    is_changed = true;
}

bool interactions_frame_ended(const struct interaction_frame *frame) {
    if (epoch != fact_table_epoch()) {
        epoch = fact_table_epoch();
        memset(kept, 0, sizeof kept);
        slow = 0;
        is_changed = false;
    }
    uint64_t before = slow;
    // A frame that was under way when the input came does not show what that led to.
    if (current.input && frame->began >= current.began) {
        if (!is_over(frame->began)) take(frame, part_now());
        memset(&current, 0, sizeof current);
    }
    put();
    return slow != before;
}

// MARK: Presentation

/// Whether nothing more is to be learned of its frame.
static bool look(struct interaction *one, int64_t counter, const struct crerender_presentation_source *source) {
    int64_t age = counter - one->counter;
    // A new clock may have the address of an old one.
    if (age <= 0 || age > CRERENDER_PRESENTATIONS) return true;
    struct crerender_presentation found = source->ask(one->clock, one->counter);
    if (!found.is_kept) return true;
    if (!found.is_complete) return false;
    if (found.at > one->painted) {
        one->fact.nanoseconds = found.at - one->fact.interaction.began;
        one->fact.interaction.presentation = found.at - one->painted;
        is_changed = true;
    }
    return true;
}

void interactions_look(GdkFrameClock *clock, int64_t counter, const struct crerender_presentation_source *source) {
    if (epoch != fact_table_epoch()) return;
    for (size_t place = 0; place < CRERENDER_INTERACTIONS; place++) {
        struct interaction *one = &kept[place];
        if (one->clock == clock && look(one, counter, source)) one->clock = NULL;
    }
    put();
}
#endif

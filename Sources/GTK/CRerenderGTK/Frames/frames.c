// SPDX-License-Identifier: MIT
// Times the frames of frame clocks, phase by phase, and finds out later when they were presented. Nothing here asks for a frame.

#include "crerender_gtk.h"
#include "frame_parts.h"

#include <stddef.h>

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"
#include "../Widgets/questions.h"

#include <stdbool.h>

// MARK: Frames under way

/// A frame of a clock. Its phases need not follow each other: a clock may be frozen between two.
struct frame {
    GdkFrameClock *clock;
    uint64_t number, began, update, layout, paint, snapshot;
    /// Runs of widgets in it that count.
    uint64_t drawings;
    /// The thread's processor time in its phases, and when the phase that runs began by that clock.
    uint64_t processor, running_since;
    /// The part of the main thread's work that its phase is in.
    uint32_t around;
    bool is_painted;
    /// Whether a run in it counts, and whether one does not.
    bool has_counted, has_uncounted;
    /// Whether something in it may have drawn something else than before, and whether something is known to have.
    bool may_differ, differs;
    /// Whether pictures of it were looked at.
    bool has_pictures;
};

/// Few windows are in a frame at once: a loop in a handler of a frame draws other windows.
enum { MOST_FRAMES = 4 };
static struct frame frames[MOST_FRAMES];
static struct frame *painting;
/// While its callbacks run, and how long of that widgets were laid out.
static struct frame *updating;
static uint64_t laid_out;

static struct frame *frame_of(const GdkFrameClock *clock) {
    for (size_t place = 0; place < MOST_FRAMES; place++)
        if (frames[place].clock == clock) return &frames[place];
    return NULL;
}

/// A place for a new frame: the clock's, a free one, or that of the frame that began first.
static struct frame *make_place(const GdkFrameClock *clock) {
    struct frame *place = frame_of(clock);
    if (!place) place = frame_of(NULL);
    if (place) return place;
    place = frames;
    for (size_t other = 1; other < MOST_FRAMES; other++)
        if (frames[other].began < place->began) place = &frames[other];
    return place;
}

static void begin(GdkFrameClock *clock) {
    struct frame *frame = make_place(clock);
    if (painting == frame) painting = NULL;
    if (updating == frame) updating = NULL;
    *frame = (struct frame){.clock = clock, .began = part_now()};
    frame->number = part.swift.frame_began(part.swift.context);
}

// MARK: Presentation

static struct crerender_presentation ask(const void *clock, int64_t counter) {
    GdkFrameTimings *timings = gtk.gdk_frame_clock_get_timings((GdkFrameClock *)clock, counter);
    if (!timings) return (struct crerender_presentation){0};
    gint64 presented = gtk.gdk_frame_timings_get_presentation_time(timings);
    return (struct crerender_presentation){.is_kept = true,
                                           .is_complete = gtk.gdk_frame_timings_get_complete(timings),
                                           .at = presented > 0 ? (uint64_t)presented * 1000 : 0};
}

/// What there was between two frames when it was asked for last, in nanoseconds; 0 where it is to be asked for.
static uint64_t known_interval;

static void tell(uint64_t nanoseconds) {
    // A compositor that tells when a frame was presented tells the interval with it: at the first frame nothing was told.
    static bool has_told;
    if (!has_told) known_interval = 0;
    has_told = true;
    part.swift.frame_presented(part.swift.context, nanoseconds);
}

static const struct crerender_presentation_source presentations = {ask, tell};

/// What there is between two frames, in nanoseconds. Asked for a frame that may be too long, for the first one, and once a
/// compositor has told something: GTK looks through its last 128 frames where no compositor tells.
static uint64_t interval_of(GdkFrameClock *clock, uint64_t took, bool *is_told) {
    static bool is_known_told;
    enum { SHORTEST = 2000000 };
    if (!known_interval || took >= SHORTEST) {
        gint64 interval = 0, presented = 0;
        gtk.gdk_frame_clock_get_refresh_info(clock, 0, &interval, &presented);
        known_interval = interval > 0 ? (uint64_t)interval * 1000 : 0;
        // GTK's default is told by no frame.
        is_known_told = false;
        gint64 counter = gtk.gdk_frame_clock_get_frame_counter(clock);
        for (gint64 back = 0; back < CRERENDER_PRESENTATIONS && !is_known_told; back++) {
            GdkFrameTimings *timings = gtk.gdk_frame_clock_get_timings(clock, counter - back);
            is_known_told = timings && gtk.gdk_frame_timings_get_refresh_interval(timings) > 0;
        }
    }
    *is_told = is_known_told;
    return known_interval;
}

// MARK: The end

/// When the first frame that painted something began; 0 before it.
static uint64_t first_began;

/// What a program does in its first second is no fault of one of its frames.
enum { EARLY = 1000000000 };

/// Whether nothing but the HUD was drawn.
static bool is_for_hud(const struct frame *frame) { return frame->has_uncounted && !frame->has_counted; }

/// Has the frame counted for what it was drawn for.
static void tell_causes(const struct frame *frame, bool has_slow) {
    uint64_t input_since = causes_take_input(frame->began);
    layouts_frame_ended(frame->processor, input_since);
    anew_frame_ended();
    if (is_for_hud(frame)) return causes_forget_frame();
    // Samples tell what is known from pictures.
    bool is_same = frame->is_painted && !frame->may_differ && !frame->has_pictures;
    part.swift.frame_seen(part.swift.context, frame->is_painted, is_same, has_slow);
    struct frame_cost cost = {frame->update + frame->layout + frame->paint, frame->processor};
    if (causes_frame_ended(frame->clock, cost)) layouts_put();
}

static void end(struct frame *frame) {
    GdkFrameClock *clock = frame->clock;
    gint64 counter = gtk.gdk_frame_clock_get_frame_counter(clock);
    crerender_presentation_look(clock, counter, &presentations);
    interactions_look(clock, counter, &presentations);
    bool is_shown = frame->is_painted && !is_for_hud(frame);
    struct interaction_frame shown = {clock, counter, frame->began, frame->drawings};
    tell_causes(frame, is_shown && interactions_frame_ended(&shown));
    if (is_shown) {
        struct crerender_gtk_frame told = {.number = frame->number, .update = frame->update, .layout = frame->layout};
        if (!first_began) first_began = frame->began;
        told.processor = frame->processor;
        told.is_same = !frame->may_differ;
        told.is_early = frame->began - first_began < EARLY;
        told.snapshot = frame->snapshot < frame->paint ? frame->snapshot : frame->paint;
        told.drawing = frame->paint - told.snapshot;
        told.interval = interval_of(clock, told.update + told.layout + frame->paint, &told.is_interval_told);
        part.swift.frame_ended(part.swift.context, &told);
        crerender_presentation_note(clock, counter, frame->began);
    }
    frame->clock = NULL;
}

// MARK: Signals

GdkFrameClock *frames_painting(void) { return painting ? painting->clock : NULL; }

/// What a phase's time goes to, but for what has a part of its own in it. An update begins with style sheets: what is called back from
/// there is another part.
static enum crerender_gtk_part part_of(enum frame_signal signal) {
    switch (signal) {
    case FRAME_LAYOUT: return CRERENDER_GTK_PART_LAYOUT;
    case FRAME_PAINT: return CRERENDER_GTK_PART_DRAWING;
    default: return CRERENDER_GTK_PART_STYLE;
    }
}

static bool is_phase(enum frame_signal signal) {
    return signal == FRAME_UPDATE || signal == FRAME_LAYOUT || signal == FRAME_PAINT;
}

/// The last phase that ended, by both clocks. The next one mostly begins at once: the kernel need not be asked again.
struct reading {
    uint64_t now, processor;
};
static struct reading latest;

static uint64_t processor_at(uint64_t now) {
    enum { AT_ONCE = 20000 };
    return latest.processor && now - latest.now < AT_ONCE ? latest.processor : part_processor();
}

static void phase_begins(struct frame *frame, enum frame_signal signal) {
    uint64_t now = part_now();
    frame->running_since = processor_at(now);
    frame->around = part.swift.part_enter(part.swift.context, part_of(signal), now);
}

/// Returns the processor time that it took.
static uint64_t phase_ends(struct frame *frame) {
    // A loop in a handler of this phase went through another frame of the clock.
    if (!frame->running_since) return 0;
    latest.now = part_now();
    latest.processor = part_processor();
    part.swift.part_leave(part.swift.context, frame->around, latest.now);
    uint64_t processor = latest.processor - frame->running_since;
    frame->processor += processor;
    frame->running_since = 0;
    return processor;
}

void frames_emits(GdkFrameClock *clock, enum frame_signal signal) {
    if (signal == FRAME_BEFORE_PAINT) begin(clock);
    struct frame *frame = is_phase(signal) ? frame_of(clock) : NULL;
    if (signal == FRAME_PAINT) painting = frame;
    if (frame && signal == FRAME_PAINT) pictures_begin(causes_are_steady());
    if (signal == FRAME_UPDATE) {
        updating = frame;
        laid_out = 0;
    }
    if (frame) phase_begins(frame, signal);
}

static uint64_t without(uint64_t all, uint64_t own) { return all > own ? all - own : 0; }

/// Ends a paint phase. What comparing pictures took is no part of the frame.
static void painted(struct frame *frame, uint64_t nanoseconds) {
    enum comparison seen = !frame->may_differ ? NODES_SAME : frame->differs ? NODES_DIFFER : NODES_UNKNOWN;
    struct pictures_frame pictures = pictures_end(!is_for_hud(frame), seen);
    frame->is_painted = true;
    frame->has_pictures = pictures.is_looked_at;
    frame->paint += without(nanoseconds, pictures.processor);
    frame->snapshot = without(frame->snapshot, pictures.processor);
    frame->processor = without(frame->processor, pictures.processor);
}

void frames_emitted(GdkFrameClock *clock, enum frame_signal signal, uint64_t nanoseconds) {
    struct frame *frame = frame_of(clock);
    if (signal == FRAME_PAINT) painting = NULL;
    if (signal == FRAME_UPDATE) updating = NULL;
    if (!frame) return;
    uint64_t processor = is_phase(signal) ? phase_ends(frame) : 0;
    if (signal == FRAME_LAYOUT) layouts_ended(nanoseconds, processor);
    switch (signal) {
    case FRAME_UPDATE: {
        uint64_t moved = laid_out < nanoseconds ? laid_out : nanoseconds;
        frame->update += nanoseconds - moved;
        frame->layout += moved;
        break;
    }
    case FRAME_LAYOUT: frame->layout += nanoseconds; break;
    case FRAME_PAINT: painted(frame, nanoseconds); break;
    case FRAME_AFTER_PAINT: end(frame); break;
    case FRAME_BEFORE_PAINT:
    case FRAME_SIGNALS: break;
    }
}

void frames_note_run(bool is_counted, bool may_differ, bool differs) {
    if (!painting) return;
    if (may_differ) painting->may_differ = true;
    if (differs) painting->differs = true;
    if (is_counted) {
        painting->has_counted = true;
        painting->drawings++;
    } else {
        painting->has_uncounted = true;
    }
}

void frames_note_unseen(void) {
    if (painting) painting->may_differ = true;
}

uint32_t frames_snapshot_begins(void) { return painting ? part_entered(CRERENDER_GTK_PART_SNAPSHOT) : 0; }

void frames_snapshot_ended(uint32_t around) {
    if (painting) part_left(around);
}

void frames_add_layout(uint64_t nanoseconds) {
    if (updating) laid_out += nanoseconds;
}

void frames_add_snapshot(uint64_t nanoseconds) {
    if (painting) painting->snapshot += nanoseconds;
}
#endif

static struct {
    const void *clock;
    int64_t counter;
    uint64_t began;
} waiting[CRERENDER_PRESENTATIONS];
static size_t next;

void crerender_presentation_note(const void *clock, int64_t counter, uint64_t began) {
    waiting[next].clock = clock;
    waiting[next].counter = counter;
    waiting[next].began = began;
    next = (next + 1) % CRERENDER_PRESENTATIONS;
}

/// Whether nothing more is to be learned of a frame.
static bool look(size_t place, int64_t counter, const struct crerender_presentation_source *source) {
    int64_t age = counter - waiting[place].counter;
    // A new clock may have the address of an old one.
    if (age <= 0 || age > CRERENDER_PRESENTATIONS) return true;
    struct crerender_presentation found = source->ask(waiting[place].clock, waiting[place].counter);
    if (!found.is_kept) return true;
    if (!found.is_complete) return false;
    if (found.at > waiting[place].began) source->tell(found.at - waiting[place].began);
    return true;
}

void crerender_presentation_look(const void *clock, int64_t counter,
                                 const struct crerender_presentation_source *source) {
    for (size_t place = 0; place < CRERENDER_PRESENTATIONS; place++)
        if (waiting[place].clock == clock && look(place, counter, source)) waiting[place].clock = NULL;
}

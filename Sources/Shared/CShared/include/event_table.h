// SPDX-License-Identifier: MIT
// The fields of every trace event, once. LTTng's description, the struct that emits an event and the struct that a
// reader fills all come from here.
//
// FIELD(type, name, absent): the type is TEXT, a number, or one of the enumerations below, which are bytes. `absent` is
// what a reader takes where a recording has no such field, 0 or all ones. A field is NEEDED if each version has written
// it: a reader takes an event without it for an unknown one. So a new field, which stands last, is ZERO or ONES. The
// compiler then asks the emitter for its value, and a test asks for it in docs/reference/trace-events.md.
#ifndef CSIGNPOST_EVENT_TABLE_H
#define CSIGNPOST_EVENT_TABLE_H

// clang-format off

/// ENUMERATION(type, values) with VALUE(number, label): a byte for which viewers of traces show the label, and filters compare the number.
/// A number but 0 is the place of a Swift case, from 1, and its label is the case's raw value; a test compares them. Of a hang, 0 is the
/// case that stands for none. A recording that has a text in place of an enumeration is read by the labels.
#define CS_ENUMERATIONS(ENUMERATION) \
    ENUMERATION(WASTED, CS_WASTED_VALUES) /* TraceWaste, whose numbers these are */ \
    ENUMERATION(WASTE_KIND, CS_WASTE_KIND_VALUES) /* WasteKind */ \
    ENUMERATION(ATTRIBUTION, CS_ATTRIBUTION_VALUES) /* Attribution */ \
    ENUMERATION(STORE_KIND, CS_STORE_KIND_VALUES) /* StoreKind */ \
    ENUMERATION(ROW_KIND, CS_ROW_KIND_VALUES) /* LoopRow.Kind */ \
    ENUMERATION(FACT_KIND, CS_FACT_KIND_VALUES) /* WidgetFact.Kind */ \
    ENUMERATION(INPUT_KIND, CS_INPUT_KIND_VALUES) /* WidgetFact.Interaction.Input */ \
    ENUMERATION(WORK_KIND, CS_WORK_KIND_VALUES) /* IdleWork.Kind */ \
    ENUMERATION(HANG_ATTRIBUTION, CS_HANG_ATTRIBUTION_VALUES) /* HangAttribution */ \
    ENUMERATION(HANG_VERDICT, CS_HANG_VERDICT_VALUES) /* HangVerdict */
#define CS_WASTED_VALUES(VALUE) VALUE(0, "no") VALUE(1, "inferred") VALUE(2, "measured")
#define CS_WASTE_KIND_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "same output") VALUE(2, "same value") VALUE(3, "new identity") \
    VALUE(4, "closure identity") VALUE(5, "parent only") VALUE(6, "twice in a turn") VALUE(7, "same inputs")
#define CS_ATTRIBUTION_VALUES(VALUE) VALUE(0, "none") VALUE(1, "exact") VALUE(2, "announced") VALUE(3, "diff")
#define CS_STORE_KIND_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "views") VALUE(2, "injectedViews") VALUE(3, "widgets") VALUE(4, "loop")
#define CS_ROW_KIND_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "timer") VALUE(2, "idle function") VALUE(3, "descriptor") VALUE(4, "source") \
    VALUE(5, "handler") VALUE(6, "tick callback") VALUE(7, "run loop") VALUE(8, "others") VALUE(9, "wake-up") \
    VALUE(10, "source by samples")
#define CS_FACT_KIND_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "asker") VALUE(2, "layout") VALUE(3, "made anew") VALUE(4, "interaction")
#define CS_INPUT_KIND_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "press") VALUE(2, "click") VALUE(3, "key") VALUE(4, "touch")
#define CS_WORK_KIND_VALUES(VALUE) VALUE(0, "none") VALUE(1, "evaluations") VALUE(2, "frames") VALUE(3, "others")
#define CS_HANG_ATTRIBUTION_VALUES(VALUE) \
    VALUE(0, "none") VALUE(1, "in body") VALUE(2, "in phase") VALUE(3, "share") VALUE(4, "in handler")
#define CS_HANG_VERDICT_VALUES(VALUE) \
    VALUE(0, "unknown") VALUE(1, "running") VALUE(2, "blocked") VALUE(3, "starved") VALUE(4, "stopped") \
    VALUE(5, "suspended")

/// Of a signposter, and what is read of any other provider.
#define CS_GENERIC(FIELD) \
    FIELD(U64, signpost_id, ZERO) FIELD(TEXT, name, ZERO) FIELD(TEXT, message, ZERO) FIELD(TEXT, scope, ZERO)

/// A body's evaluation begins.
#define CS_BODY_BEGIN(FIELD) \
    FIELD(U64, signpost_id, NEEDED) /* the same at the end; different for each evaluation of a process */ \
    FIELD(TEXT, name, NEEDED) /* the view's key */ \
    FIELD(TEXT, file, ZERO) FIELD(U32, line, ZERO) /* of the probe */ \
    FIELD(TEXT, parent, ONES) /* the key of the view around it, or announced as its parent; may be empty */ \
    FIELD(U64, instance, ONES) /* the instance's number; all ones where it has none */

/// A body's evaluation has ended.
#define CS_BODY_END(FIELD) \
    FIELD(U64, signpost_id, NEEDED) /* as at its beginning, which may not be recorded */ \
    FIELD(TEXT, name, NEEDED) /* the view's key */ \
    FIELD(TEXT, reason, NEEDED) /* why it was evaluated */ \
    FIELD(U64, body_ns, NEEDED) /* nanoseconds in the body, nested views included */ \
    FIELD(U64, total_ns, NEEDED) /* from the body's beginning to its end, with Rerender's own work inside */ \
    FIELD(WASTED, wasted, NEEDED) /* whether it was needed, as far as was known when it ended: a TraceWaste */ \
    FIELD(U64, turn, NEEDED) /* the main loop's turn; 0 outside of one */ \
    FIELD(U64, count, NEEDED) /* evaluations of the view since the epoch began, this one included */ \
    FIELD(U32, epoch, NEEDED) /* raised by each reset of the counts */ \
    FIELD(TEXT, store, ZERO) /* the name of the view's store; empty in older recordings alone */ \
    FIELD(U32, store_id, ZERO) /* the store's number in its process, from 0 */ \
    FIELD(U64, instance, ONES) /* the instance's number; all ones where it has none */ \
    FIELD(U32, instances, ZERO) /* instances of the view that live */ \
    FIELD(ATTRIBUTION, attribution, ZERO) /* how sure the reason is */ \
    FIELD(WASTE_KIND, kind, ZERO) /* the kind of waste */ \
    FIELD(TEXT, writers, ZERO) /* who wrote what caused it: `NAME; NAME ×COUNT` */ \
    FIELD(TEXT, chain, ZERO) /* the ancestors down to the first cause, nearest first: `Dashboard ← ticker.tick` */ \
    FIELD(U8, pass, ONES) /* whether it was a further evaluation of the instance's last update */ \
    FIELD(U64, self_ns, ONES) /* body_ns without the bodies of evaluations inside of it */ \
    FIELD(U8, unjudged, ONES) /* whether neither output nor inputs tell if it was needed, as far as was known then */

/// A commit, or an instance's end: what changes a view's numbers outside of its evaluations. All numbers are the view's
/// sums since the epoch began, this change included.
#define CS_VIEW(FIELD) \
    FIELD(TEXT, name, NEEDED) /* the view's key */ \
    FIELD(TEXT, message, NEEDED) /* `committed`, `ended`, or `judged`: of an earlier evaluation than the latest */ \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) \
    FIELD(U64, instance, NEEDED) FIELD(U32, instances, NEEDED) /* as of an evaluation */ \
    FIELD(U64, commits, NEEDED) /* updates that the framework committed */ \
    FIELD(U64, measured, NEEDED) /* evaluations whose output is known to equal the previous one */ \
    FIELD(U64, wasted_ns, NEEDED) /* self time in wasted evaluations; with inner bodies in older recordings */ \
    /* wasted evaluations by kind, in the order of WasteKind.allCases */ \
    FIELD(U64, same_output, NEEDED) FIELD(U64, same_value, NEEDED) FIELD(U64, new_identity, NEEDED) \
    FIELD(U64, closure_identity, NEEDED) FIELD(U64, parent_only, NEEDED) FIELD(U64, twice_in_a_turn, NEEDED) \
    FIELD(U64, same_inputs, ZERO) \
    FIELD(U64, signpost_id, ZERO) /* of the evaluation whose waste is decided by this; 0 for none */ \
    FIELD(WASTED, wasted, ZERO) /* what is decided of it, whatever its end said */ \
    FIELD(U64, unjudged, ONES) /* the view's sum again: evaluations that neither output nor inputs tell of */

/// A write that invalidated views; before their evaluations.
#define CS_WRITE(FIELD) \
    FIELD(TEXT, name, NEEDED) /* the property: `Gauge.level` */ \
    FIELD(TEXT, message, NEEDED) /* function, file and line of what wrote: `advance() Shop/Ticker.swift:40` */ \
    FIELD(U32, views, NEEDED) /* how many views it invalidated */

/// A phase of the render loop begins or has ended.
#define CS_PHASE(FIELD) \
    FIELD(U64, signpost_id, NEEDED) /* the same at the end */ \
    FIELD(TEXT, name, NEEDED) \
    FIELD(U64, turn, NEEDED) /* the turn's number in its process */

/// A turn of the main loop, whose number is its id, too.
#define CS_TURN(FIELD) FIELD(U64, signpost_id, ZERO) FIELD(TEXT, name, ZERO) FIELD(U64, turn, NEEDED)
#define CS_TURN_BEGIN(FIELD) CS_TURN(FIELD) FIELD(U8, in_body, ZERO) /* whether a body runs on the thread around it */
#define CS_TURN_END(FIELD) CS_TURN(FIELD) FIELD(U64, evaluations, ZERO) /* that it had */

/// A hang of a main loop, as the daemon tells it.
#define CS_HANG_HEAD(FIELD) \
    FIELD(U64, signpost_id, NEEDED) /* the same at the end; different for each hang of a daemon */ \
    FIELD(TEXT, name, NEEDED) /* the blamed view's key; may be empty */ \
    FIELD(TEXT, last_rendered, NEEDED) /* the key of the view evaluated last before its end; may be empty */ \
    FIELD(U32, pid, NEEDED) /* the process that hung */ \
    FIELD(HANG_ATTRIBUTION, attribution, NEEDED) /* why that is blamed */ \
    FIELD(HANG_VERDICT, verdict, NEEDED) /* what the thread did */

#define CS_HANG_DETAILS(FIELD) \
    FIELD(TEXT, at_threshold, ZERO) /* the key of the view whose body ran at the threshold; may be empty */ \
    FIELD(U64, turn, ZERO) /* the turn that it was */ \
    FIELD(U64, age_ns, ZERO) /* how long before the event it began */ \
    FIELD(U64, starved_ns, ZERO) /* for how long the thread had no processor */ \
    FIELD(U8, guess, ZERO) /* whether the view is a guess */ \
    /* the numbers of the stores of the three views; all ones where there is no view */ \
    FIELD(U32, store_id, ONES) FIELD(U32, at_threshold_store_id, ONES) FIELD(U32, last_rendered_store_id, ONES) \
    FIELD(U64, stopped_ns, ZERO) /* for how long the process was stopped; no share has it */ \
    FIELD(U8, counts, ONES) /* whether it counts as a hang of the app */ \
    FIELD(TEXT, handler, ZERO) FIELD(U64, handler_ns, ZERO) /* the blamed event handler; may be empty; its time */ \
    FIELD(TEXT, source, ZERO) /* the function of the source or handler that ran, with its place; may be empty */ \
    FIELD(TEXT, call, ZERO) /* the function of a library in which that waited; may be empty */ \
    FIELD(U8, excused, ZERO) /* 1 if the process ended in it by itself, 2 if it was a window's first drawing */ \
    FIELD(U64, own_ns, ZERO) /* what the blamed view, handler or source took of it itself; 0 where it is not known */ \
    FIELD(TEXT, shares, ZERO) /* where its time went, as HangShareText has it; may be empty */

#define CS_HANG_BEGIN(FIELD) CS_HANG_HEAD(FIELD) CS_HANG_DETAILS(FIELD)
/// Its duration is by the app's own stamps.
#define CS_HANG(FIELD) CS_HANG_HEAD(FIELD) FIELD(U64, duration_ns, ZERO) CS_HANG_DETAILS(FIELD)

// What a process tells of its stores and its main loop: at most once a second while something is counted, and at its
// end. All numbers are totals since the store's epoch began, so that the latest event of each kind says all. The main
// loop is one store's, the one with the lowest number. `index` is a place, which keeps what it is of in the epoch.

/// A store, with its frames, and with what may be missing.
#define CS_STORE(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) /* as of an evaluation */ \
    FIELD(STORE_KIND, kind, NEEDED) /* what its views are */ \
    FIELD(U8, interval_told, NEEDED) /* of its frames, as below */ \
    FIELD(TEXT, gap, NEEDED) /* what may be missing from its counts, as a sentence; may be empty */ \
    FIELD(U64, micro_ns, NEEDED) /* time in micro-hangs; all ones where no daemon tells */ \
    /* the fields of FrameTotals: all 0 where no frames are seen */ \
    FIELD(U64, frames, NEEDED) FIELD(U64, over_interval, NEEDED) FIELD(U64, not_judged, NEEDED) \
    FIELD(U64, longest_ns, NEEDED) FIELD(U64, update_ns, NEEDED) FIELD(U64, layout_ns, NEEDED) \
    FIELD(U64, snapshot_ns, NEEDED) FIELD(U64, drawing_ns, NEEDED) FIELD(U64, interval_ns, NEEDED) \
    FIELD(U64, presented, NEEDED) FIELD(U64, to_presentation_ns, NEEDED) FIELD(U64, late, NEEDED) \
    FIELD(U64, same, NEEDED) FIELD(U64, processor_ns, NEEDED) \
    FIELD(U8, main_loop, NEEDED) /* how the main loop is watched: the place in MainLoopKind.allCases, from 1 */ \
    FIELD(U64, started_at, NEEDED) /* when the store was made, in nanoseconds since 1970 */

/// The main loop of a process: the fields of LoopTotals that are no part and no stretch.
#define CS_LOOP(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) \
    FIELD(U64, counted_ns, NEEDED) /* for how long it was counted */ \
    FIELD(U64, turns, NEEDED) FIELD(U64, polls_without_wait, NEEDED) FIELD(U64, empty_turns, NEEDED) \
    FIELD(U64, wakeups, NEEDED) \
    FIELD(U64, processor_ns, NEEDED) FIELD(U64, process_ns, NEEDED) /* of its thread, and of all threads */ \
    FIELD(U8, input_known, NEEDED) /* whether somebody tells of all input */

/// A part of its work; all of them follow the loop's event.
#define CS_PART(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) \
    FIELD(TEXT, name, NEEDED) /* the property of LoopTotals */ \
    FIELD(U64, wall_ns, NEEDED) FIELD(U64, processor_ns, NEEDED)

/// Seconds in a row without input: the longest that there were.
#define CS_STRETCH(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) \
    FIELD(TEXT, name, NEEDED) /* the property of LoopTotals: `frames`, `spinning`, `busy` */ \
    FIELD(U64, duration_ns, NEEDED) /* 0 where there are none */ \
    FIELD(U64, age_ns, NEEDED) /* how long before the event the last of them ended */ \
    FIELD(U64, processor_ns, NEEDED) FIELD(U64, turns, NEEDED) FIELD(U64, polls_without_wait, NEEDED) \
    FIELD(U64, empty_turns, NEEDED) FIELD(U64, same_turns, NEEDED) \
    FIELD(U64, row, NEEDED) /* the `index` of a source's row plus 1; 0 for none */ \
    FIELD(U64, wakeups, NEEDED) FIELD(U64, frames, NEEDED) FIELD(U64, unpainted, NEEDED) \
    FIELD(U64, same_frames, NEEDED) FIELD(U64, compared, NEEDED) \
    FIELD(U64, compared_same, NEEDED) FIELD(U64, likely, NEEDED) FIELD(U64, likely_same, NEEDED)

/// A source or a signal handler.
#define CS_LOOP_ROW(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) FIELD(U32, index, NEEDED) \
    FIELD(ROW_KIND, kind, NEEDED) \
    FIELD(TEXT, name, NEEDED) /* the function, or the source's name */ \
    FIELD(TEXT, place, NEEDED) FIELD(TEXT, of, NEEDED) FIELD(TEXT, thread, NEEDED) /* each may be empty */ \
    FIELD(U64, count, NEEDED) FIELD(U64, wall_ns, NEEDED) FIELD(U64, processor_ns, NEEDED) \
    FIELD(U64, longest_ns, NEEDED) FIELD(U64, turns, NEEDED) FIELD(U64, polls, NEEDED) FIELD(U64, interval_ns, NEEDED) \
    FIELD(U64, descriptor, NEEDED) /* its number plus 1 */ \
    FIELD(U64, unread, NEEDED) FIELD(U8, shared, NEEDED) /* whether processor_ns is shared out by the clock */ \
    FIELD(U64, micro_ns, NEEDED) /* in turns that were micro-hangs */

/// What is known of a widget beside its runs.
#define CS_FACT(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) FIELD(U32, index, NEEDED) \
    FIELD(FACT_KIND, kind, NEEDED) \
    FIELD(TEXT, name, NEEDED) /* the widget's key */ \
    FIELD(TEXT, hidden, NEEDED) FIELD(TEXT, writer, NEEDED) FIELD(TEXT, parent, NEEDED) /* each may be empty */ \
    /* the fields of WidgetFact.Numbers */ \
    FIELD(U64, count, NEEDED) FIELD(U64, of, NEEDED) FIELD(U64, wall_ns, NEEDED) FIELD(U64, processor_ns, NEEDED) \
    FIELD(U64, longest_ns, NEEDED) FIELD(U64, longest_of_ns, NEEDED) FIELD(U64, duration_ns, NEEDED) \
    FIELD(U64, same, NEEDED) \
    /* of an interaction alone: what began it, how long before the event, and where its time went */ \
    FIELD(INPUT_KIND, input, ZERO) FIELD(U64, age_ns, ZERO) FIELD(U64, evaluations_ns, ZERO) \
    FIELD(U64, style_ns, ZERO) FIELD(U64, layout_ns, ZERO) FIELD(U64, drawing_ns, ZERO) \
    FIELD(U64, presentation_ns, ZERO)

/// Threads of one name beside the main loop's; their times are since the process began.
#define CS_THREADS(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) FIELD(U32, index, NEEDED) \
    FIELD(TEXT, name, NEEDED) FIELD(U64, count, NEEDED) FIELD(U64, at_first, NEEDED) FIELD(U64, processor_ns, NEEDED)

/// Work of one cause without input, as IdleWork has it.
#define CS_WORK(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) FIELD(U32, index, NEEDED) \
    FIELD(WORK_KIND, kind, NEEDED) \
    FIELD(TEXT, name, NEEDED) FIELD(TEXT, reason, NEEDED) FIELD(TEXT, writer, NEEDED) /* each may be empty */ \
    FIELD(TEXT, source, NEEDED) FIELD(TEXT, function, NEEDED) /* what the writer was called by; each may be empty */ \
    FIELD(U64, own, NEEDED) FIELD(U64, count, NEEDED) FIELD(U64, wall_ns, NEEDED) \
    FIELD(U64, wasted, NEEDED) /* all ones where it is not counted */ \
    FIELD(U64, latest_own, NEEDED) FIELD(U64, latest_count, NEEDED) FIELD(U64, latest_ns, NEEDED) \
    FIELD(U64, latest_wasted, NEEDED) FIELD(U64, duration_ns, NEEDED) /* of the latest row */ \
    FIELD(U64, age_ns, NEEDED) /* how long before the event the last of it came */

/// A step of a cycle of writes. All steps of a cycle follow each other.
#define CS_CYCLE(FIELD) \
    FIELD(TEXT, store, NEEDED) FIELD(U32, store_id, NEEDED) FIELD(U32, epoch, NEEDED) FIELD(U32, index, NEEDED) \
    FIELD(U32, step, NEEDED) FIELD(U32, steps, NEEDED) /* from 0 on, and how many; 0 and 0 for all further cycles */ \
    FIELD(TEXT, name, NEEDED) FIELD(TEXT, writer, NEEDED) FIELD(TEXT, over, NEEDED) /* each may be empty */ \
    FIELD(U64, rounds, NEEDED) FIELD(U64, latest_rounds, NEEDED) FIELD(U64, latest_ns, NEEDED) \
    FIELD(U64, age_ns, NEEDED) /* how long before the event the last round ended */

/// What LTTng adds to each event if the recording asked for it: process, thread, and the name that the kernel has for
/// the thread.
#define CS_CONTEXT(FIELD) FIELD(U32, vpid, ZERO) FIELD(U32, vtid, ZERO) FIELD(TEXT, procname, ZERO)

/// LIST(fields, name) for the structs `csignpost_NAME` and `csignpost_read_NAME`.
#define CS_STRUCTS(LIST) \
    LIST(CS_GENERIC, generic) LIST(CS_BODY_BEGIN, body_begin) LIST(CS_BODY_END, body_end) LIST(CS_WRITE, write) \
    LIST(CS_VIEW, view) LIST(CS_TURN_BEGIN, turn_begin) LIST(CS_TURN_END, turn_end) LIST(CS_PHASE, phase) \
    LIST(CS_HANG, hang) LIST(CS_STORE, store) LIST(CS_LOOP, loop) LIST(CS_PART, part) LIST(CS_STRETCH, stretch) \
    LIST(CS_LOOP_ROW, loop_row) LIST(CS_FACT, fact) LIST(CS_THREADS, threads) LIST(CS_WORK, work) \
    LIST(CS_CYCLE, cycle) LIST(CS_CONTEXT, context)

/// ROW(shape, kind, fields, struct) for each event of a signposter, and of Rerender's own.
#define CS_SIGNPOSTS(ROW) \
    ROW(GENERIC, BEGIN, CS_GENERIC, generic) ROW(GENERIC, END, CS_GENERIC, generic) \
    ROW(GENERIC, EVENT, CS_GENERIC, generic)

#define CS_OWN_EVENTS(ROW) \
    ROW(BODY_EVAL, BEGIN, CS_BODY_BEGIN, body_begin) ROW(BODY_EVAL, END, CS_BODY_END, body_end) \
    ROW(WRITE, EVENT, CS_WRITE, write) \
    ROW(VIEW, EVENT, CS_VIEW, view) \
    ROW(TURN, BEGIN, CS_TURN_BEGIN, turn_begin) ROW(TURN, END, CS_TURN_END, turn_end) \
    ROW(PHASE, BEGIN, CS_PHASE, phase) ROW(PHASE, END, CS_PHASE, phase) \
    ROW(HANG, BEGIN, CS_HANG_BEGIN, hang) ROW(HANG, END, CS_HANG, hang) \
    ROW(STORE, EVENT, CS_STORE, store) ROW(LOOP, EVENT, CS_LOOP, loop) ROW(PART, EVENT, CS_PART, part) \
    ROW(STRETCH, EVENT, CS_STRETCH, stretch) ROW(LOOP_ROW, EVENT, CS_LOOP_ROW, loop_row) \
    ROW(FACT, EVENT, CS_FACT, fact) ROW(THREADS, EVENT, CS_THREADS, threads) ROW(WORK, EVENT, CS_WORK, work) \
    ROW(CYCLE, EVENT, CS_CYCLE, cycle)

// clang-format on

#endif

// SPDX-License-Identifier: MIT
// The fields of every event. The descriptions given to LTTng and the packing code both come from these lists.
// A new event is a list of fields and a row here, and a shape in CSignpost.h.
#ifndef CSIGNPOST_EVENTS_H
#define CSIGNPOST_EVENTS_H

#include "CSignpost.h"
#include "lttng/lttng_abi.h"

#pragma GCC visibility push(hidden)

// clang-format off

#define CS_GENERIC(FIELD) \
    FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, message) FIELD(TEXT, scope)

#define CS_BODY_BEGIN(FIELD) \
    FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, file) FIELD(U32, line) FIELD(TEXT, parent) \
    FIELD(U64, instance)

#define CS_BODY_END(FIELD) \
    FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, reason) FIELD(U64, body_ns) FIELD(U64, total_ns) \
    FIELD(U8, wasted) FIELD(U64, turn) FIELD(U64, count) FIELD(U32, epoch) FIELD(TEXT, store) FIELD(U32, store_id) \
    FIELD(U64, instance) FIELD(U32, instances) FIELD(U8, attribution) FIELD(U8, kind) FIELD(TEXT, writers) \
    FIELD(TEXT, chain) FIELD(U8, pass) FIELD(U64, self_ns)

#define CS_VIEW(FIELD) \
    FIELD(TEXT, name) FIELD(TEXT, message) FIELD(TEXT, store) FIELD(U32, store_id) FIELD(U32, epoch) \
    FIELD(U64, instance) FIELD(U32, instances) FIELD(U64, commits) FIELD(U64, measured) FIELD(U64, wasted_ns) \
    FIELD(U64, same_output) FIELD(U64, same_value) FIELD(U64, new_identity) FIELD(U64, closure_identity) \
    FIELD(U64, parent_only) FIELD(U64, twice_in_a_turn) FIELD(U64, same_inputs) FIELD(U64, signpost_id) \
    FIELD(U8, wasted)

#define CS_WRITE(FIELD) FIELD(TEXT, name) FIELD(TEXT, message) FIELD(U32, views)

#define CS_PHASE(FIELD) FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(U64, turn)

#define CS_TURN_BEGIN(FIELD) CS_PHASE(FIELD) FIELD(U8, in_body)

#define CS_TURN_END(FIELD) CS_PHASE(FIELD) FIELD(U64, evaluations)

#define CS_HANG(FIELD) \
    FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, last_rendered) FIELD(U32, pid) FIELD(TEXT, attribution) \
    FIELD(TEXT, verdict)

#define CS_HANG_DETAILS(FIELD) \
    FIELD(TEXT, at_threshold) FIELD(U64, turn) FIELD(U64, age_ns) FIELD(U64, starved_ns) FIELD(U8, guess) \
    FIELD(U32, store_id) FIELD(U32, at_threshold_store_id) FIELD(U32, last_rendered_store_id) \
    FIELD(U64, stopped_ns) FIELD(U8, counts) FIELD(TEXT, handler) FIELD(U64, handler_ns)

#define CS_HANG_BEGIN(FIELD) CS_HANG(FIELD) CS_HANG_DETAILS(FIELD)

#define CS_HANG_END(FIELD) CS_HANG(FIELD) FIELD(U64, duration_ns) CS_HANG_DETAILS(FIELD)

/// ROW(shape, kind, fields) for each event.
#define CS_EVENTS(ROW) \
    ROW(GENERIC, BEGIN, CS_GENERIC) ROW(GENERIC, END, CS_GENERIC) ROW(GENERIC, EVENT, CS_GENERIC) \
    ROW(BODY_EVAL, BEGIN, CS_BODY_BEGIN) ROW(BODY_EVAL, END, CS_BODY_END) \
    ROW(WRITE, EVENT, CS_WRITE) \
    ROW(VIEW, EVENT, CS_VIEW) \
    ROW(TURN, BEGIN, CS_TURN_BEGIN) ROW(TURN, END, CS_TURN_END) \
    ROW(PHASE, BEGIN, CS_PHASE) ROW(PHASE, END, CS_PHASE) \
    ROW(HANG, BEGIN, CS_HANG_BEGIN) ROW(HANG, END, CS_HANG_END)

// clang-format on

/// Field types: an integer's is its size in bytes.
enum { CS_TEXT = 0, CS_U8 = 1, CS_U32 = 4, CS_U64 = 8 };
enum { CS_MAX_FIELDS = 20 };

/// An event as LTTng is told of it. No fields: the shape lacks that event.
struct cs_event_fields {
    const struct cs_field *const *fields;
    size_t count;
    const char *signature;
};
extern const struct cs_event_fields cs_events[CSIGNPOST_SHAPES][CSIGNPOST_KINDS];

#pragma GCC visibility pop

#endif

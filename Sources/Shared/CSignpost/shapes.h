// SPDX-License-Identifier: MIT
// The fields of every event, once: the descriptions given to LTTng and the packing code both come from these lists.
// A new event is one list here, one row in shapes.c, and one function in emit.c.
#ifndef CSIGNPOST_SHAPES_H
#define CSIGNPOST_SHAPES_H

#include "internal.h"

#define CS_GENERIC_FIELDS(FIELD) FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, message) FIELD(TEXT, scope)

#define CS_BODY_BEGIN_FIELDS(FIELD) \
    FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(TEXT, file) FIELD(U32, line) FIELD(TEXT, parent)

#define CS_BODY_END_FIELDS(FIELD) \
    FIELD(U64, signpost_id) \
    FIELD(TEXT, name) FIELD(TEXT, reason) FIELD(U64, body_ns) FIELD(U64, total_ns) FIELD(U8, wasted) FIELD(U64, turn) \
        FIELD(U64, count) FIELD(U32, epoch) FIELD(TEXT, store) FIELD(U32, store_id) FIELD(U64, instance) \
            FIELD(U32, instances) FIELD(U8, attribution) FIELD(U8, kind) FIELD(TEXT, writers) FIELD(TEXT, chain)

#define CS_VIEW_FIELDS(FIELD) \
    FIELD(TEXT, name) \
    FIELD(TEXT, message) FIELD(TEXT, store) FIELD(U32, store_id) FIELD(U32, epoch) FIELD(U64, instance) \
        FIELD(U32, instances) FIELD(U64, commits) FIELD(U64, measured) FIELD(U64, wasted_ns) FIELD(U64, same_output) \
            FIELD(U64, same_value) FIELD(U64, new_identity) FIELD(U64, closure_identity) FIELD(U64, parent_only) \
                FIELD(U64, twice_in_a_turn)

#define CS_WRITE_FIELDS(FIELD) FIELD(TEXT, name) FIELD(TEXT, message) FIELD(U32, views)

#define CS_TURN_BEGIN_FIELDS(FIELD) FIELD(U64, signpost_id) FIELD(TEXT, name) FIELD(U64, turn)

#define CS_PHASE_FIELDS(FIELD) CS_TURN_BEGIN_FIELDS(FIELD)

#define CS_TURN_END_FIELDS(FIELD) CS_TURN_BEGIN_FIELDS(FIELD) FIELD(U64, evaluations)

#define CS_HANG_BEGIN_FIELDS(FIELD) \
    FIELD(U64, signpost_id) \
    FIELD(TEXT, name) FIELD(TEXT, last_rendered) FIELD(U32, pid) FIELD(TEXT, attribution) FIELD(TEXT, verdict)

#define CS_HANG_END_FIELDS(FIELD) CS_HANG_BEGIN_FIELDS(FIELD) FIELD(U64, duration_ns)

#define CS_TYPE_OF(type, name) CS_##type,

// Constants that the compiler sees at each emit function, so that packing unrolls to plain stores.
static const uint8_t cs_generic_types[] = {CS_GENERIC_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_body_begin_types[] = {CS_BODY_BEGIN_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_body_end_types[] = {CS_BODY_END_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_write_types[] = {CS_WRITE_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_view_types[] = {CS_VIEW_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_turn_begin_types[] = {CS_TURN_BEGIN_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_turn_end_types[] = {CS_TURN_END_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_phase_types[] = {CS_PHASE_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_hang_begin_types[] = {CS_HANG_BEGIN_FIELDS(CS_TYPE_OF)};
static const uint8_t cs_hang_end_types[] = {CS_HANG_END_FIELDS(CS_TYPE_OF)};

#endif

// SPDX-License-Identifier: MIT
// Descriptions of the events, as LTTng reads them. Alignment is one byte: an event is one run of bytes.
#include "shapes.h"

static const struct cs_type_string cs_text = {{CS_TYPE_STRING}, sizeof cs_text, CS_ENCODING_UTF8};

#define CS_INTEGER(name, bytes) \
    static const struct cs_type_integer name = {{CS_TYPE_INTEGER}, sizeof name, (bytes)*8, 8, 0, 0, 10}
CS_INTEGER(cs_u8, CS_U8);
CS_INTEGER(cs_u32, CS_U32);
CS_INTEGER(cs_u64, CS_U64);

#define CS_DESCRIBE_TEXT &cs_text.parent
#define CS_DESCRIBE_U8 &cs_u8.parent
#define CS_DESCRIBE_U32 &cs_u32.parent
#define CS_DESCRIBE_U64 &cs_u64.parent

#define CS_FIELD_OF(type, name) &(const struct cs_field){sizeof(struct cs_field), #name, CS_DESCRIBE_##type, 0, 0},
#define CS_WORD_OF(type, name) #type " " #name ","

static const struct cs_field *const cs_generic[] = {CS_GENERIC_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_body_begin[] = {CS_BODY_BEGIN_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_body_end[] = {CS_BODY_END_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_write[] = {CS_WRITE_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_view[] = {CS_VIEW_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_turn_begin[] = {CS_TURN_BEGIN_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_turn_end[] = {CS_TURN_END_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_phase[] = {CS_PHASE_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_hang_begin[] = {CS_HANG_BEGIN_FIELDS(CS_FIELD_OF)};
static const struct cs_field *const cs_hang_end[] = {CS_HANG_END_FIELDS(CS_FIELD_OF)};

// The signature keeps foreign call sites of the same name away: their arguments are passed otherwise.
#define CS_ROW(array, list) \
    { array, sizeof array / sizeof *array, "csignpost:" list(CS_WORD_OF) }

const struct cs_shape_event cs_shapes[CSIGNPOST_SHAPES][CSIGNPOST_KINDS] = {
    [CSIGNPOST_GENERIC] = {CS_ROW(cs_generic, CS_GENERIC_FIELDS), CS_ROW(cs_generic, CS_GENERIC_FIELDS),
                           CS_ROW(cs_generic, CS_GENERIC_FIELDS)},
    [CSIGNPOST_BODY_EVAL] = {CS_ROW(cs_body_begin, CS_BODY_BEGIN_FIELDS), CS_ROW(cs_body_end, CS_BODY_END_FIELDS)},
    [CSIGNPOST_WRITE] = {[CSIGNPOST_EVENT] = CS_ROW(cs_write, CS_WRITE_FIELDS)},
    [CSIGNPOST_VIEW] = {[CSIGNPOST_EVENT] = CS_ROW(cs_view, CS_VIEW_FIELDS)},
    [CSIGNPOST_TURN] = {CS_ROW(cs_turn_begin, CS_TURN_BEGIN_FIELDS), CS_ROW(cs_turn_end, CS_TURN_END_FIELDS)},
    [CSIGNPOST_PHASE] = {CS_ROW(cs_phase, CS_PHASE_FIELDS), CS_ROW(cs_phase, CS_PHASE_FIELDS)},
    [CSIGNPOST_HANG] = {CS_ROW(cs_hang_begin, CS_HANG_BEGIN_FIELDS), CS_ROW(cs_hang_end, CS_HANG_END_FIELDS)},
};

_Static_assert(sizeof cs_body_end / sizeof *cs_body_end <= CS_MAX_FIELDS, "raise CS_MAX_FIELDS");
_Static_assert(sizeof cs_view / sizeof *cs_view <= CS_MAX_FIELDS, "raise CS_MAX_FIELDS");

// SPDX-License-Identifier: MIT
// Descriptions of the events, as LTTng reads them. Alignment is one byte: an event is one run of bytes.
#include "events.h"

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
#define CS_COUNT(array) (sizeof array / sizeof *array)

#define CS_FIELDS_OF(shape, kind, FIELDS) \
    static const struct cs_field *const cs_##shape##_##kind[] = {FIELDS(CS_FIELD_OF)}; \
    _Static_assert(CS_COUNT(cs_##shape##_##kind) <= CS_MAX_FIELDS, "raise CS_MAX_FIELDS");
CS_EVENTS(CS_FIELDS_OF)

// The signature keeps foreign call sites of the same name away: their arguments are passed otherwise.
#define CS_ROW_OF(shape, kind, FIELDS) \
    [CSIGNPOST_##shape][CSIGNPOST_##kind] = {cs_##shape##_##kind, CS_COUNT(cs_##shape##_##kind), \
                                             "csignpost:" FIELDS(CS_WORD_OF)},
const struct cs_event_fields cs_events[CSIGNPOST_SHAPES][CSIGNPOST_KINDS] = {CS_EVENTS(CS_ROW_OF)};

const char *csignpost_field(int shape, int kind, size_t index) {
    const struct cs_event_fields *event = &cs_events[shape][kind];
    return index < event->count ? event->fields[index]->name : NULL;
}

// SPDX-License-Identifier: MIT
// What the table of events says to LTTng, and to readers of traces.
#include "events.h"

static const struct cs_type_string cs_text = {{CS_TYPE_STRING}, sizeof cs_text, CS_ENCODING_UTF8};

// Alignment is one byte: an event is one run of bytes.
#define CS_INTEGER(name, bytes) \
    static const struct cs_type_integer name = {{CS_TYPE_INTEGER}, sizeof name, (bytes)*8, 8, 0, 0, 10}
CS_INTEGER(cs_u8, CS_U8);
CS_INTEGER(cs_u32, CS_U32);
CS_INTEGER(cs_u64, CS_U64);

#define CS_DESCRIBE_TEXT &cs_text.parent
#define CS_DESCRIBE_U8 &cs_u8.parent
#define CS_DESCRIBE_U32 &cs_u32.parent
#define CS_DESCRIBE_U64 &cs_u64.parent

#define CS_FIELD_OF(type, name, absent) \
    &(const struct cs_field){sizeof(struct cs_field), #name, CS_DESCRIBE_##type, 0, 0},
#define CS_WORD_OF(type, name, absent) #type " " #name ","

#define CS_FIELDS_OF(shape, kind, FIELDS, NAME) \
    static const struct cs_field *const cs_##shape##_##kind[] = {FIELDS(CS_FIELD_OF)}; \
    _Static_assert(CS_COUNT(cs_##shape##_##kind) <= CSIGNPOST_MAX_FIELDS, "raise CSIGNPOST_MAX_FIELDS");
CS_SIGNPOSTS(CS_FIELDS_OF)
CS_OWN_EVENTS(CS_FIELDS_OF)

// The signature keeps foreign call sites of the same name away: their arguments are passed otherwise.
#define CS_ROW_OF(shape, kind, FIELDS, NAME) \
    [CSIGNPOST_##shape][CSIGNPOST_##kind] = {cs_##shape##_##kind, CS_COUNT(cs_##shape##_##kind), \
                                             "csignpost:" FIELDS(CS_WORD_OF)},
const struct cs_event_fields cs_events[CSIGNPOST_SHAPES][CSIGNPOST_KINDS] = {CS_SIGNPOSTS(CS_ROW_OF)
                                                                                 CS_OWN_EVENTS(CS_ROW_OF)};

#define CS_READ_OF(type, name, absent) \
    {#name, offsetof(event, name), sizeof((event *)0)->name, CS_##type == CS_TEXT, CSIGNPOST_##absent},
#define CS_READ_CASE(shape, kind, FIELDS, NAME) \
    case CSIGNPOST_##shape *CSIGNPOST_KINDS + CSIGNPOST_##kind: { \
        typedef struct csignpost_read_##NAME event; \
        static const struct csignpost_field fields[] = {FIELDS(CS_READ_OF)}; \
        return index < CS_COUNT(fields) ? fields[index] : none; \
    }

struct csignpost_field csignpost_field(int shape, int kind, size_t index) {
    static const struct csignpost_field none;
    switch (shape * CSIGNPOST_KINDS + kind) {
        CS_SIGNPOSTS(CS_READ_CASE)
        CS_OWN_EVENTS(CS_READ_CASE)
        CS_READ_CASE(CONTEXT, EVENT, CS_CONTEXT, context)
    default: return none;
    }
}

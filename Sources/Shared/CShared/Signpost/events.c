// SPDX-License-Identifier: MIT
// What the table of events says to LTTng, and to readers of traces.
#include "events.h"

static const struct cs_type_string cs_type_TEXT = {{CS_TYPE_STRING}, sizeof cs_type_TEXT, CS_ENCODING_UTF8};

// Alignment is one byte: an event is one run of bytes.
#define CS_INTEGER(name, bytes) \
    static const struct cs_type_integer name = {{CS_TYPE_INTEGER}, sizeof name, (bytes)*8, 8, 0, 0, 10}
CS_INTEGER(cs_type_U8, CS_U8);
CS_INTEGER(cs_type_U32, CS_U32);
CS_INTEGER(cs_type_U64, CS_U64);

/// LTTng asks it for the version of each enumeration. These are of several providers.
static const struct cs_probe_desc cs_enum_provider = {
    sizeof cs_enum_provider, "com.rerender", NULL, 0, CS_ABI_MAJOR, CS_ABI_MINOR};

#define CS_ENTRY_OF(number, label) \
    &(const struct cs_enum_entry){sizeof(struct cs_enum_entry), {number, 0}, {number, 0}, label, 0},
#define CS_ENUM(type, VALUES) \
    static const struct cs_enum_entry *const cs_entries_##type[] = {VALUES(CS_ENTRY_OF)}; \
    static const struct cs_enum_desc cs_desc_##type = {sizeof cs_desc_##type, "rerender_" #type, cs_entries_##type, \
                                                       CS_COUNT(cs_entries_##type), &cs_enum_provider}; \
    static const struct cs_type_enum cs_type_##type = { \
        {CS_TYPE_ENUM}, sizeof cs_type_##type, &cs_desc_##type, &cs_type_U8.parent};
CS_ENUMERATIONS(CS_ENUM)

#define CS_FIELD_OF(type, name, absent) \
    &(const struct cs_field){sizeof(struct cs_field), #name, &cs_type_##type.parent, 0, 0},
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

const char *csignpost_label(int shape, int kind, size_t index, unsigned number) {
    if (shape < 0 || shape >= CSIGNPOST_SHAPES || kind < 0 || kind >= CSIGNPOST_KINDS) return NULL;
    const struct cs_event_fields *event = &cs_events[shape][kind];
    if (index >= event->count || event->fields[index]->type->type != CS_TYPE_ENUM) return NULL;
    // The parent is the first member of each type.
    const struct cs_enum_desc *desc = ((const struct cs_type_enum *)event->fields[index]->type)->desc;
    for (unsigned i = 0; i < desc->entry_count; i++) {
        if (desc->entries[i]->start.value == number) return desc->entries[i]->string;
    }
    return NULL;
}

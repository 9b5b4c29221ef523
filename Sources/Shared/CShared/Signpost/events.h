// SPDX-License-Identifier: MIT
// The events as LTTng reads them.
#ifndef CSIGNPOST_EVENTS_H
#define CSIGNPOST_EVENTS_H

#include "CSignpost.h"
#include "lttng/lttng_abi.h"

#pragma GCC visibility push(hidden)

/// Field types: an integer's is its size in bytes.
enum { CS_TEXT = 0, CS_U8 = 1, CS_U32 = 4, CS_U64 = 8 };
#define CS_SIZE_OF(type, VALUES) CS_##type = CS_U8,
enum { CS_ENUMERATIONS(CS_SIZE_OF) };

#define CS_COUNT(array) (sizeof array / sizeof *array)

/// An event's description. No fields: the shape lacks that event.
struct cs_event_fields {
    const struct cs_field *const *fields;
    size_t count;
    const char *signature;
};
extern const struct cs_event_fields cs_events[CSIGNPOST_SHAPES][CSIGNPOST_KINDS];

#pragma GCC visibility pop

#endif

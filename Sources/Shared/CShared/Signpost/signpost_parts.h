// SPDX-License-Identifier: MIT
// The events as LTTng reads them.
#ifndef CSIGNPOST_SIGNPOST_PARTS_H
#define CSIGNPOST_SIGNPOST_PARTS_H

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

// The providers of this process, and whether it is a forked child, in which signposts are silent.

/// The provider with everything LTTng wants to point to.
struct csignpost_provider {
    struct csignpost_provider *next;
    int shape;
    int registered; // the loader thread alone writes it
    const int *loglevel;
    struct cs_tracepoint tracepoint[CSIGNPOST_KINDS];
    struct cs_event_desc event[CSIGNPOST_KINDS];
    struct cs_class class[CSIGNPOST_KINDS];
    struct cs_tracepoint *tracepoints[CSIGNPOST_KINDS];
    const struct cs_event_desc *events[CSIGNPOST_KINDS];
    struct cs_probe_desc desc;
    char name[];
};

/// Newest provider first; append-only, so that it can be walked without a lock by any thread and in a forked child.
extern struct csignpost_provider *cs_providers;
/// Those of Rerender's own events, by shape; NULL until one is made.
extern struct csignpost_provider *cs_own[CSIGNPOST_SHAPES];
/// Providers that were asked for and not made.
extern unsigned cs_refused;
/// Events that were not recorded for lack of memory.
extern unsigned cs_dropped;

/// Finds or makes a provider, and says whether it is new: then LTTng is to be told of it.
struct csignpost_provider *cs_registry_make(const char *name, int shape, int *error, int *is_new);

/// The probe that is registered: LTTng knows its address and never calls it.
void cs_probe_function(void);

/// Set in a forked child, which has no LTTng threads: it stays silent.
extern int cs_forked;

/// Once per process, before there are threads of ours. 0: no memory for it, so LTTng must not be loaded.
int cs_fork_handlers_install(void);

#pragma GCC visibility pop

#endif

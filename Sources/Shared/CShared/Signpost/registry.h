// SPDX-License-Identifier: MIT
// The providers of this process, and whether it is a forked child, in which signposts are silent.
#ifndef CSIGNPOST_REGISTRY_H
#define CSIGNPOST_REGISTRY_H

#include "events.h"

#pragma GCC visibility push(hidden)

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

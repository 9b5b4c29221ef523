// SPDX-License-Identifier: MIT
// What the files of this target share: a provider, the loaded library, the flag of a forked child.
#ifndef CSIGNPOST_INTERNAL_H
#define CSIGNPOST_INTERNAL_H

#include <signal.h>

#include "CSignpost.h"
#include "lttng_abi.h"

/// Field types: an integer's is its size in bytes.
enum { CS_TEXT = 0, CS_U8 = 1, CS_U32 = 4, CS_U64 = 8 };
enum { CS_MAX_FIELDS = 17 };

/// One event of a shape. No fields: the shape lacks that event.
struct cs_shape_event {
    const struct cs_field *const *fields;
    size_t field_count;
    const char *signature;
};
extern const struct cs_shape_event cs_shapes[CSIGNPOST_SHAPES][CSIGNPOST_KINDS];

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
extern unsigned cs_refused;
extern unsigned cs_dropped;

/// Set in a forked child, which has no LTTng threads: it stays silent.
extern int cs_forked;

/// What is called in liblttng-ust. Complete before the first provider is registered, constant afterwards.
struct cs_library {
    void *(*register_probe)(const struct cs_probe_desc *);
    int (*register_tracepoints)(struct cs_tracepoint *const *, int count);
    void (*read_lock)(void);
    void (*read_unlock)(void);
    // Optional, for fork.c.
    int (*read_ongoing)(void);
    void (*before_fork)(sigset_t *);
    void (*after_fork_parent)(sigset_t *);
    void (*rcu_before_fork)(void);
    void (*rcu_after_fork_child)(void);
};
extern struct cs_library cs_library;

/// Has the loader thread register what is not registered yet, starting it if need be. Returns at once.
void cs_loader_wake(void);

/// The probe that is registered: never called by LTTng, only known by its address (emit.c).
void cs_probe_function(void);

/// Once per process, before there are threads of ours. 0: no memory for it, so LTTng must not be loaded.
int cs_fork_handlers_install(void);

/// Whether liblttng-ust is loaded: cs_library may be used.
int cs_library_is_loaded(void);
/// Whether the loader is inside dlopen.
int cs_library_is_loading(void);

#endif

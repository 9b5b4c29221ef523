// SPDX-License-Identifier: MIT
// One provider per name and process, found or made without a lock.
#include "registry.h"

#include <stdlib.h>
#include <string.h>

struct csignpost_provider *cs_providers;
struct csignpost_provider *cs_own[CSIGNPOST_SHAPES];
unsigned cs_refused;
unsigned cs_dropped;
static unsigned cs_count;

static const char *const cs_kind_names[CSIGNPOST_KINDS] = {"begin", "end", "event"};
static const int cs_level_warning = CS_LOGLEVEL_WARNING;
static const int cs_level_info = CS_LOGLEVEL_INFO;
static const int cs_level_default = CS_LOGLEVEL_DEBUG_LINE;
static const int cs_level_debug = CS_LOGLEVEL_DEBUG;

/// Rerender's own names, by shape.
static const char *const cs_reserved[CSIGNPOST_SHAPES] = {
    [CSIGNPOST_BODY_EVAL] = "com.rerender.BodyEval",
    [CSIGNPOST_TURN] = "com.rerender.RenderLoop",
    [CSIGNPOST_PHASE] = "com.rerender.RenderLoop.Phase",
    [CSIGNPOST_HANG] = "com.rerender.Hang",
    [CSIGNPOST_WRITE] = "com.rerender.Write",
    [CSIGNPOST_VIEW] = "com.rerender.View",
    [CSIGNPOST_STORE] = "com.rerender.Store",
    [CSIGNPOST_LOOP] = "com.rerender.Loop",
    [CSIGNPOST_PART] = "com.rerender.Loop.Part",
    [CSIGNPOST_STRETCH] = "com.rerender.Loop.Stretch",
    [CSIGNPOST_LOOP_ROW] = "com.rerender.Loop.Row",
    [CSIGNPOST_FACT] = "com.rerender.Loop.Fact",
    [CSIGNPOST_THREADS] = "com.rerender.Loop.Threads",
    [CSIGNPOST_WORK] = "com.rerender.Work",
    [CSIGNPOST_CYCLE] = "com.rerender.Cycle",
};

void cs_probe_function(void) {}

/// Quotes and backslashes would end the name in the trace's metadata; the rest has a meaning in `lttng`.
static int is_forbidden(unsigned char c) {
    return c <= ' ' || c == 0x7f || c == ':' || c == '*' || c == '"' || c == '\\';
}

static int check_name(const char *name, size_t length) {
    if (length == 0 || length + 1 + strlen("begin") > CS_NAME_MAX) return CSIGNPOST_BAD_NAME;
    for (size_t i = 0; i < length; i++) {
        int is_empty_part = name[i] == '.' && (i == 0 || i + 1 == length || name[i + 1] == '.');
        if (is_empty_part || is_forbidden((unsigned char)name[i])) return CSIGNPOST_BAD_NAME;
    }
    return CSIGNPOST_OK;
}

static int check_reserved(const char *name, int shape) {
    for (int i = 0; i < CSIGNPOST_SHAPES; i++) {
        if (i != shape && cs_reserved[i] && strcmp(name, cs_reserved[i]) == 0) return CSIGNPOST_RESERVED;
    }
    return CSIGNPOST_OK;
}

static struct csignpost_provider *find(struct csignpost_provider *from, const struct csignpost_provider *until,
                                       const char *name) {
    for (struct csignpost_provider *p = from; p != until; p = p->next) {
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

/// `lttng enable-event --loglevel=INFO` then selects what Instruments shows by default.
static const int *loglevel_of_signposter(const char *name, size_t length) {
    static const char suffix[] = ".PointsOfInterest";
    size_t n = sizeof suffix - 1;
    return length > n && strcmp(name + length - n, suffix) == 0 ? &cs_level_info : &cs_level_default;
}

/// The fewer events there are, and the more each says, the higher is their level.
static const int *loglevel_for(const char *name, size_t length, int shape) {
    switch (shape) {
    case CSIGNPOST_GENERIC: return loglevel_of_signposter(name, length);
    case CSIGNPOST_HANG: return &cs_level_warning;
    case CSIGNPOST_BODY_EVAL:
    case CSIGNPOST_VIEW:
    case CSIGNPOST_TURN:
    case CSIGNPOST_PHASE: return &cs_level_debug;
    default: return &cs_level_info; // writes, and what stores tell once a second
    }
}

static void describe(struct csignpost_provider *p, int kind) {
    const struct cs_event_fields *event = &cs_events[p->shape][kind];
    p->class[kind] = (struct cs_class){sizeof(struct cs_class), event->fields,    event->count,
                                       cs_probe_function,       event->signature, &p->desc};
    p->event[kind] = (struct cs_event_desc){
        sizeof(struct cs_event_desc), cs_kind_names[kind], &p->desc, &p->class[kind], &p -> loglevel, NULL};
    p->tracepoint[kind] = (struct cs_tracepoint){.struct_size = sizeof(struct cs_tracepoint),
                                                 .provider_name = p->name,
                                                 .event_name = cs_kind_names[kind],
                                                 .signature = event->signature};
}

static struct csignpost_provider *make(const char *name, size_t length, int shape) {
    struct csignpost_provider *p = calloc(1, sizeof *p + length + 1);
    if (!p) return NULL;
    memcpy(p->name, name, length + 1);
    p->shape = shape;
    p->loglevel = loglevel_for(name, length, shape);
    unsigned count = 0;
    for (int kind = 0; kind < CSIGNPOST_KINDS; kind++) {
        if (!cs_events[shape][kind].fields) continue;
        describe(p, kind);
        p->events[count] = &p->event[kind];
        p->tracepoints[count++] = &p->tracepoint[kind];
    }
    p->desc = (struct cs_probe_desc){sizeof p->desc, p->name, p->events, count, CS_ABI_MAJOR, CS_ABI_MINOR};
    return p;
}

/// Puts `made` at the head, unless another thread came first with the name: then that one is the provider.
static struct csignpost_provider *publish(struct csignpost_provider *made, struct csignpost_provider *head) {
    const struct csignpost_provider *searched = head;
    do {
        struct csignpost_provider *other = find(head, searched, made->name);
        if (other) return other;
        searched = head;
        made->next = head;
    } while (!__atomic_compare_exchange_n(&cs_providers, &head, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return made;
}

/// Makes a provider, unless there are too many.
static struct csignpost_provider *make_counted(const char *name, size_t length, int shape, int *error) {
    struct csignpost_provider *made = NULL;
    *error = CSIGNPOST_TOO_MANY;
    if (__atomic_add_fetch(&cs_count, 1, __ATOMIC_RELAXED) <= CSIGNPOST_MAX_PROVIDERS) {
        made = make(name, length, shape);
        *error = made ? CSIGNPOST_OK : CSIGNPOST_NO_MEMORY;
    }
    if (!made) __atomic_sub_fetch(&cs_count, 1, __ATOMIC_RELAXED);
    return made;
}

static struct csignpost_provider *find_or_make(const char *name, size_t length, int shape, int *error, int *is_new) {
    struct csignpost_provider *head = __atomic_load_n(&cs_providers, __ATOMIC_ACQUIRE);
    struct csignpost_provider *found = find(head, NULL, name);
    if (found) return found;
    struct csignpost_provider *made = make_counted(name, length, shape, error);
    if (!made) return NULL;
    struct csignpost_provider *winner = publish(made, head);
    *is_new = winner == made;
    if (*is_new) return made;
    __atomic_sub_fetch(&cs_count, 1, __ATOMIC_RELAXED);
    free(made);
    return winner;
}

struct csignpost_provider *cs_registry_make(const char *name, int shape, int *error, int *is_new) {
    size_t length = strlen(name);
    struct csignpost_provider *p = NULL;
    *error = shape < 0 || shape >= CSIGNPOST_SHAPES ? CSIGNPOST_OTHER_SHAPE : check_name(name, length);
    if (*error == CSIGNPOST_OK) *error = check_reserved(name, shape);
    if (*error == CSIGNPOST_OK) p = find_or_make(name, length, shape, error, is_new);
    if (p && p->shape != shape) {
        *error = CSIGNPOST_OTHER_SHAPE;
        p = NULL;
    }
    if (!p) __atomic_add_fetch(&cs_refused, 1, __ATOMIC_RELAXED);
    if (p && cs_reserved[shape] && strcmp(name, cs_reserved[shape]) == 0) {
        __atomic_store_n(&cs_own[shape], p, __ATOMIC_RELEASE);
    }
    return p;
}

const char *csignpost_reserved_name(int shape) { return cs_reserved[shape]; }

const int *csignpost_state(const struct csignpost_provider *provider, int kind) {
    static const int off = 0;
    if (kind < 0 || kind >= CSIGNPOST_KINDS) return &off;
    return &provider->tracepoint[kind].state;
}

// SPDX-License-Identifier: MIT
// One provider per name and process, found or made without a lock.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "signpost_parts.h"

#include "lttng/library.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// What the table of events says to LTTng, and to readers of traces.

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

// fork() without exec: the child is silent, and may end with exit().
//
// A child has no LTTng threads. Left alone, its exit() would run LTTng's destructor, which takes LTTng's lock and waits
// for every thread that was inside a tracepoint at the fork: locks and threads that the child does not have, so it would
// hang. Therefore the parent forks with LTTng's locks held, as LTTng's own liblttng-ust-fork does, and the child frees
// them and forgets the other threads. lttng/library.c keeps its destructor from ending them. The wait in the parent lasts as long as one command of the session daemon.
// Where the locks cannot be taken (LTTng is loading just then), the child's exit() leaves out the libraries' destructors.

int cs_forked;

/// In a child: LTTng may be half-loaded or locked for ever, so its destructor must not run.
static int must_skip_destructors;
static __thread int holds_locks;
/// This fork is made without LTTng's locks, so any thread may hold them: LTTng was loading, or a tracepoint is
/// interrupted.
static __thread int is_unprotected;
static __thread sigset_t saved_signals;

/// With every signal blocked, liblttng-ust-fork (or a program that calls lttng_ust_before_fork itself) is likely to hold
/// the locks already: taking them again would never end.
static int all_signals_are_blocked(void) {
    sigset_t now;
    if (pthread_sigmask(SIG_SETMASK, NULL, &now)) return 1;
    return sigismember(&now, SIGSEGV) && sigismember(&now, SIGCHLD) && sigismember(&now, SIGTRAP) &&
           sigismember(&now, SIGWINCH);
}

static void before(void) {
    holds_locks = 0;
    is_unprotected = 0;
    if (__atomic_load_n(&cs_forked, __ATOMIC_RELAXED) || all_signals_are_blocked()) return;
    is_unprotected = 1;
    if (cs_library_state() != CSIGNPOST_LOADED || !cs_library.before_fork) return;
    // A signal handler that forks inside a tracepoint: the holder of the locks may be waiting for this very thread.
    if (cs_library.read_ongoing()) return;
    cs_library.before_fork(&saved_signals);
    holds_locks = 1;
    is_unprotected = 0;
}

static void after_in_parent(void) {
    if (holds_locks) cs_library.after_fork_parent(&saved_signals);
    holds_locks = 0;
}

static void after_in_child(void) {
    __atomic_store_n(&cs_forked, 1, __ATOMIC_RELAXED);
    cs_threads_note_fork();
    for (struct csignpost_provider *p = cs_providers; p; p = p->next) {
        for (int kind = 0; kind < CSIGNPOST_KINDS; kind++) {
            // liblttng-ust-fork starts LTTng anew in the child: with another signature it leaves us off.
            if (p->tracepoint[kind].signature) p->tracepoint[kind].signature = "forked";
            __atomic_store_n(&p->tracepoint[kind].state, 0, __ATOMIC_RELAXED);
        }
    }
    int state = cs_library_state();
    if (is_unprotected && (state == CSIGNPOST_LOADING || state == CSIGNPOST_LOADED)) must_skip_destructors = 1;
    if (!holds_locks) return;
    // Free what the parent took, then have the reader list cut down to this thread; both end in the old signal mask.
    cs_library.after_fork_parent(&saved_signals);
    cs_library.rcu_before_fork();
    cs_library.rcu_after_fork_child();
    holds_locks = 0;
}

/// Runs before the destructors of libraries; handlers registered before ours are left out with them.
static void at_exit(int status, void *unused) {
    (void)unused;
    if (!must_skip_destructors) return;
    fflush(NULL);
    _exit(status);
}

// Not in a constructor: a process that makes no signposter must not run a line of ours.
int cs_fork_handlers_install(void) {
    return pthread_atfork(before, after_in_parent, after_in_child) == 0 && on_exit(at_exit, NULL) == 0;
}

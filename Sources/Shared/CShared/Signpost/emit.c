// SPDX-License-Identifier: MIT
// The hot path: an event is packed once on the stack and goes to each recorder with one write. Beside it, which of the latest intervals ended.
#include "CSignpost.h"
#include "lttng/library.h"
#include "signpost_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Events up to this size are packed; almost all are under 200 bytes. Longer ones go to `emit_long`.
enum { CS_PACKED_MAX = 512 };

/// `members` are constant at each emit function: unrolled, their tests disappear.
#define CS_UNROLL _Pragma("GCC unroll 32")
_Static_assert(CSIGNPOST_MAX_FIELDS == 32, "unroll as many");

/// A field of an event's struct.
struct member {
    uint8_t type;
    uint16_t offset;
};

struct event {
    const struct cs_tracepoint *tracepoint;
    const struct member *members;
    size_t count;
    void *caller;
};

static inline __attribute__((always_inline)) int loads(const int *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/// Babeltrace 2.0.4 (Debian 12's) shows an empty text as the text of an earlier event, also in traces of LTTng's own
/// macros; see https://review.lttng.org/c/babeltrace/+/4528. A space cannot be mistaken for another event's message.
static const char cs_blank[] = " ";

/// The value of a member in an event's struct.
static inline __attribute__((always_inline)) const void *value(const void *values, struct member member) {
    return (const char *)values + member.offset;
}

/// An upper bound of the packed size: texts as long as they claim to be.
static inline __attribute__((always_inline)) size_t bound(const struct member *members, size_t count,
                                                          const void *values) {
    size_t size = 0;
    CS_UNROLL
    for (size_t i = 0; i < count; i++) {
        const struct csignpost_text *text = value(values, members[i]);
        // An empty text needs the blank.
        size += members[i].type == CS_TEXT ? text->length + sizeof cs_blank : members[i].type;
    }
    return size;
}

/// Nonzero if one of the eight bytes is zero.
static inline __attribute__((always_inline)) uint64_t has_zero(uint64_t word) {
    return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

/// Copies a text up to its first NUL, which it must not contain in the trace (every field after it would shift), and
/// terminates it. Names and messages are short: words at a time beat the calls of strnlen and memcpy.
static inline __attribute__((always_inline)) char *copy_text(char *to, const char *from, size_t length) {
    uint64_t word, zeros = 0;
    if (length >= sizeof word) {
        size_t last = length - sizeof word;
        for (size_t at = 0; at < last; at += sizeof word) {
            memcpy(&word, from + at, sizeof word);
            memcpy(to + at, &word, sizeof word);
            zeros |= has_zero(word);
        }
        memcpy(&word, from + last, sizeof word);
        memcpy(to + last, &word, sizeof word);
        zeros |= has_zero(word);
    } else {
        size_t at = 0;
        word = ~(uint64_t)0;
        if (length & 4) memcpy(&word, from, 4), memcpy(to, &word, 4), at = 4;
        zeros = has_zero(word);
        word = ~(uint64_t)0;
        if (length & 2) memcpy(&word, from + at, 2), memcpy(to + at, &word, 2), at += 2;
        zeros |= has_zero(word);
        if (length & 1) zeros |= (to[at] = from[at]) == 0;
    }
    to[length] = 0;
    if (__builtin_expect(zeros != 0, 0)) length = strlen(to);
    if (length == 0) {
        memcpy(to, cs_blank, sizeof cs_blank);
        length = 1;
    }
    return to + length + 1;
}

/// Returns the packed size. Host byte order: the description says `reverse_byte_order` = 0.
static inline __attribute__((always_inline)) size_t pack(const struct member *members, size_t count, const void *values,
                                                         char *packed) {
    char *to = packed;
    CS_UNROLL
    for (size_t i = 0; i < count; i++) {
        if (members[i].type == CS_TEXT) {
            const struct csignpost_text *text = value(values, members[i]);
            to = copy_text(to, (const char *)text->address, text->address ? text->length : 0);
        } else {
            memcpy(to, value(values, members[i]), members[i].type);
            to += members[i].type;
        }
    }
    return (size_t)(to - packed);
}

/// What filters and captures read: each field is 8 bytes, an integer or the address of a terminated text.
/// `packed` outlives the stack, so the texts are read where they were packed.
static void fill_stack(const struct event *event, const char *packed, char *stack) {
    for (size_t i = 0; i < event->count; i++, stack += sizeof(uint64_t)) {
        uint64_t word = 0;
        uint8_t type = event->members[i].type;
        if (type == CS_TEXT) {
            word = (uint64_t)(uintptr_t)packed;
            packed += strlen(packed) + 1;
        } else {
            uint8_t u8 = 0;
            uint32_t u32 = 0;
            if (type == CS_U8) word = (memcpy(&u8, packed, sizeof u8), u8);
            if (type == CS_U32) word = (memcpy(&u32, packed, sizeof u32), u32);
            if (type == CS_U64) memcpy(&word, packed, sizeof word);
            packed += type;
        }
        memcpy(stack, &word, sizeof word);
    }
}

/// The checks of LTTng's own probes, in their order: session, channel, event.
static int is_wanted(const struct cs_event *action) {
    if (action->type == CS_EVENT_RECORDER) {
        const struct cs_recorder *recorder = action->child;
        const struct cs_channel *channel = recorder->buffer->parent;
        if (!loads(&channel->session->active) || !loads(&channel->enabled)) return 0;
    } else if (action->type != CS_EVENT_NOTIFIER) {
        return 0; // a kind of a later LTTng
    }
    return loads(&action->enabled);
}

static int needs_stack(const struct cs_event *action) {
    if (loads(&action->eval_filter)) return 1;
    return action->type == CS_EVENT_NOTIFIER && loads(&((const struct cs_notifier *)action->child)->eval_capture);
}

static void notify(const struct cs_event *action, const char *stack, int is_filled, struct cs_probe_ctx *probe_ctx) {
    const struct cs_notifier *notifier = action->child;
    // A capture that was set after we looked has nothing to read: the notification goes without it.
    struct cs_notification_ctx context = {sizeof context, is_filled && loads(&notifier->eval_capture)};
    notifier->send(notifier, stack, probe_ctx, &context);
}

static inline __attribute__((always_inline)) void record(const struct cs_event *action, const char *packed, size_t size,
                                                         struct cs_probe_ctx *probe_ctx) {
    struct cs_recorder *recorder = action->child;
    const struct cs_buffer_ops *ops = recorder->buffer->ops;
    struct cs_buffer_ctx context = {sizeof context, recorder, size, 1, probe_ctx, NULL};
    if (ops->reserve(&context) < 0) return;
    ops->write(&context, packed, size, 1);
    ops->commit(&context);
}

/// Gives the packed event to a recorder with a filter, or to a notifier.
static __attribute__((noinline)) void deliver(const struct event *event, const struct cs_event *action,
                                              const char *packed, size_t size) {
    struct cs_probe_ctx probe_ctx = {sizeof probe_ctx, event->caller};
    char stack[CSIGNPOST_MAX_FIELDS * sizeof(uint64_t)];
    int is_filled = needs_stack(action);
    if (is_filled) fill_stack(event, packed, stack);
    if (loads(&action->eval_filter)) {
        // A filter set since we looked has nothing to read yet.
        if (!is_filled || action->run_filter(action, stack, &probe_ctx, NULL) != CS_FILTER_ACCEPT) return;
    }
    if (action->type == CS_EVENT_NOTIFIER) {
        notify(action, stack, is_filled, &probe_ctx);
    } else {
        record(action, packed, size, &probe_ctx);
    }
}

static const struct cs_probe *first_probe(const struct cs_tracepoint *tracepoint) {
    return __atomic_load_n(&tracepoint->probes, __ATOMIC_ACQUIRE);
}

/// Whether the probe is ours and its action wants the event.
static inline __attribute__((always_inline)) int is_ours(const struct cs_probe *probe) {
    return probe->function == cs_probe_function && is_wanted(probe->data);
}

/// An event that is too long for the stack is packed on the heap; without memory it is counted as lost.
static __attribute__((noinline, cold)) void emit_long(const struct event *event, const void *values) {
    char *packed = malloc(bound(event->members, event->count, values));
    if (!packed) {
        __atomic_add_fetch(&cs_dropped, 1, __ATOMIC_RELAXED);
        return;
    }
    size_t size = pack(event->members, event->count, values, packed);
    cs_library.read_lock();
    for (const struct cs_probe *probe = first_probe(event->tracepoint); probe && probe->function; probe++) {
        if (is_ours(probe)) deliver(event, probe->data, packed, size);
    }
    cs_library.read_unlock();
    free(packed);
}

static inline __attribute__((always_inline)) void emit(const struct cs_tracepoint *tracepoint,
                                                       const struct member *members, size_t count, const void *values,
                                                       void *caller) {
    if (__builtin_expect(bound(members, count, values) > CS_PACKED_MAX, 0)) {
        emit_long(&(struct event){tracepoint, members, count, caller}, values);
        return;
    }
    char packed[CS_PACKED_MAX];
    size_t size = 0;
    cs_library.read_lock();
    for (const struct cs_probe *probe = first_probe(tracepoint); probe && probe->function; probe++) {
        const struct cs_event *action = probe->data;
        if (!is_ours(probe)) continue;
        if (!size) size = pack(members, count, values, packed);
        if (__builtin_expect(action->type == CS_EVENT_RECORDER && !loads(&action->eval_filter), 1)) {
            record(action, packed, size, &(struct cs_probe_ctx){sizeof(struct cs_probe_ctx), caller});
        } else {
            // Made here: were it made once, the compiler could not know the types any more after this call.
            deliver(&(struct event){tracepoint, members, count, caller}, action, packed, size);
        }
    }
    cs_library.read_unlock();
}

/// Emits an event that a session records; without a provider, none does. A forked child emits nothing.
static inline __attribute__((always_inline)) void emit_if_on(const struct csignpost_provider *provider, int kind,
                                                             const struct member *members, size_t count,
                                                             const void *values, void *caller) {
    if (!provider || !loads(&provider->tracepoint[kind].state) || loads(&cs_forked)) return;
    int saved_errno = errno;
    emit(&provider->tracepoint[kind], members, count, values, caller);
    errno = saved_errno;
}

// The members are a constant that the compiler sees, so that packing unrolls to plain stores.
#define CS_MEMBER_OF(type, name, absent) {CS_##type, offsetof(event_values, name)},
#define CS_MEMBERS(FIELDS, NAME) \
    typedef struct csignpost_##NAME event_values; \
    static const struct member members[] = {FIELDS(CS_MEMBER_OF)};

void csignpost_emit(const struct csignpost_generic *event, const struct csignpost_provider *provider, int kind) {
    CS_MEMBERS(CS_GENERIC, generic)
    if (kind < 0 || kind >= CSIGNPOST_KINDS || provider->shape != CSIGNPOST_GENERIC) return;
    emit_if_on(provider, kind, members, CS_COUNT(members), event, __builtin_return_address(0));
}

#define CS_EMITTER_OF(shape, kind, FIELDS, NAME) \
    void csignpost_emit_##shape##_##kind(const struct csignpost_##NAME *event) { \
        CS_MEMBERS(FIELDS, NAME) \
        emit_if_on(__atomic_load_n(&cs_own[CSIGNPOST_##shape], __ATOMIC_ACQUIRE), CSIGNPOST_##kind, members, \
                   CS_COUNT(members), event, __builtin_return_address(0)); \
    }
CS_OWN_EVENTS(CS_EMITTER_OF)

/// Set in the ring once the interval has ended; numbers leave it free.
#define ENDED 1u

static uint64_t last;
static uint64_t ring[CSIGNPOST_LEDGER_SIZE];

static uint64_t *place(uint64_t serial) { return &ring[(serial / 2) % CSIGNPOST_LEDGER_SIZE]; }

uint64_t csignpost_ledger_open(void) {
    uint64_t serial = __atomic_add_fetch(&last, 2, __ATOMIC_RELAXED);
    __atomic_store_n(place(serial), serial, __ATOMIC_RELAXED);
    return serial;
}

int csignpost_ledger_close(uint64_t serial) {
    uint64_t found = serial;
    if (__atomic_compare_exchange_n(place(serial), &found, serial | ENDED, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return 1;
    }
    // A later interval has the place: whether this one ended is not known any more.
    return found != (serial | ENDED);
}

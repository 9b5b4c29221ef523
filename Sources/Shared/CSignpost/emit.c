// SPDX-License-Identifier: MIT
// The hot path: an event is packed once on the stack and goes to each recorder with one write.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

/// Events up to this size are packed; almost all are under 200 bytes. Longer ones go to `emit_long`.
enum { CS_PACKED_MAX = 512 };

/// `types` is constant at each emit function: unrolled, its tests disappear.
#define CS_UNROLL _Pragma("GCC unroll 17")

struct value {
    uint64_t number;
    const char *text;
    size_t length;
};

struct event {
    struct cs_tracepoint *tracepoint;
    const uint8_t *types;
    size_t count;
    void *caller;
};

/// Only its address is used: `emit` looks for it in the tracepoint's list and delivers without the call.
void cs_probe_function(void) {}

static inline __attribute__((always_inline)) int loads(const int *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/// Babeltrace 2.0.4 (Debian 12's) shows an empty text as the text of an earlier event, also in traces of LTTng's own
/// macros; see https://review.lttng.org/c/babeltrace/+/4528. A space cannot be mistaken for another event's message.
static const char cs_blank[] = " ";

/// An upper bound of the packed size: texts as long as they claim to be.
static inline __attribute__((always_inline)) size_t bound(const uint8_t *types, size_t count,
                                                          const struct value *values) {
    size_t size = 0;
    CS_UNROLL
    for (size_t i = 0; i < count; i++) {
        if (types[i] != CS_TEXT) {
            size += types[i];
        } else if (values[i].length <= CS_PACKED_MAX) {
            size += values[i].length + sizeof cs_blank; // an empty text needs that
        } else {
            return CS_PACKED_MAX + 1;
        }
    }
    return size;
}

/// Cuts each text at its first NUL and returns the packed size.
static size_t cut(const uint8_t *types, size_t count, struct value *values) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (types[i] == CS_TEXT) {
            values[i].length = values[i].text ? strnlen(values[i].text, values[i].length) : 0;
            if (!values[i].length) values[i] = (struct value){.text = cs_blank, .length = 1};
            size += values[i].length + 1;
        } else {
            size += types[i];
        }
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

/// Host byte order: the description says `reverse_byte_order` = 0.
static inline __attribute__((always_inline)) void narrow(uint8_t type, uint64_t number, char *to) {
    uint8_t u8 = (uint8_t)number;
    uint32_t u32 = (uint32_t)number;
    if (type == CS_U8) memcpy(to, &u8, sizeof u8);
    if (type == CS_U32) memcpy(to, &u32, sizeof u32);
    if (type == CS_U64) memcpy(to, &number, sizeof number);
}

/// Returns the packed size.
static inline __attribute__((always_inline)) size_t pack(const uint8_t *types, size_t count, const struct value *values,
                                                         char *packed) {
    char *to = packed;
    CS_UNROLL
    for (size_t i = 0; i < count; i++) {
        if (types[i] == CS_TEXT) {
            to = copy_text(to, values[i].text, values[i].text ? values[i].length : 0);
        } else {
            narrow(types[i], values[i].number, to);
            to += types[i];
        }
    }
    return (size_t)(to - packed);
}

/// What filters and captures read: each field is 8 bytes, an integer or the address of a terminated text.
/// `packed` outlives the stack, so the texts are read where they were packed.
static void fill_stack(const struct event *event, const char *packed, char *stack) {
    for (size_t i = 0; i < event->count; i++, stack += sizeof(uint64_t)) {
        uint64_t word = 0;
        if (event->types[i] == CS_TEXT) {
            word = (uint64_t)(uintptr_t)packed;
            packed += strlen(packed) + 1;
        } else {
            uint8_t u8 = 0;
            uint32_t u32 = 0;
            if (event->types[i] == CS_U8) word = (memcpy(&u8, packed, sizeof u8), u8);
            if (event->types[i] == CS_U32) word = (memcpy(&u32, packed, sizeof u32), u32);
            if (event->types[i] == CS_U64) memcpy(&word, packed, sizeof word);
            packed += event->types[i];
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
    char stack[CS_MAX_FIELDS * sizeof(uint64_t)];
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

/// Field by field, without a copy: for a long event that nobody filters.
static void write_fields(const struct event *event, const struct cs_event *action, const struct value *values,
                         size_t size) {
    struct cs_probe_ctx probe_ctx = {sizeof probe_ctx, event->caller};
    struct cs_recorder *recorder = action->child;
    const struct cs_buffer_ops *ops = recorder->buffer->ops;
    struct cs_buffer_ctx context = {sizeof context, recorder, size, 1, &probe_ctx, NULL};
    if (ops->reserve(&context) < 0) return;
    for (size_t i = 0; i < event->count; i++) {
        char number[sizeof(uint64_t)];
        if (event->types[i] == CS_TEXT) {
            ops->write(&context, values[i].text, values[i].length, 1);
            ops->write(&context, "", 1, 1);
        } else {
            narrow(event->types[i], values[i].number, number);
            ops->write(&context, number, event->types[i], 1);
        }
    }
    ops->commit(&context);
}

static const struct cs_probe *first_probe(const struct cs_tracepoint *tracepoint) {
    return __atomic_load_n(&tracepoint->probes, __ATOMIC_ACQUIRE);
}

/// Filters and captures want terminated texts, hence a copy on the heap; without memory the event is counted as lost.
static __attribute__((noinline, cold)) void emit_long(const struct event *event, struct value *values) {
    char *packed = NULL;
    size_t size = cut(event->types, event->count, values);
    cs_library.read_lock();
    for (const struct cs_probe *probe = first_probe(event->tracepoint); probe && probe->function; probe++) {
        const struct cs_event *action = probe->data;
        if (probe->function != cs_probe_function || !is_wanted(action)) continue;
        if (action->type == CS_EVENT_RECORDER && !needs_stack(action)) {
            write_fields(event, action, values, size);
            continue;
        }
        if (!packed && (packed = malloc(size))) pack(event->types, event->count, values, packed);
        if (packed) {
            deliver(event, action, packed, size);
        } else {
            __atomic_add_fetch(&cs_dropped, 1, __ATOMIC_RELAXED);
        }
    }
    cs_library.read_unlock();
    free(packed);
}

static inline __attribute__((always_inline)) void emit(const struct csignpost_provider *provider, int shape, int kind,
                                                       const uint8_t *types, size_t count, struct value *values,
                                                       void *caller) {
    if (provider->shape != shape || __builtin_expect(!loads(&provider->tracepoint[kind].state), 0)) return;
    if (__builtin_expect(loads(&cs_forked), 0)) return;
    int saved_errno = errno;
    struct cs_tracepoint *tracepoint = (struct cs_tracepoint *)&provider->tracepoint[kind];
    if (__builtin_expect(bound(types, count, values) > CS_PACKED_MAX, 0)) {
        // Copies, so that in the common case nothing needs an address and all stays in registers.
        struct value copies[CS_MAX_FIELDS];
        memcpy(copies, values, count * sizeof *values);
        emit_long(&(struct event){tracepoint, types, count, caller}, copies);
        errno = saved_errno;
        return;
    }
    char packed[CS_PACKED_MAX];
    size_t size = 0;
    cs_library.read_lock();
    for (const struct cs_probe *probe = first_probe(tracepoint); probe && probe->function; probe++) {
        const struct cs_event *action = probe->data;
        if (probe->function != cs_probe_function || !is_wanted(action)) continue;
        if (!size) size = pack(types, count, values, packed);
        if (__builtin_expect(action->type == CS_EVENT_RECORDER && !loads(&action->eval_filter), 1)) {
            record(action, packed, size, &(struct cs_probe_ctx){sizeof(struct cs_probe_ctx), caller});
        } else {
            deliver(&(struct event){tracepoint, types, count, caller}, action, packed, size);
        }
    }
    cs_library.read_unlock();
    errno = saved_errno;
}

#define NUMBER(n) \
    { .number = (n) }
#define TEXT(name) \
    { .text = name, .length = name##_len }
#define EMIT(provider, shape, kind, types, values) \
    emit(provider, shape, kind, types, sizeof types, values, __builtin_return_address(0)); \
    _Static_assert(sizeof types == sizeof values / sizeof *values, "a value for each field")

void csignpost_emit(const struct csignpost_provider *provider, int kind, uint64_t id, const char *name, size_t name_len,
                    const char *message, size_t message_len, int scope) {
    static const struct value scopes[CSIGNPOST_SCOPES] = {
        {.text = "thread", .length = 6}, {.text = "process", .length = 7}, {.text = "system", .length = 6}};
    if (kind < 0 || kind >= CSIGNPOST_KINDS || scope < 0 || scope >= CSIGNPOST_SCOPES) return;
    struct value values[] = {NUMBER(id), TEXT(name), TEXT(message), scopes[scope]};
    EMIT(provider, CSIGNPOST_GENERIC, kind, cs_generic_types, values);
}

void csignpost_emit_body_begin(const struct csignpost_provider *provider, uint64_t id, const char *name,
                               size_t name_len, const char *file, size_t file_len, uint32_t line, const char *parent,
                               size_t parent_len) {
    struct value values[] = {NUMBER(id), TEXT(name), TEXT(file), NUMBER(line), TEXT(parent)};
    EMIT(provider, CSIGNPOST_BODY_EVAL, CSIGNPOST_BEGIN, cs_body_begin_types, values);
}

#define LENT(lent) \
    { .text = (lent).bytes, .length = (lent).length }

void csignpost_emit_body_end(const struct csignpost_provider *provider, uint64_t id, const char *name, size_t name_len,
                             const char *reason, size_t reason_len, const struct csignpost_evaluation *e) {
    struct value values[] = {
        NUMBER(id),          TEXT(name),          TEXT(reason),         NUMBER(e->body_ns),     NUMBER(e->total_ns),
        NUMBER(e->wasted),   NUMBER(e->turn),     NUMBER(e->count),     NUMBER(e->epoch),       LENT(e->store),
        NUMBER(e->store_id), NUMBER(e->instance), NUMBER(e->instances), NUMBER(e->attribution), NUMBER(e->kind),
        LENT(e->writers),    LENT(e->chain)};
    EMIT(provider, CSIGNPOST_BODY_EVAL, CSIGNPOST_END, cs_body_end_types, values);
}

void csignpost_emit_view(const struct csignpost_provider *provider, const char *name, size_t name_len,
                         const char *message, size_t message_len, const struct csignpost_view *v) {
    struct value values[] = {TEXT(name),          TEXT(message),        LENT(v->store),       NUMBER(v->store_id),
                             NUMBER(v->epoch),    NUMBER(v->instance),  NUMBER(v->instances), NUMBER(v->commits),
                             NUMBER(v->measured), NUMBER(v->wasted_ns), NUMBER(v->kinds[0]),  NUMBER(v->kinds[1]),
                             NUMBER(v->kinds[2]), NUMBER(v->kinds[3]),  NUMBER(v->kinds[4]),  NUMBER(v->kinds[5])};
    EMIT(provider, CSIGNPOST_VIEW, CSIGNPOST_EVENT, cs_view_types, values);
}

void csignpost_emit_write(const struct csignpost_provider *provider, const char *name, size_t name_len,
                          const char *writer, size_t writer_len, uint32_t views) {
    struct value values[] = {TEXT(name), TEXT(writer), NUMBER(views)};
    EMIT(provider, CSIGNPOST_WRITE, CSIGNPOST_EVENT, cs_write_types, values);
}

static const struct value turn_name = {.text = "turn", .length = 4};

void csignpost_emit_turn_begin(const struct csignpost_provider *provider, uint64_t turn) {
    struct value values[] = {NUMBER(turn), turn_name, NUMBER(turn)};
    EMIT(provider, CSIGNPOST_TURN, CSIGNPOST_BEGIN, cs_turn_begin_types, values);
}

void csignpost_emit_turn_end(const struct csignpost_provider *provider, uint64_t turn, uint64_t evaluations) {
    struct value values[] = {NUMBER(turn), turn_name, NUMBER(turn), NUMBER(evaluations)};
    EMIT(provider, CSIGNPOST_TURN, CSIGNPOST_END, cs_turn_end_types, values);
}

void csignpost_emit_phase(const struct csignpost_provider *provider, int kind, uint64_t id, const char *name,
                          size_t name_len, uint64_t turn) {
    if (kind != CSIGNPOST_BEGIN && kind != CSIGNPOST_END) return;
    struct value values[] = {NUMBER(id), TEXT(name), NUMBER(turn)};
    EMIT(provider, CSIGNPOST_PHASE, kind, cs_phase_types, values);
}

void csignpost_emit_hang_begin(const struct csignpost_provider *provider, uint64_t id, const char *name,
                               size_t name_len, const char *last_rendered, size_t last_rendered_len, uint32_t pid,
                               const char *attribution, size_t attribution_len, const char *verdict,
                               size_t verdict_len) {
    struct value values[] = {NUMBER(id),  TEXT(name),        TEXT(last_rendered),
                             NUMBER(pid), TEXT(attribution), TEXT(verdict)};
    EMIT(provider, CSIGNPOST_HANG, CSIGNPOST_BEGIN, cs_hang_begin_types, values);
}

void csignpost_emit_hang_end(const struct csignpost_provider *provider, uint64_t id, const char *name, size_t name_len,
                             const char *last_rendered, size_t last_rendered_len, uint32_t pid, const char *attribution,
                             size_t attribution_len, const char *verdict, size_t verdict_len, uint64_t duration_ns) {
    struct value values[] = {NUMBER(id),        TEXT(name),    TEXT(last_rendered), NUMBER(pid),
                             TEXT(attribution), TEXT(verdict), NUMBER(duration_ns)};
    EMIT(provider, CSIGNPOST_HANG, CSIGNPOST_END, cs_hang_end_types, values);
}

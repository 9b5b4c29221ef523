// SPDX-License-Identifier: MIT
// The part of LTTng-UST 2.13's binary interface (liblttng-ust.so.1) that a provider touches, in our own words.
//
// Why not <lttng/ust-events.h>: an app that adds Rerender depends on the toolchain alone, so this must compile where
// the headers are not installed. LTTng keeps these layouts for the life of the soname (members are only added at the
// end, behind `struct_size`); `Tests/Process/SignpostProcessTests/ABI/abi_check.c` compares each one with the real headers.
#ifndef CSIGNPOST_LTTNG_ABI_H
#define CSIGNPOST_LTTNG_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { CS_ABI_MAJOR = 3, CS_ABI_MINOR = 0 };
enum { CS_NAME_MAX = 255 }; // "provider:event", without the terminator
enum { CS_TYPE_INTEGER = 0, CS_TYPE_STRING = 1, CS_TYPE_ENUM = 4 };
enum { CS_ENCODING_UTF8 = 1 };
enum { CS_EVENT_RECORDER = 0, CS_EVENT_NOTIFIER = 1 };
enum { CS_FILTER_ACCEPT = 0 };
enum { CS_LOGLEVEL_WARNING = 4, CS_LOGLEVEL_INFO = 6, CS_LOGLEVEL_DEBUG_LINE = 13, CS_LOGLEVEL_DEBUG = 14 };

// What we describe to the tracer.

struct cs_type {
    int type;
};

struct cs_type_integer {
    struct cs_type parent;
    uint32_t struct_size;
    unsigned size_bits;
    unsigned short alignment_bits;
    unsigned is_signed : 1;
    unsigned is_reversed : 1;
    unsigned base;
};

struct cs_type_string {
    struct cs_type parent;
    uint32_t struct_size;
    int encoding;
};

struct cs_probe_desc;

struct cs_enum_value {
    unsigned long long value;
    unsigned is_signed : 1;
};

struct cs_enum_entry {
    uint32_t struct_size;
    struct cs_enum_value start;
    struct cs_enum_value end; // inclusive
    const char *string;
    unsigned options;
};

struct cs_enum_desc {
    uint32_t struct_size;
    const char *name;
    const struct cs_enum_entry *const *entries;
    unsigned entry_count;
    const struct cs_probe_desc *provider;
};

struct cs_type_enum {
    struct cs_type parent;
    uint32_t struct_size;
    const struct cs_enum_desc *desc;
    const struct cs_type *container;
};

struct cs_field {
    uint32_t struct_size;
    const char *name;
    const struct cs_type *type;
    unsigned nowrite : 1;
    unsigned nofilter : 1;
};

struct cs_class {
    uint32_t struct_size;
    const struct cs_field *const *fields;
    size_t field_count;
    void (*probe)(void);
    const char *signature;
    const struct cs_probe_desc *provider;
};

struct cs_event_desc {
    uint32_t struct_size;
    const char *name;
    const struct cs_probe_desc *provider;
    const struct cs_class *class;
    const int **loglevel;
    const char **model_emf_uri;
};

struct cs_probe_desc {
    uint32_t struct_size;
    const char *name;
    const struct cs_event_desc *const *events;
    unsigned event_count;
    uint32_t major;
    uint32_t minor;
};

// The call site: LTTng writes `state` and `probes`.

struct cs_probe {
    void (*function)(void);
    void *data;
};

struct cs_tracepoint {
    uint32_t struct_size;
    const char *provider_name;
    const char *event_name;
    int state;
    struct cs_probe *probes;
    int *provider_ref;
    const char *signature;
};

// What the tracer hands to a probe.

struct cs_probe_ctx {
    uint32_t struct_size;
    void *ip;
};

struct cs_event {
    uint32_t struct_size;
    void *priv;
    int type;
    void *child;
    int enabled;
    int eval_filter;
    int (*run_filter)(const struct cs_event *, const char *stack, struct cs_probe_ctx *, void *);
};

struct cs_session {
    uint32_t struct_size;
    void *priv;
    int active;
};

struct cs_channel {
    uint32_t struct_size;
    void *priv;
    int type;
    void *child;
    int enabled;
    struct cs_session *session;
};

struct cs_buffer_ctx {
    uint32_t struct_size;
    void *client;
    size_t data_size;
    int largest_align;
    struct cs_probe_ctx *probe_ctx;
    void *priv;
};

struct cs_buffer_ops {
    uint32_t struct_size;
    void *priv;
    int (*reserve)(struct cs_buffer_ctx *);
    void (*commit)(struct cs_buffer_ctx *);
    void (*write)(struct cs_buffer_ctx *, const void *, size_t length, size_t alignment);
};

struct cs_buffer {
    uint32_t struct_size;
    struct cs_channel *parent;
    void *priv;
    struct cs_buffer_ops *ops;
};

struct cs_recorder {
    uint32_t struct_size;
    struct cs_event *parent;
    void *priv;
    struct cs_buffer *buffer;
};

struct cs_notification_ctx {
    uint32_t struct_size;
    int eval_capture;
};

struct cs_notifier {
    uint32_t struct_size;
    struct cs_event *parent;
    void *priv;
    int eval_capture;
    void (*send)(const struct cs_notifier *, const char *stack, struct cs_probe_ctx *, struct cs_notification_ctx *);
};

#endif

// SPDX-License-Identifier: MIT
// Compares our words for LTTng's binary interface with its real headers. A test compiles this; it never runs.
#include <lttng/tracepoint.h>
#include <lttng/ust-events.h>
#include <lttng/ust-ringbuffer-context.h>

#include "lttng_abi.h"

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #ours " differs from " #theirs)
#define SIZE(ours, theirs) SAME(sizeof(struct ours), sizeof(struct theirs))
#define MEMBER(ours, a, theirs, b) \
    SAME(offsetof(struct ours, a), offsetof(struct theirs, b)); \
    SAME(sizeof(((struct ours *)0)->a), sizeof(((struct theirs *)0)->b))

SAME((int)CS_ABI_MAJOR, LTTNG_UST_PROVIDER_MAJOR_OLDEST_COMPATIBLE);
_Static_assert(CS_ABI_MAJOR <= LTTNG_UST_PROVIDER_MAJOR, "an older tracer would refuse us");
SAME((int)CS_ABI_MINOR, LTTNG_UST_PROVIDER_MINOR);
SAME((int)CS_NAME_MAX, LTTNG_UST_TRACEPOINT_NAME_LEN_MAX - 1);
SAME((int)CS_TYPE_INTEGER, (int)lttng_ust_type_integer);
SAME((int)CS_TYPE_STRING, (int)lttng_ust_type_string);
SAME((int)CS_TYPE_ENUM, (int)lttng_ust_type_enum);
SAME((int)CS_ENCODING_UTF8, (int)lttng_ust_string_encoding_UTF8);
SAME((int)CS_EVENT_RECORDER, (int)LTTNG_UST_EVENT_TYPE_RECORDER);
SAME((int)CS_EVENT_NOTIFIER, (int)LTTNG_UST_EVENT_TYPE_NOTIFIER);
SAME((int)CS_FILTER_ACCEPT, (int)LTTNG_UST_EVENT_FILTER_ACCEPT);
SAME((int)CS_LOGLEVEL_WARNING, (int)LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING);
SAME((int)CS_LOGLEVEL_INFO, (int)LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO);
SAME((int)CS_LOGLEVEL_DEBUG_LINE, (int)LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_LINE);
SAME((int)CS_LOGLEVEL_DEBUG, (int)LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG);

SIZE(cs_type, lttng_ust_type_common);
MEMBER(cs_type, type, lttng_ust_type_common, type);

SIZE(cs_type_integer, lttng_ust_type_integer);
MEMBER(cs_type_integer, parent, lttng_ust_type_integer, parent);
MEMBER(cs_type_integer, struct_size, lttng_ust_type_integer, struct_size);
MEMBER(cs_type_integer, size_bits, lttng_ust_type_integer, size);
MEMBER(cs_type_integer, alignment_bits, lttng_ust_type_integer, alignment);
MEMBER(cs_type_integer, base, lttng_ust_type_integer, base);

SIZE(cs_type_string, lttng_ust_type_string);
MEMBER(cs_type_string, struct_size, lttng_ust_type_string, struct_size);
MEMBER(cs_type_string, encoding, lttng_ust_type_string, encoding);

SIZE(cs_enum_value, lttng_ust_enum_value);
MEMBER(cs_enum_value, value, lttng_ust_enum_value, value);

SIZE(cs_enum_entry, lttng_ust_enum_entry);
MEMBER(cs_enum_entry, struct_size, lttng_ust_enum_entry, struct_size);
MEMBER(cs_enum_entry, start, lttng_ust_enum_entry, start);
MEMBER(cs_enum_entry, end, lttng_ust_enum_entry, end);
MEMBER(cs_enum_entry, string, lttng_ust_enum_entry, string);
MEMBER(cs_enum_entry, options, lttng_ust_enum_entry, options);

SIZE(cs_enum_desc, lttng_ust_enum_desc);
MEMBER(cs_enum_desc, struct_size, lttng_ust_enum_desc, struct_size);
MEMBER(cs_enum_desc, name, lttng_ust_enum_desc, name);
MEMBER(cs_enum_desc, entries, lttng_ust_enum_desc, entries);
MEMBER(cs_enum_desc, entry_count, lttng_ust_enum_desc, nr_entries);
MEMBER(cs_enum_desc, provider, lttng_ust_enum_desc, probe_desc);

SIZE(cs_type_enum, lttng_ust_type_enum);
MEMBER(cs_type_enum, parent, lttng_ust_type_enum, parent);
MEMBER(cs_type_enum, struct_size, lttng_ust_type_enum, struct_size);
MEMBER(cs_type_enum, desc, lttng_ust_type_enum, desc);
MEMBER(cs_type_enum, container, lttng_ust_type_enum, container_type);

SIZE(cs_field, lttng_ust_event_field);
MEMBER(cs_field, struct_size, lttng_ust_event_field, struct_size);
MEMBER(cs_field, name, lttng_ust_event_field, name);
MEMBER(cs_field, type, lttng_ust_event_field, type);

SIZE(cs_class, lttng_ust_tracepoint_class);
MEMBER(cs_class, struct_size, lttng_ust_tracepoint_class, struct_size);
MEMBER(cs_class, fields, lttng_ust_tracepoint_class, fields);
MEMBER(cs_class, field_count, lttng_ust_tracepoint_class, nr_fields);
MEMBER(cs_class, probe, lttng_ust_tracepoint_class, probe_callback);
MEMBER(cs_class, signature, lttng_ust_tracepoint_class, signature);
MEMBER(cs_class, provider, lttng_ust_tracepoint_class, probe_desc);

SIZE(cs_event_desc, lttng_ust_event_desc);
MEMBER(cs_event_desc, struct_size, lttng_ust_event_desc, struct_size);
MEMBER(cs_event_desc, name, lttng_ust_event_desc, event_name);
MEMBER(cs_event_desc, provider, lttng_ust_event_desc, probe_desc);
MEMBER(cs_event_desc, class, lttng_ust_event_desc, tp_class);
MEMBER(cs_event_desc, loglevel, lttng_ust_event_desc, loglevel);
MEMBER(cs_event_desc, model_emf_uri, lttng_ust_event_desc, model_emf_uri);

SIZE(cs_probe_desc, lttng_ust_probe_desc);
MEMBER(cs_probe_desc, struct_size, lttng_ust_probe_desc, struct_size);
MEMBER(cs_probe_desc, name, lttng_ust_probe_desc, provider_name);
MEMBER(cs_probe_desc, events, lttng_ust_probe_desc, event_desc);
MEMBER(cs_probe_desc, event_count, lttng_ust_probe_desc, nr_events);
MEMBER(cs_probe_desc, major, lttng_ust_probe_desc, major);
MEMBER(cs_probe_desc, minor, lttng_ust_probe_desc, minor);

SIZE(cs_probe, lttng_ust_tracepoint_probe);
MEMBER(cs_probe, function, lttng_ust_tracepoint_probe, func);
MEMBER(cs_probe, data, lttng_ust_tracepoint_probe, data);

SIZE(cs_tracepoint, lttng_ust_tracepoint);
MEMBER(cs_tracepoint, struct_size, lttng_ust_tracepoint, struct_size);
MEMBER(cs_tracepoint, provider_name, lttng_ust_tracepoint, provider_name);
MEMBER(cs_tracepoint, event_name, lttng_ust_tracepoint, event_name);
MEMBER(cs_tracepoint, state, lttng_ust_tracepoint, state);
MEMBER(cs_tracepoint, probes, lttng_ust_tracepoint, probes);
MEMBER(cs_tracepoint, provider_ref, lttng_ust_tracepoint, tracepoint_provider_ref);
MEMBER(cs_tracepoint, signature, lttng_ust_tracepoint, signature);

SIZE(cs_probe_ctx, lttng_ust_probe_ctx);
MEMBER(cs_probe_ctx, struct_size, lttng_ust_probe_ctx, struct_size);
MEMBER(cs_probe_ctx, ip, lttng_ust_probe_ctx, ip);

SIZE(cs_event, lttng_ust_event_common);
MEMBER(cs_event, struct_size, lttng_ust_event_common, struct_size);
MEMBER(cs_event, type, lttng_ust_event_common, type);
MEMBER(cs_event, child, lttng_ust_event_common, child);
MEMBER(cs_event, enabled, lttng_ust_event_common, enabled);
MEMBER(cs_event, eval_filter, lttng_ust_event_common, eval_filter);
#ifdef CS_CHECK_THE_CHECK
MEMBER(cs_event, enabled, lttng_ust_event_common, eval_filter);
#endif
MEMBER(cs_event, run_filter, lttng_ust_event_common, run_filter);

SIZE(cs_session, lttng_ust_session);
MEMBER(cs_session, active, lttng_ust_session, active);

SIZE(cs_channel, lttng_ust_channel_common);
MEMBER(cs_channel, enabled, lttng_ust_channel_common, enabled);
MEMBER(cs_channel, session, lttng_ust_channel_common, session);

SIZE(cs_buffer_ctx, lttng_ust_ring_buffer_ctx);
MEMBER(cs_buffer_ctx, struct_size, lttng_ust_ring_buffer_ctx, struct_size);
MEMBER(cs_buffer_ctx, client, lttng_ust_ring_buffer_ctx, client_priv);
MEMBER(cs_buffer_ctx, data_size, lttng_ust_ring_buffer_ctx, data_size);
MEMBER(cs_buffer_ctx, largest_align, lttng_ust_ring_buffer_ctx, largest_align);
MEMBER(cs_buffer_ctx, probe_ctx, lttng_ust_ring_buffer_ctx, probe_ctx);
MEMBER(cs_buffer_ctx, priv, lttng_ust_ring_buffer_ctx, priv);

// We stop before its two last functions, which we do not call.
MEMBER(cs_buffer_ops, reserve, lttng_ust_channel_buffer_ops, event_reserve);
MEMBER(cs_buffer_ops, commit, lttng_ust_channel_buffer_ops, event_commit);
MEMBER(cs_buffer_ops, write, lttng_ust_channel_buffer_ops, event_write);

SIZE(cs_buffer, lttng_ust_channel_buffer);
MEMBER(cs_buffer, parent, lttng_ust_channel_buffer, parent);
MEMBER(cs_buffer, ops, lttng_ust_channel_buffer, ops);

SIZE(cs_recorder, lttng_ust_event_recorder);
MEMBER(cs_recorder, parent, lttng_ust_event_recorder, parent);
MEMBER(cs_recorder, buffer, lttng_ust_event_recorder, chan);

SIZE(cs_notification_ctx, lttng_ust_notification_ctx);
MEMBER(cs_notification_ctx, struct_size, lttng_ust_notification_ctx, struct_size);
MEMBER(cs_notification_ctx, eval_capture, lttng_ust_notification_ctx, eval_capture);

SIZE(cs_notifier, lttng_ust_event_notifier);
MEMBER(cs_notifier, parent, lttng_ust_event_notifier, parent);
MEMBER(cs_notifier, eval_capture, lttng_ust_event_notifier, eval_capture);
MEMBER(cs_notifier, send, lttng_ust_event_notifier, notification_send);

// Bit fields have no offset, and prototypes no size: the compiler compares these.
void compare(struct lttng_ust_event_common *event, struct lttng_ust_event_notifier *notifier,
             struct lttng_ust_channel_buffer_ops *ops);
void compare(struct lttng_ust_event_common *event, struct lttng_ust_event_notifier *notifier,
             struct lttng_ust_channel_buffer_ops *ops) {
    int (*run_filter)(const struct lttng_ust_event_common *, const char *, struct lttng_ust_probe_ctx *, void *) =
        event->run_filter;
    void (*send)(const struct lttng_ust_event_notifier *, const char *, struct lttng_ust_probe_ctx *,
                 struct lttng_ust_notification_ctx *) = notifier->notification_send;
    int (*reserve)(struct lttng_ust_ring_buffer_ctx *) = ops->event_reserve;
    void (*commit)(struct lttng_ust_ring_buffer_ctx *) = ops->event_commit;
    void (*write)(struct lttng_ust_ring_buffer_ctx *, const void *, size_t, size_t) = ops->event_write;
    (void)run_filter, (void)send, (void)reserve, (void)commit, (void)write;
}

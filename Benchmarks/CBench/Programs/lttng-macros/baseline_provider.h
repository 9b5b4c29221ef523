// SPDX-License-Identifier: MIT
// The yardstick: LTTng-UST's own macros, with the fields of our events. Needs liblttng-ust-dev.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER rerender_baseline
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./baseline_provider.h"

#if !defined(BASELINE_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BASELINE_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

#include "baseline.h"

LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    rerender_baseline, generic,
    LTTNG_UST_TP_ARGS(uint64_t, id, const char *, name, const char *, message, const char *, scope),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, signpost_id, id) lttng_ust_field_string(name, name)
                            lttng_ust_field_string(message, message) lttng_ust_field_string(scope, scope)))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(rerender_baseline, generic, rerender_baseline, generic_begin,
                                    LTTNG_UST_TP_ARGS(uint64_t, id, const char *, name, const char *, message,
                                                      const char *, scope))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(rerender_baseline, generic, rerender_baseline, generic_end,
                                    LTTNG_UST_TP_ARGS(uint64_t, id, const char *, name, const char *, message,
                                                      const char *, scope))

LTTNG_UST_TRACEPOINT_EVENT(rerender_baseline, body_begin,
                           LTTNG_UST_TP_ARGS(uint64_t, id, const char *, name, const char *, file, uint32_t, line,
                                             const char *, parent, uint64_t, instance),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, signpost_id, id)
                                                   lttng_ust_field_string(name, name) lttng_ust_field_string(file, file)
                                                       lttng_ust_field_integer(uint32_t, line, line)
                                                           lttng_ust_field_string(parent, parent)
                                                               lttng_ust_field_integer(uint64_t, instance, instance)))
LTTNG_UST_TRACEPOINT_EVENT(
    rerender_baseline, body_end,
    LTTNG_UST_TP_ARGS(uint64_t, id, const char *, name, const char *, reason, uint64_t, body_ns, uint64_t, total_ns,
                      uint8_t, wasted, uint64_t, turn, uint64_t, count, const struct baseline_evaluation *, e),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint64_t, signpost_id, id) lttng_ust_field_string(name, name)
            lttng_ust_field_string(reason, reason) lttng_ust_field_integer(uint64_t, body_ns, body_ns)
                lttng_ust_field_integer(uint64_t, total_ns, total_ns) lttng_ust_field_integer(uint8_t, wasted, wasted)
                    lttng_ust_field_integer(uint64_t, turn, turn) lttng_ust_field_integer(uint64_t, count, count)
                        lttng_ust_field_integer(uint32_t, epoch, e->epoch) lttng_ust_field_string(store, e->store)
                            lttng_ust_field_integer(uint32_t, store_id, e->store_id)
                                lttng_ust_field_integer(uint64_t, instance, e->instance)
                                    lttng_ust_field_integer(uint32_t, instances, e->instances)
                                        lttng_ust_field_integer(uint8_t, attribution, e->attribution)
                                            lttng_ust_field_integer(uint8_t, kind, e->kind)
                                                lttng_ust_field_string(writers, e->writers)
                                                    lttng_ust_field_string(chain, e->chain)
                                                        lttng_ust_field_integer(uint8_t, pass, e->pass)))

#endif
#include <lttng/tracepoint-event.h>

// SPDX-License-Identifier: MIT
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "baseline_provider.h"

#include "baseline.h"

#define EMIT(event, ...) lttng_ust_tracepoint(rerender_baseline, event, __VA_ARGS__)

int baseline_is_on(void) {
    return lttng_ust_tracepoint_enabled(rerender_baseline, generic_begin) &&
           lttng_ust_tracepoint_enabled(rerender_baseline, generic_end) &&
           lttng_ust_tracepoint_enabled(rerender_baseline, body_begin) &&
           lttng_ust_tracepoint_enabled(rerender_baseline, body_end);
}

void baseline_generic_begin(uint64_t id, const char *name, const char *message, const char *scope) {
    EMIT(generic_begin, id, name, message, scope);
}

void baseline_generic_end(uint64_t id, const char *name, const char *message, const char *scope) {
    EMIT(generic_end, id, name, message, scope);
}

void baseline_body_begin(uint64_t id, const char *name, const char *file, uint32_t line, const char *parent,
                         uint64_t instance) {
    EMIT(body_begin, id, name, file, line, parent, instance);
}

void baseline_body_end(uint64_t id, const char *name, const char *reason, uint64_t body_ns, uint64_t total_ns,
                       uint8_t wasted, uint64_t turn, uint64_t count, const struct baseline_evaluation *evaluation) {
    EMIT(body_end, id, name, reason, body_ns, total_ns, wasted, turn, count, evaluation);
}

void baseline_generic_pair(uint64_t count, const char *name, const char *message, const char *scope) {
    for (uint64_t i = 0; i < count; i++) {
        EMIT(generic_begin, i, name, message, scope);
        EMIT(generic_end, i, name, message, scope);
    }
}

void baseline_body_pair(uint64_t count, const char *name, const char *file, uint32_t line, const char *parent,
                        const char *reason) {
    // An empty text is one space in our events (emit.c says why).
    const struct baseline_evaluation evaluation = {
        .epoch = 1, .instances = 1, .instance = 1, .store = "bench", .writers = " ", .chain = " "};
    for (uint64_t i = 0; i < count; i++) {
        EMIT(body_begin, i, name, file, line, parent, 1);
        EMIT(body_end, i, name, reason, 1000, 2000, 1, 7, i, &evaluation);
    }
}

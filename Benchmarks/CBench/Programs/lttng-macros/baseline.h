// SPDX-License-Identifier: MIT
// What the yardstick exports: one event a call, and whole loops (so that no call of ours is in the measured time).
#ifndef RERENDER_BASELINE_H
#define RERENDER_BASELINE_H

#include <stdint.h>

/// What an evaluation's end says besides; the macros take ten arguments at most.
struct baseline_evaluation {
    uint32_t epoch, store_id, instances;
    uint64_t instance;
    uint8_t attribution, kind, pass;
    const char *store, *writers, *chain;
};

/// Whether a session records all four events.
int baseline_is_on(void);

void baseline_generic_begin(uint64_t id, const char *name, const char *message, const char *scope);
void baseline_generic_end(uint64_t id, const char *name, const char *message, const char *scope);
void baseline_body_begin(uint64_t id, const char *name, const char *file, uint32_t line, const char *parent,
                         uint64_t instance);
void baseline_body_end(uint64_t id, const char *name, const char *reason, uint64_t body_ns, uint64_t total_ns,
                       uint8_t wasted, uint64_t turn, uint64_t count, const struct baseline_evaluation *evaluation);

/// One begin and one end, `count` times, through the inlined macros.
void baseline_generic_pair(uint64_t count, const char *name, const char *message, const char *scope);
void baseline_body_pair(uint64_t count, const char *name, const char *file, uint32_t line, const char *parent,
                        const char *reason);

#endif

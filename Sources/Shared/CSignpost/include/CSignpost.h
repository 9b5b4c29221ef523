// SPDX-License-Identifier: MIT
// Signposts as LTTng-UST tracepoints whose providers are made at run time, under any SUBSYSTEM.CATEGORY name.
#ifndef CSIGNPOST_H
#define CSIGNPOST_H

#include <stddef.h>
#include <stdint.h>

/// A provider and its tracepoints. Made once per name and process; lives for ever.
struct csignpost_provider;

/// The tracepoints of a provider.
enum { CSIGNPOST_BEGIN, CSIGNPOST_END, CSIGNPOST_EVENT, CSIGNPOST_KINDS };

/// The fields that a provider's events carry (shapes.h).
enum {
    CSIGNPOST_GENERIC,
    CSIGNPOST_BODY_EVAL,
    CSIGNPOST_WRITE,
    CSIGNPOST_TURN,
    CSIGNPOST_HANG,
    CSIGNPOST_PHASE,
    CSIGNPOST_VIEW,
    CSIGNPOST_SHAPES
};

/// Why there is no provider.
enum {
    CSIGNPOST_OK,
    CSIGNPOST_BAD_NAME,    ///< empty, an empty part, over 249 bytes, or a character that LTTng gives a meaning
    CSIGNPOST_RESERVED,    ///< a name of Rerender's own, with another shape than Rerender's
    CSIGNPOST_OTHER_SHAPE, ///< the name exists with other fields
    CSIGNPOST_TOO_MANY,    ///< CSIGNPOST_MAX_PROVIDERS exist
    CSIGNPOST_NO_MEMORY
};

/// A process has as many providers as it has categories, a handful: this many are a leak of names.
enum { CSIGNPOST_MAX_PROVIDERS = 1024 };

/// Finds or makes the provider of this name. Any thread; takes no lock and waits for nothing: the first call of a
/// process starts a thread that loads LTTng, until then the tracepoints are off. NULL with the reason in *error.
struct csignpost_provider *_Nullable csignpost_provider_make(const char *_Nonnull name, int shape,
                                                             int *_Nullable error);

/// The name it was made with.
const char *_Nonnull csignpost_name(const struct csignpost_provider *_Nonnull provider);

/// The address, valid for ever, of the number that says whether anyone records this tracepoint.
const int *_Nonnull csignpost_state(const struct csignpost_provider *_Nonnull provider, int kind);

/// Whether anyone records: one load.
static inline __attribute__((always_inline)) int csignpost_is_on(const int *_Nonnull state) {
    return __builtin_expect(__atomic_load_n(state, __ATOMIC_RELAXED), 0);
}

// Emitting. Any thread, no lock. Texts are copied, need no terminator, end at a NUL byte if they hold one, and are
// recorded as one space if they are empty (emit.c says why).
// Nothing happens where nobody records, in a forked child, and when the provider has another shape.

/// Where begin and end of a generic signpost match; recorded as "thread", "process", "system".
enum { CSIGNPOST_THREAD, CSIGNPOST_PROCESS, CSIGNPOST_SYSTEM, CSIGNPOST_SCOPES };

void csignpost_emit(const struct csignpost_provider *_Nonnull provider, int kind, uint64_t id,
                    const char *_Nullable name, size_t name_len, const char *_Nullable message, size_t message_len,
                    int scope);

void csignpost_emit_body_begin(const struct csignpost_provider *_Nonnull provider, uint64_t id,
                               const char *_Nullable name, size_t name_len, const char *_Nullable file, size_t file_len,
                               uint32_t line, const char *_Nullable parent, size_t parent_len);

/// A text that is lent for a call; no bytes is the empty one.
struct csignpost_text {
    const char *_Nullable bytes;
    size_t length;
};

/// An evaluation that has ended: the fields of `com.rerender.BodyEval:end` that follow its number, view and reason.
struct csignpost_evaluation {
    uint64_t body_ns, total_ns, turn, count, instance;
    uint32_t epoch, store_id, instances;
    uint8_t wasted, attribution, kind;
    struct csignpost_text store, writers, chain;
};

void csignpost_emit_body_end(const struct csignpost_provider *_Nonnull provider, uint64_t id,
                             const char *_Nullable name, size_t name_len, const char *_Nullable reason,
                             size_t reason_len, const struct csignpost_evaluation *_Nonnull evaluation);

/// What changed a view's numbers outside of its evaluations: the fields of `com.rerender.View:event` that follow its name
/// and what happened. `kinds` are wasted evaluations by kind.
struct csignpost_view {
    uint64_t instance, commits, measured, wasted_ns, kinds[6];
    uint32_t store_id, epoch, instances;
    struct csignpost_text store;
};

void csignpost_emit_view(const struct csignpost_provider *_Nonnull provider, const char *_Nullable name,
                         size_t name_len, const char *_Nonnull message, size_t message_len,
                         const struct csignpost_view *_Nonnull view);

/// A write that invalidated `views` views: a moment, so it has no number.
void csignpost_emit_write(const struct csignpost_provider *_Nonnull provider, const char *_Nullable name,
                          size_t name_len, const char *_Nullable writer, size_t writer_len, uint32_t views);

/// A phase of a turn of a render loop.
void csignpost_emit_phase(const struct csignpost_provider *_Nonnull provider, int kind, uint64_t signpost_id,
                          const char *_Nonnull name, size_t name_len, uint64_t turn);

/// A turn of the main loop; its name is "turn" and its number the turn's, so that a trace needs no state to pair them.
void csignpost_emit_turn_begin(const struct csignpost_provider *_Nonnull provider, uint64_t turn);
void csignpost_emit_turn_end(const struct csignpost_provider *_Nonnull provider, uint64_t turn, uint64_t evaluations);

/// A hang of another process's main loop; `name` is the blamed view's key.
void csignpost_emit_hang_begin(const struct csignpost_provider *_Nonnull provider, uint64_t id,
                               const char *_Nullable name, size_t name_len, const char *_Nullable last_rendered,
                               size_t last_rendered_len, uint32_t pid, const char *_Nullable attribution,
                               size_t attribution_len, const char *_Nullable verdict, size_t verdict_len);
void csignpost_emit_hang_end(const struct csignpost_provider *_Nonnull provider, uint64_t id,
                             const char *_Nullable name, size_t name_len, const char *_Nullable last_rendered,
                             size_t last_rendered_len, uint32_t pid, const char *_Nullable attribution,
                             size_t attribution_len, const char *_Nullable verdict, size_t verdict_len,
                             uint64_t duration_ns);

/// How many of the latest intervals it is known of whether they have ended: 32 KiB, and more than are open at a time.
enum { CSIGNPOST_LEDGER_SIZE = 4096 };

/// Numbers an interval that begins. Any thread, no lock.
uint64_t csignpost_ledger_open(void);
/// Notes that it ends. 0 if it is known to have ended before.
int csignpost_ledger_close(uint64_t serial);

enum { CSIGNPOST_READY, CSIGNPOST_NO_LIBRARY, CSIGNPOST_TIMED_OUT };

/// Starts the loading if need be and waits, at most `timeout_ms`, until LTTng is loaded, its session daemons have told
/// what they record (or none runs), and every provider made before this call is registered. Then each event of an
/// active session is recorded. CSIGNPOST_TIMED_OUT also when LTTNG_UST_REGISTER_TIMEOUT passed without an answer.
int csignpost_wait_until_ready(int timeout_ms);

/// What became of LTTng in this process; for diagnosis.
struct csignpost_status {
    enum { CSIGNPOST_NOT_TRIED, CSIGNPOST_LOADING, CSIGNPOST_MISSING, CSIGNPOST_LOADED } library;
    int answered;       ///< the session daemons answered in time, or none runs
    unsigned providers; ///< made
    unsigned refused;   ///< asked for and not made, or not accepted by LTTng
    unsigned dropped;   ///< events not recorded for lack of memory
    char path[256];     ///< the library's file, or why there is none
};
struct csignpost_status csignpost_status(void);

#endif

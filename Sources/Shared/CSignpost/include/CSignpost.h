// SPDX-License-Identifier: MIT
// Signposts as LTTng-UST tracepoints whose providers are made at run time, under any SUBSYSTEM.CATEGORY name.
#ifndef CSIGNPOST_H
#define CSIGNPOST_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// A provider and its tracepoints. Made once per name and process; lives for ever.
struct csignpost_provider;

/// The tracepoints of a provider.
enum { CSIGNPOST_BEGIN, CSIGNPOST_END, CSIGNPOST_EVENT, CSIGNPOST_KINDS };

/// The fields that a provider's events carry (events.h).
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

/// The name of the provider of a shape of Rerender's own; NULL for the generic shape.
const char *_Nullable csignpost_reserved_name(int shape);

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
// Does nothing while no session records, and in a forked child.

/// The value of a field: a number, or a text that is lent for the call. No address is the empty text.
struct csignpost_value {
    uint64_t number; ///< of a text, its length in bytes
    const char *_Nullable text;
};

/// Emits an event with a value for each field of the provider's shape (events.h). With another count it emits
/// nothing, and counts that in `csignpost_status`.
void csignpost_emit(const struct csignpost_provider *_Nonnull provider, int kind,
                    const struct csignpost_value *_Nonnull values, size_t count);

/// The name of a field, NULL after the last; for tests that compare readers of traces with this writer.
const char *_Nullable csignpost_field(int shape, int kind, size_t index);

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
    int answered;        ///< the session daemons answered in time, or none runs
    unsigned providers;  ///< made
    unsigned refused;    ///< asked for and not made, or not accepted by LTTng
    unsigned dropped;    ///< events not recorded for lack of memory
    unsigned mismatched; ///< events not recorded: they had another number of values than fields
    char path[256];      ///< the library's file, or why it is missing
};
struct csignpost_status csignpost_status(void);

#pragma GCC visibility pop

#endif

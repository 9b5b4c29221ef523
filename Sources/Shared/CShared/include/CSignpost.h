// SPDX-License-Identifier: MIT
// Signposts as LTTng-UST tracepoints whose providers are made at run time, under any SUBSYSTEM.CATEGORY name.
#ifndef CSIGNPOST_H
#define CSIGNPOST_H

#include <stddef.h>
#include <stdint.h>

#include "event_table.h"

#pragma GCC visibility push(hidden)

/// A provider and its tracepoints. Made once per name and process; lives for ever.
struct csignpost_provider;

/// The tracepoints of a provider.
enum { CSIGNPOST_BEGIN, CSIGNPOST_END, CSIGNPOST_EVENT, CSIGNPOST_KINDS };

/// The fields that a provider's events carry (event_table.h).
enum {
    CSIGNPOST_GENERIC,
    CSIGNPOST_BODY_EVAL,
    CSIGNPOST_WRITE,
    CSIGNPOST_TURN,
    CSIGNPOST_HANG,
    CSIGNPOST_PHASE,
    CSIGNPOST_VIEW,
    CSIGNPOST_STORE,
    CSIGNPOST_LOOP,
    CSIGNPOST_PART,
    CSIGNPOST_STRETCH,
    CSIGNPOST_LOOP_ROW,
    CSIGNPOST_FACT,
    CSIGNPOST_THREADS,
    CSIGNPOST_WORK,
    CSIGNPOST_CYCLE,
    CSIGNPOST_SHAPES,
    CSIGNPOST_CONTEXT = CSIGNPOST_SHAPES ///< what LTTng adds to the events of all; for `csignpost_field`, as an event
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

/// Finds or makes the provider of this name. Any thread; takes no lock and waits for nothing. NULL with the reason in *error.
///
/// A new one starts a thread that loads LTTng, for a shape of Rerender's own only where a session daemon is. Until then the
/// tracepoints are off.
struct csignpost_provider *_Nullable csignpost_provider_make(const char *_Nonnull name, int shape,
                                                             int *_Nullable error);

/// The name of the provider of a shape of Rerender's own; NULL for the generic shape.
const char *_Nullable csignpost_reserved_name(int shape);

/// The address, valid for ever, of the number that says whether anyone records this tracepoint.
const int *_Nonnull csignpost_state(const struct csignpost_provider *_Nonnull provider, int kind);

/// Whether anyone records: one load.
static inline __attribute__((always_inline)) int csignpost_is_on(const int *_Nonnull state) {
    return __builtin_expect(__atomic_load_n(state, __ATOMIC_RELAXED), 0);
}

// Events. Each has a struct to emit it, `csignpost_NAME`, and one to read it, `csignpost_read_NAME`, with the fields of
// event_table.h by name.

/// A text that is lent for the call that emits it. Needs no terminator, and ends at a NUL byte if it holds one.
struct csignpost_text {
    uintptr_t address; ///< of its bytes; a number, so that Swift may keep it in safe code. 0 is the empty text.
    size_t length;     ///< in bytes
};

/// A text that was read, by the number that its reader gave it.
typedef uint32_t csignpost_text_id __attribute__((swift_wrapper(struct)));

#define CS_C_TEXT(text) text
#define CS_C_U8(text) uint8_t
#define CS_C_U32(text) uint32_t
#define CS_C_U64(text) uint64_t
#define CS_C_WASTED CS_C_U8
#define CS_C_WASTE_KIND CS_C_U8
#define CS_C_ATTRIBUTION CS_C_U8
#define CS_C_STORE_KIND CS_C_U8
#define CS_C_ROW_KIND CS_C_U8
#define CS_C_FACT_KIND CS_C_U8
#define CS_C_INPUT_KIND CS_C_U8
#define CS_C_WORK_KIND CS_C_U8
#define CS_C_HANG_ATTRIBUTION CS_C_U8
#define CS_C_HANG_VERDICT CS_C_U8
#define CS_WRITTEN(type, name, absent) CS_C_##type(struct csignpost_text) name;
#define CS_READ(type, name, absent) CS_C_##type(csignpost_text_id) name;
#define CS_STRUCT(FIELDS, NAME) \
    struct csignpost_##NAME { \
        FIELDS(CS_WRITTEN) \
    }; \
    struct csignpost_read_##NAME { \
        FIELDS(CS_READ) \
    };
CS_STRUCTS(CS_STRUCT)

// Emitting. Any thread, no lock. Texts are copied, and recorded as one space if they are empty (emit.c says why).
// Does nothing while no session records, and in a forked child.

/// Emits an event of a signposter.
void csignpost_emit(const struct csignpost_generic *_Nonnull event, const struct csignpost_provider *_Nonnull provider,
                    int kind) __attribute__((swift_name("csignpost_generic.emit(self:_:_:)")));

#define CS_EMIT_BEGIN emitBegin
#define CS_EMIT_END emitEnd
#define CS_EMIT_EVENT emit
#define CS_STRING(text) #text
#define CS_METHOD(type, method) __attribute__((swift_name(CS_STRING(type.method(self:)))))
#define CS_EMITTER(shape, kind, FIELDS, NAME) \
    void csignpost_emit_##shape##_##kind(const struct csignpost_##NAME *_Nonnull event) \
        CS_METHOD(csignpost_##NAME, CS_EMIT_##kind);
/// Emits one of Rerender's own events, which names its provider. Nothing happens before the provider is made.
CS_OWN_EVENTS(CS_EMITTER)

/// What a reader takes for a field that a recording does not have.
enum { CSIGNPOST_NEEDED, CSIGNPOST_ZERO, CSIGNPOST_ONES };

/// A field of an event, and its place in the struct `csignpost_read_NAME`.
struct csignpost_field {
    const char *_Nullable name; ///< NULL after the last
    size_t offset;
    size_t size; ///< in bytes
    int is_text;
    int absent; ///< CSIGNPOST_NEEDED, …
};
struct csignpost_field csignpost_field(int shape, int kind, size_t index);

/// The label of a number of a field that is an enumeration; NULL for another field, and for a number that it does not have.
const char *_Nullable csignpost_label(int shape, int kind, size_t index, unsigned number);

/// No event has more. Two have 24.
enum { CSIGNPOST_MAX_FIELDS = 32 };

/// How many of the latest intervals it is known of whether they have ended: 32 KiB, and more than are open at a time.
enum { CSIGNPOST_LEDGER_SIZE = 4096 };

/// Numbers an interval that begins. Any thread, no lock.
uint64_t csignpost_ledger_open(void);
/// Notes that it ends. 0 if it is known to have ended before.
int csignpost_ledger_close(uint64_t serial);

/// Has LTTng loaded, on a thread of its own, also where no session daemon is. Any thread, waits for nothing.
void csignpost_load(void);

/// Has LTTng loaded, on a thread of its own, if it was not tried and a session daemon has come. Some system calls on files, which wait
/// as long as the user's home does.
void csignpost_look(void);

/// Whether one of these directories has the socket of a session daemon. One that was killed may have left it.
///
/// `root` is that of root's. `app_path` is LTTNG_UST_APP_PATH, up to a colon. `home` is LTTNG_HOME or HOME, which has it in `.lttng`.
int csignpost_finds_session_daemon(const char *_Nonnull root, const char *_Nullable app_path,
                                   const char *_Nullable home);

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
    char path[256];     ///< the library's file, or why it is missing
};
struct csignpost_status csignpost_status(void);

#pragma GCC visibility pop

#endif

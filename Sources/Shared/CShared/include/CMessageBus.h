// SPDX-License-Identifier: MIT
// D-Bus through libsystemd, loaded at run time; and the signal that bounds real-time threads.
#ifndef CMESSAGEBUS_H
#define CMESSAGEBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Why a call failed, as text that ends with 0; empty if it did not. Text of another process: print it with care.
struct cmessagebus_fault {
    char text[256];
};

enum cmessagebus_which { CMESSAGEBUS_SYSTEM, CMESSAGEBUS_SESSION };

/// A connection, for one thread at a time.
struct cmessagebus;

/// Connects; NULL with a fault where that fails. This and all later calls on the connection wait at most `milliseconds`
/// together, and fail then; at most a minute.
struct cmessagebus *_Nullable cmessagebus_open(enum cmessagebus_which which, uint64_t milliseconds,
                                               struct cmessagebus_fault *fault);
/// Closes it without waiting for anything.
void cmessagebus_close(struct cmessagebus *bus);

/// A property of rtkit of D-Bus type x (64 bits) or i (32 bits).
bool cmessagebus_rtkit_property(struct cmessagebus *bus, const char *name, char type, int64_t *value,
                                struct cmessagebus_fault *fault);

enum cmessagebus_request { CMESSAGEBUS_REALTIME, CMESSAGEBUS_NICE };

/// Asks rtkit for a real-time priority or a nice value for the calling thread.
bool cmessagebus_rtkit_ask(struct cmessagebus *bus, enum cmessagebus_request request, int32_t value,
                           struct cmessagebus_fault *fault);

/// Shows a desktop notification. The texts end with 0 and are UTF-8; `body` may be read as markup.
bool cmessagebus_notify(struct cmessagebus *bus, const char *app, const char *summary, const char *body,
                        struct cmessagebus_fault *fault);

/// Lowers RLIMIT_RTTIME to this, for good; never raises it. 0 or an error number.
///
/// Makes the calling thread an ordinary one when the kernel says (SIGXCPU) that it used up this time; without it the
/// process would be killed. For one thread of a process.
int cmessagebus_limit_rttime(uint64_t microseconds);
/// Whether that has happened.
bool cmessagebus_was_demoted(void);

#pragma GCC visibility pop
#pragma clang assume_nonnull end
#endif

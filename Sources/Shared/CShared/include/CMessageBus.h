// SPDX-License-Identifier: MIT
// rtkit over D-Bus, the signal that bounds real-time threads, and notifications.
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

/// Asks rtkit on the system bus for a real-time priority for the calling thread: `priority` at most, or what rtkit grants. Limits the run
/// time as ``cmessagebus_limit_rttime`` does, to `microseconds` at most. Waits a second at most for each of three answers, and for a
/// bus that takes the connection and does not greet as long as libsystemd does.
bool cmessagebus_ask_rtkit(int32_t priority, int64_t microseconds, struct cmessagebus_fault *fault);

/// Lowers RLIMIT_RTTIME to this, for good; never raises it. 0 or an error number.
///
/// Makes the calling thread an ordinary one when the kernel says (SIGXCPU) that it used up this time; without it the
/// process would be killed. For one thread of a process.
int cmessagebus_limit_rttime(uint64_t microseconds);
/// Whether that has happened.
bool cmessagebus_was_demoted(void);

/// Shows a desktop notification by notify-send, and waits for its end. The texts end with 0 and are UTF-8. notify-send reads escapes
/// in `body` as C does, and the desktop may read markup. Returns the status as waitpid() has it, or a negative error number if it
/// cannot be started.
int cmessagebus_notify(const char *summary, const char *body);

#pragma GCC visibility pop
#pragma clang assume_nonnull end
#endif

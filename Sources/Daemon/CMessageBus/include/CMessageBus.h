// SPDX-License-Identifier: MIT
// D-Bus through libsystemd, loaded at run time; and calls on threads that Swift's Glibc module lacks.
#ifndef CMESSAGEBUS_H
#define CMESSAGEBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Why a call failed, as text that ends with 0; empty if it did not. Text of another process: print it with care.
struct cmessagebus_fault {
    char text[256];
};

enum cmessagebus_which { CMESSAGEBUS_SYSTEM, CMESSAGEBUS_SESSION };

/// A connection, for one thread at a time.
struct cmessagebus;

/// Whether libsystemd can be loaded. It stays loaded.
bool cmessagebus_is_available(void);

/// Connects; NULL with a fault where that fails. This and all later calls on the connection wait at most `milliseconds`
/// together, and fail then; at most a minute.
struct cmessagebus *_Nullable cmessagebus_open(enum cmessagebus_which which, uint64_t milliseconds,
                                               struct cmessagebus_fault *fault);
/// Closes it without waiting for anything.
void cmessagebus_close(struct cmessagebus *bus);

/// What rtkit grants at most.
struct cmessagebus_rtkit {
    int64_t max_rttime_microseconds;
    int32_t max_priority;
    int32_t min_nice;
};
bool cmessagebus_rtkit_limits(struct cmessagebus *bus, struct cmessagebus_rtkit *limits,
                              struct cmessagebus_fault *fault);
/// Asks rtkit for real-time priority for the calling thread.
bool cmessagebus_rtkit_realtime(struct cmessagebus *bus, uint32_t priority, struct cmessagebus_fault *fault);
/// Asks rtkit for a nice value for the calling thread.
bool cmessagebus_rtkit_nice(struct cmessagebus *bus, int32_t nice, struct cmessagebus_fault *fault);

/// Shows a desktop notification. The texts end with 0 and are UTF-8; `body` may be read as markup.
bool cmessagebus_notify(struct cmessagebus *bus, const char *app, const char *summary, const char *body,
                        struct cmessagebus_fault *fault);

/// The calling thread's scheduling: what the kernel says and not what was asked for.
struct cmessagebus_scheduling {
    int32_t realtime_priority; ///< 0 if it has none.
    int32_t nice;
};
struct cmessagebus_scheduling cmessagebus_scheduling(void);
/// SCHED_RR for the calling thread; what it starts does not inherit it. 0 or an error number.
int cmessagebus_set_realtime(int32_t priority);
/// The calling thread's nice value. 0 or an error number.
int cmessagebus_set_nice(int32_t nice);

/// RLIMIT_RTPRIO: the real-time priority that the process may take.
uint64_t cmessagebus_limit_rtprio(void);
/// RLIMIT_NICE: 20 allows the nice value 0, 40 allows -20.
uint64_t cmessagebus_limit_nice(void);
/// Lowers RLIMIT_RTTIME to this, for good; never raises it. 0 or an error number.
int cmessagebus_limit_rttime(uint64_t microseconds);

/// Makes the calling thread an ordinary one when the kernel says (SIGXCPU) that it used up the time that RLIMIT_RTTIME
/// gives to real-time threads; without it the process would be killed. Once per process. 0 or an error number.
int cmessagebus_guard_rttime(void);
/// Whether that has happened.
bool cmessagebus_was_demoted(void);

#pragma clang assume_nonnull end
#endif

// SPDX-License-Identifier: MIT
// What an attach calls in a program that runs, and what it gave.

#include "crerender_inject.h"
#include "parts.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

/// The directory of the daemon that an attach named. A second attach names the same one, or is refused.
static char attached[PATH_MAX];
static atomic_bool is_attached;
static const char *(*_Atomic answer)(void);

/// The directory that an attach named; null where none has. The environment of a program that runs is its own: threads read it.
///
/// - Parameter answers: Called at each further attach: looks for the daemon once more, or tells why that is not done. Null changes nothing.
__attribute__((visibility("default"))) const char *rerender_preload_given(const char *(*answers)(void)) {
    if (answers) atomic_store(&answer, answers);
    return atomic_load(&is_attached) ? attached : NULL;
}

static void attach(const char *directory) {
    if (atomic_load(&is_attached)) {
        char text[2 * PATH_MAX];
        snprintf(text, sizeof text, "it was attached to before, and looks for its daemon in %s", attached);
        const char *(*ask)(void) = atomic_load(&answer);
        const char *why = strcmp(attached, directory) != 0 ? text : ask ? ask() : NULL;
        if (why) crerender_report_in(directory, "refused", why);
    }
    if (getauxval(AT_SECURE)) crerender_report_in(directory, "refused", "it began with other rights than its user's");
    // One that was started with this library is counted already, by a daemon that its environment names.
    if (!preload_may_begin_late()) return;
    snprintf(attached, sizeof attached, "%s", directory);
    atomic_store(&is_attached, true);
    preload_begin_late();
}

/// What an attach has the main thread call, about to wait in its loop. All signals are blocked but those of faults and one that the tracer
/// takes: then it stops the thread where this returns.
__attribute__((visibility("default"))) void rerender_preload_attach(const char *directory) {
    attach(directory);
    raise(SIGURG);
}

// SPDX-License-Identifier: MIT
// A table of descriptors of our own. A host that closes what it does not know, as code does that daemonises or sandboxes, then
// closes nothing of ours; and no number of ours ever means a file of the host's.
#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

#include <stdbool.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Runs `body(context)` on a thread that has the table, and returns when it has. Any thread; two switches between threads, some
/// 10 microseconds. The first call starts the thread. Threads that the body makes have the table, too.
///
/// False, without running it: in a forked child, and where the kernel gives no table of our own. The body must not wait for the
/// caller's other threads, nor call code of the host's.
bool cdescriptors_run(void (*body)(void *_Nullable context), void *_Nullable context);

/// Has what the calling thread asks for done beside what the host's threads ask for. For threads of ours.
void cdescriptors_work_apart(void);

/// Whether the calling thread's table has room for so many. Takes none, and some microseconds for each 100 that are open. A thread that
/// takes the last ones at this moment is not seen.
bool cdescriptors_have_room(unsigned count);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

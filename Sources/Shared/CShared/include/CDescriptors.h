// SPDX-License-Identifier: MIT
// A table of descriptors of our own. A host that closes what it does not know, as code does that daemonises or sandboxes, then
// closes nothing of ours; and no number of ours ever means a file of the host's.
#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Runs `body(context)` on a thread that has the table, and returns when it has. Any thread; two switches between threads, some
/// 10 microseconds. The first call starts the thread. Threads that the body makes have the table, too.
///
/// False, without running it: in a forked child, where the kernel gives no table of our own, and where the host's memory was too tight
/// for threads of ours when the first call was made. The body must not wait for the
/// caller's other threads, nor call code of the host's.
bool cdescriptors_run(void (*body)(void *_Nullable context), void *_Nullable context);

/// Has what the calling thread asks for done beside what the host's threads ask for. For threads of ours.
void cdescriptors_work_apart(void);

/// Whether the calling thread's table has room for so many. Takes none, and some microseconds for each 100 that are open. A thread that
/// takes the last ones at this moment is not seen.
bool cdescriptors_have_room(unsigned count);

/// Whether the process's limits of address space and of data leave so many times what all our threads and LTTng take: 512 MiB and 32 MiB.
/// True where there are no such limits, which costs two system calls; else also false where there is no table of our own.
///
/// Where it is false, no thread of ours must be started: what it allocates would be missing to the host, and Swift ends a process that can
/// allocate nothing. The first thread asks for two times, so that the host keeps as much; later ones for one.
bool cdescriptors_have_memory(unsigned times);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// A descriptor that goes with the first bytes of a connection (SCM_RIGHTS), as an app hands its flight page to the daemon.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Sends bytes on a Unix socket, and a descriptor with them; raises no signal. Returns what `send(2)` returns. Where the descriptor
/// cannot be sent (`ETOOMANYREFS`), the bytes go alone.
ssize_t chandover_send(int socket, const void *bytes, size_t count, int descriptor);

/// The descriptor that comes with the bytes that wait at a Unix socket, or -1. The bytes stay, the descriptor is the caller's to
/// close, and never more than one is opened. Does not wait.
int chandover_receive(int socket);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

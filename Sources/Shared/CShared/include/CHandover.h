// SPDX-License-Identifier: MIT
// A descriptor that goes with the first bytes of a connection (SCM_RIGHTS), as an app hands its flight page to the daemon.
#ifndef CHANDOVER_H
#define CHANDOVER_H

#include <stddef.h>
#include <sys/types.h>

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

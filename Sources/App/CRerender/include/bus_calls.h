// SPDX-License-Identifier: MIT
// Calls over D-Bus that wait for their answers, and whom they are for.
#ifndef CRERENDER_BUS_CALLS_H
#define CRERENDER_BUS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Has the names of peers noted while programs wait for them by GIO's functions, if GIO is in the process; again for files that were
/// loaded since. On a thread that may wait for the loader; one caller at a time.
void crerender_hook_bus_calls(void);

/// The name of the peer that a thread began to wait for last, closed by NUL, and the address that the call returns to: it is the call
/// that the thread is in if its stack has that address. False if none is known. Any thread.
bool crerender_bus_peer(pid_t thread, char *name, size_t room, uintptr_t *caller);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// What ends a wait of the uplink's thread. Other threads tell it by a word in memory, and not by a descriptor: it has none, because
// its table is the host's. What happens to our descriptors is seen by a thread that has our table.
#ifndef CRERENDER_EVENTS_H
#define CRERENDER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

enum {
    /// Another thread has something for the uplink's.
    CRERENDER_WOKEN = 1,
    /// The connection is ready for what it was watched for.
    CRERENDER_LINK_READY = 2,
    /// The directory of the daemon's socket has changed.
    CRERENDER_DIRECTORY_CHANGED = 4,
    /// A turn of the main loop lasts long.
    CRERENDER_TURN_LASTS = 8,
};

/// Tells events. Any thread; one system call if the uplink's thread waits, none otherwise.
void crerender_tell(uint32_t events);
/// Takes what was told, at the latest when the monotonic clock has reached `deadline`, in nanoseconds; 0 for no deadline. One
/// thread, the uplink's.
uint32_t crerender_take_events(uint64_t deadline);

/// The daemon's directory that `rerenderctl attach` gave this process, whose environment is the program's own; null elsewhere. The text
/// lasts for ever. A later attach tells that the directory has changed, so that nothing needs to watch it.
const char *_Nullable crerender_given_directory(void);

/// Says that the uplink has done its last work.
void crerender_tell_finished(void);
/// Waits for that until the deadline. Signals do not end the wait.
void crerender_wait_until_finished(uint64_t deadline);

/// Starts the thread that sees descriptors, and makes the timer of long turns. Where our table is, see `CDescriptors.h`.
bool crerender_start_watcher(void);
/// Ends that thread, for good. Where our table is; the descriptors that it watched must be closed before.
void crerender_stop_watcher(void);
/// Has a descriptor watched until it is ready for one of the `epoll_event` flags, then tells `event` once. Where our table is.
bool crerender_watch(int descriptor, uint32_t flags, uint32_t event);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

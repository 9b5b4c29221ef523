// SPDX-License-Identifier: MIT
// Reaches the main loops that a process may have, without linking any of them.
#ifndef CRERENDER_LOOPS_H
#define CRERENDER_LOOPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

enum { CRERENDER_GLIB, CRERENDER_CFRUNLOOP };
/// What a loop does. GLib tells of its waits only. In the order of the cases of `LoopState.Edge`.
enum { CRERENDER_ENTERED, CRERENDER_LEFT, CRERENDER_BEFORE_WAIT, CRERENDER_AFTER_WAIT };

/// Called on the loop's thread at each edge; never in a forked child.
typedef void (*crerender_edge)(int loop, int edge);

/// Whether the calling thread may look up what the program does not link, for which it may wait for the loader. At first no
/// thread may; only one of ours does, and one whose app asks for the main queue to be served.
void crerender_let_thread_wait_for_loader(bool may);
bool crerender_thread_may_wait_for_loader(void);

/// When this code was loaded, by the monotonic clock: in front of `main`, unless a library that was loaded later needed it.
uint64_t crerender_loaded_at(void);

/// How many files the loader has loaded so far. Takes the loader's lock for a moment.
uint64_t crerender_loads(void);
/// Wraps the poll function of GLib's default context, if GLib is in the process; again if the app has set another since.
/// One caller at a time.
void crerender_hook_glib(crerender_edge edge);
/// Observes the main CFRunLoop in the common modes, if CoreFoundation is in the process. One caller at a time; once.
void crerender_hook_cfrunloop(crerender_edge edge);
/// Put back what all files called, and the app's poll function where ours is, and take the observers away. What is on a queue runs as it would
/// have. Any number of times, and no hook after it.
void crerender_unhook_imports(void);
void crerender_unhook_glib(void);
void crerender_unhook_cfrunloop(void);

/// Has `CRERENDER_TURN_LASTS` told once a turn of GLib's default context has lasted for so long, and at most twice as long. It may
/// be told for a turn that is over, where the loop does not wait between two.
void crerender_set_turn_alarm(uint64_t nanoseconds);

/// Deletes the timer and ends its thread, for good. The hooks set it no more.
void crerender_stop_turn_alarm(void);

/// It was told: the next turn sets the alarm anew.
void crerender_turn_alarm_rang(void);

/// Whether the calling thread owns GLib's default context: is inside of its loop. False without GLib.
bool crerender_owns_glib(void);
/// Whether no thread is inside of the loop of GLib's default context. The context is had for nanoseconds: a loop that is started
/// at that very moment waits for it, or finds it taken. False without GLib.
bool crerender_glib_is_free(void);

enum crerender_wake_state { CRERENDER_WAKES, CRERENDER_WAKE_LOST, CRERENDER_WAKE_UNKNOWN };

/// Whether libdispatch still has the descriptor by which it wakes the main queue's thread. A host that closes descriptors which it
/// does not know closes that one, and its number may be a file's of the host's now. Makes it where there is none yet and the host has
/// descriptors left. One thread, the uplink's; 50 microseconds.
enum crerender_wake_state crerender_main_queue_wake_state(void);

/// Has `answer` called on the main queue, once it is served. False where libdispatch is not in the process.
bool crerender_ping_main_queue(void (*answer)(void));
/// The thread that serves the main queue now; 0 while none does, -1 where that cannot be told. After `dispatchMain()` it is
/// another one from time to time.
pid_t crerender_main_queue_owner(void);
/// Has libdispatch tell when its threads begin to work off queues and when they end; `ended` is called on such a thread, often.
/// False where it does not tell, or tells somebody else. Once.
bool crerender_watch_drains(void (*ended)(void));
/// Since when a thread works off queues; 0 if it does not, or if that is not known. The second is of the calling thread.
uint64_t crerender_drain_began(pid_t thread);
uint64_t crerender_own_drain_began(void);
/// Has GLib's default context serve the main queue. Does nothing if it does already; false where GLib or libdispatch is
/// not in the process.
bool crerender_serve_main_queue(void);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

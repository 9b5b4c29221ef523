// SPDX-License-Identifier: MIT
// What the hot path needs and Swift cannot express: thread-local variables, the time-stamp counter, and a few kernel
// interfaces that Glibc's module does not show.
#ifndef CRERENDER_H
#define CRERENDER_H

#include "CSymbols.h"
#include "events.h"
#include "interpreter_frames.h"
#include "main_loop.h"
#include "references.h"
#include "running.h"
#include "script_frames.h"
#include "stand_ins.h"
#include "waits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// The innermost evaluation on this thread; Rerender's own, never read by another thread.
extern _Thread_local void *_Nullable crerender_frame_slot;

static inline void *_Nullable crerender_frame(void) { return crerender_frame_slot; }
static inline void crerender_set_frame(void *_Nullable frame) { crerender_frame_slot = frame; }

/// What another copy of the library in this process asks to be told of evaluations. It is called on their threads, calls nothing
/// of this copy, and stays for ever.
struct crerender_watcher {
    /// `evaluation` is a number that no other running evaluation has; `type` is the metadata of the view's type, or that of the
    /// empty tuple where the caller of `evaluate` gave no view; `label` is the view's key, which lives as long as the call.
    void (*_Nonnull began)(const void *_Nonnull evaluation, const void *_Nonnull type, const char *_Nonnull label);
    void (*_Nonnull ended)(const void *_Nonnull evaluation);
};
extern const struct crerender_watcher *_Nullable crerender_watcher_slot;

static inline const struct crerender_watcher *_Nullable crerender_watching(void) {
    return __atomic_load_n(&crerender_watcher_slot, __ATOMIC_ACQUIRE);
}
static inline bool crerender_is_watched(void) { return __builtin_expect(crerender_watching() != NULL, 0); }
static inline void crerender_tell_began(const void *evaluation, const void *type, const char *label) {
    const struct crerender_watcher *_Nullable watcher = crerender_watching();
    if (watcher != NULL) watcher->began(evaluation, type, label);
}
static inline void crerender_tell_ended(const void *evaluation) {
    const struct crerender_watcher *_Nullable watcher = crerender_watching();
    if (__builtin_expect(watcher != NULL, 0)) watcher->ended(evaluation);
}

/// The innermost event handler, or other phase of a view, on this thread, in the same way.
extern _Thread_local void *_Nullable crerender_span_slot;

static inline void *_Nullable crerender_span(void) { return crerender_span_slot; }
static inline void crerender_set_span(void *_Nullable span) { crerender_span_slot = span; }

/// The calling thread's number, as the kernel knows it; a system call on the first use of a thread.
extern _Thread_local int32_t crerender_this_thread_slot;
int32_t crerender_learn_this_thread(void);

static inline int32_t crerender_this_thread(void) {
    int32_t id = crerender_this_thread_slot;
    return __builtin_expect(id != 0, 1) ? id : crerender_learn_this_thread();
}

/// Where the calling thread has its own variables: no two threads that run have the same. One instruction.
static inline uintptr_t crerender_thread_pointer(void) { return (uintptr_t)__builtin_thread_pointer(); }

/// Why everything is off in this process from now on, for good; 0 while it is not.
enum crerender_silence {
    /// The user switched Rerender off (`rerenderctl off`).
    CRERENDER_SWITCHED_OFF = 1,
    /// This is the child of a fork: our threads exist in the parent only.
    CRERENDER_FORKED = 2,
};
extern int crerender_silence;

/// Whether everything is off. One load: the hot path asks this, and hooks that cannot be taken away again.
static inline bool crerender_is_silent(void) {
    return __builtin_expect(__atomic_load_n(&crerender_silence, __ATOMIC_RELAXED) != 0, 0);
}
static inline bool crerender_is_forked(void) {
    return __builtin_expect(__atomic_load_n(&crerender_silence, __ATOMIC_RELAXED) == CRERENDER_FORKED, 0);
}
static inline bool crerender_is_switched_off(void) {
    return __builtin_expect(__atomic_load_n(&crerender_silence, __ATOMIC_RELAXED) == CRERENDER_SWITCHED_OFF, 0);
}
/// Switches everything off, unless this is a forked child. Any thread.
void crerender_switch_off(void);

/// Registers the handler that switches everything off in the child. Once per process.
void crerender_watch_fork(void);
/// The shared mapping for which a forked child gets empty memory of its own. Once per process.
void crerender_set_fork_page(void *memory, size_t size);

/// How the time-stamp counter maps to nanoseconds of CLOCK_MONOTONIC, for a stretch of half a millisecond.
struct crerender_clock_map {
    uint64_t base_ticks;
    uint64_t base_nanoseconds;
    uint64_t scale; // nanoseconds per tick, as a 32.32 fixed-point number
    uint64_t limit; // the ticks from the base on for which it holds; 0 for none
};
/// The map, which whoever finds it too old replaces.
struct crerender_clock {
    uint32_t sequence; // odd while the map is written
    struct crerender_clock_map map;
    uint64_t rate; // nanoseconds per tick as they were measured; 0 while the counter is not used
};
extern struct crerender_clock crerender_clock;

static inline uint64_t crerender_monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// The time where the map does not hold: of a new one, or of the kernel.
uint64_t crerender_now_anew(void);

/// The time by the map at hand; false where it does not hold, or is being written.
static inline __attribute__((always_inline)) bool crerender_now_by_map(uint64_t *now) {
#if defined(__x86_64__)
    const struct crerender_clock_map *map = &crerender_clock.map;
    uint32_t sequence = __atomic_load_n(&crerender_clock.sequence, __ATOMIC_ACQUIRE);
    uint64_t ticks = __rdtsc() - __atomic_load_n(&map->base_ticks, __ATOMIC_RELAXED);
    // Also false for a counter that was set back: its ticks are many then.
    bool holds = ticks < __atomic_load_n(&map->limit, __ATOMIC_RELAXED);
    *now = __atomic_load_n(&map->base_nanoseconds, __ATOMIC_RELAXED) +
           ((ticks * __atomic_load_n(&map->scale, __ATOMIC_RELAXED)) >> 32);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return holds && !(sequence & 1) && __atomic_load_n(&crerender_clock.sequence, __ATOMIC_RELAXED) == sequence;
#else
    (void)now;
    return false;
#endif
}

/// Nanoseconds of CLOCK_MONOTONIC: from the time-stamp counter once its rate is known, within a microsecond of the kernel's clock; from
/// the kernel until then.
static inline uint64_t crerender_now(void) {
    uint64_t now;
    return __builtin_expect(crerender_now_by_map(&now), 1) ? now : crerender_now_anew();
}

/// One reading of both clocks.
struct crerender_reading {
    uint64_t ticks;
    uint64_t nanoseconds;
};
/// False where there is no counter that the kernel itself keeps time with.
bool crerender_counter_is_trusted(void);
struct crerender_reading crerender_read_clocks(void);
/// The rate between two readings, as the map's scale; 0 where there is none.
uint64_t crerender_rate(struct crerender_reading first, struct crerender_reading second);
/// The map that goes on from an older one: without a jump where that is just over, and with the slope that meets the kernel's clock
/// in the end; anew from the reading elsewhere, as after the machine slept.
struct crerender_clock_map crerender_next_map(struct crerender_clock_map old, uint64_t rate,
                                              struct crerender_reading reading);
/// Uses the counter at a rate; 0 goes back to the kernel's clock.
void crerender_set_counter_rate(uint64_t rate);

/// Starts a detached thread of ordinary priority with all signals blocked. Returns 0 or an errno, which is ENOMEM where
/// `cdescriptors_have_memory` says no. `stack` is the size of its stack in bytes; 0 for the system's, brought to 1 to 8 MiB.
int crerender_start_thread(const char *name, size_t stack, void (*body)(void));

/// A descriptor of shared memory (`memfd_create(2)`) whose size no process can change any more, or -1. All of it is allocated. The
/// daemon can seal it against writing once no process maps it, and so learns that.
int crerender_sealed_memory(const char *name, size_t size);

/// A non-blocking, close-on-exec inotify descriptor, or -1.
int crerender_inotify(void);
/// Watches a directory for entries that appear; the watch, or -1.
int crerender_watch_directory(int descriptor, const char *path);

/// How many pieces of shared memory (`memfd_create(2)`) of that name are mapped in this process; 0 where that cannot be read.
unsigned crerender_count_mappings(const char *name);

/// Whether the program began with other rights than its user's: set-uid, set-gid, or with capabilities.
bool crerender_has_raised_rights(void);

/// An address in this copy of the library.
uintptr_t crerender_own_address(void);

/// The uid of a connected Unix socket's other end, or -1 (as `uid_t`) if it cannot be told.
uid_t crerender_peer_uid(int socket);

/// Stores the return addresses of the functions that called this one, innermost first; how many. Never leaves the
/// thread's stack; fewer than there are, or none, where code keeps no frame pointers or runs on a stack of its own.
/// Nanoseconds; the first on a thread asks for the stack's bounds, which allocates.
uint32_t crerender_callers(uintptr_t *addresses, uint32_t capacity);

/// The stacks that are kept, and what a stack keeps. An app writes from some hundred places; each stack is the writer
/// and a few of its callers; what a framework calls through comes first. Together 1.6 megabytes, touched as it fills.
enum { CRERENDER_STACKS = 4096, CRERENDER_STACK_FRAMES = 48 };
/// No stack, and any stack that there was no room for.
enum { CRERENDER_NO_STACK = 0, CRERENDER_OTHER_STACK = 0xFFFFFF };

/// Learns where Observation's code is; false if it is no file of its own. Once per process, before the first capture.
bool crerender_find_observation(void);
/// The number of the stack that runs now: of Observation's callers. Any thread; no lock, no allocation except where
/// `crerender_callers` has one.
uint32_t crerender_capture_writer(void);
/// The number of the stack that runs now, from its innermost function on. Otherwise as `crerender_capture_writer`.
uint32_t crerender_capture_callers(void);
/// The number of a stack; the same addresses have the same number as long as the process lives.
uint32_t crerender_intern_stack(const uintptr_t *addresses, uint32_t count);
/// Copies a stack's addresses, at most CRERENDER_STACK_FRAMES, and returns how many; 0 for a stack that is not kept.
uint32_t crerender_stack(uint32_t id, uintptr_t *addresses);

/// The calling thread's copies of the thread-local variables of the file that `address` belongs to, and their size; NULL
/// if the thread has not used them yet, or if there are none. Takes the loader's lock for microseconds.
void *_Nullable crerender_thread_storage(uintptr_t address, size_t *size);
/// Where this thread's Observation notes what is read; NULL until it has been set for this thread.
extern _Thread_local void *_Nullable *_Nullable crerender_access_list_slot;
static inline void *_Nullable *_Nullable crerender_access_slot(void) { return crerender_access_list_slot; }
static inline void crerender_set_access_slot(void *_Nullable *_Nonnull slot) { crerender_access_list_slot = slot; }

/// Where the calling thread's stack is; a local variable may lie elsewhere under a sanitizer.
uintptr_t crerender_stack_address(void);
/// Runs the body on a thread of its own, without any signals, and waits for it. False if there can be no more threads,
/// or no memory for one.
bool crerender_run_apart(void (*body)(void));

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// Calls of a language binding that is linked into the program.

#pragma GCC visibility push(hidden)

/// Says of an address behind a call that the call is a binding's. 512 at most; later ones are left out. Any thread.
void crerender_pass_over(uintptr_t address);
/// Whether that was said of an address. A load where nothing was said. Any thread.
bool crerender_is_passed_over(uintptr_t address);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Which loaded files have yet to announce themselves to Swift.
#ifndef PRELOAD_PARTS_H
#define PRELOAD_PARTS_H

#include "crerender_inject.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/// Calls `visit` for each file that has announced itself, with what lies in it, until it returns false.
typedef void (*sections_enumerator)(bool (*visit)(const struct crerender_sections *sections, void *context),
                                    void *context);

/// Whether a file that is loaded now will announce itself when the loader initialises it.
///
/// `dlopen` loads an app with the framework that it needs, and initialises the framework first. Until the app's own views are known,
/// those of the framework would be taken for the program's.
bool is_announcement_due(struct crerender_memory *memory, sections_enumerator enumerate);

// Tells when the default main loop of GLib is about to run for the first time.

typedef void (*loop_begins)(void);

/// Has a function called on the loop's thread when a file that is loaded now calls GLib to run that loop. Nothing where GLib is not
/// loaded. Functions that only use contexts of their own, as calls of D-Bus that wait, are no loop.
void watch_loop_calls(loop_begins begins);

/// Whether one of these two was called when GLib was loaded.
bool knows_glib(void);

/// The same also where no file calls it by its table of imports, as a language binding does. It makes the default context where there is
/// none, which takes a descriptor. On any thread; the first call counts.
void watch_loop_polls(loop_begins begins);

/// The same for a loop that may run already, from any thread: it goes round once.
void watch_running_loop(loop_begins begins);

// How the preloaded library begins in a program that runs already.

/// False where it has begun, also with the program, and where the program has other rights than its user's.
bool preload_may_begin_late(void);

/// Begins, on the main thread, and loads the rest on a thread of ours.
void preload_begin_late(void);

// The Swift runtime of a process, our libraries for it, and what the library reports to `rerenderctl`.

#ifndef RERENDER_SWIFT_VERSION
#error "Scripts/lib/inject defines the version of Swift, and the libraries that the Swift part needs"
#endif

/// What of the Swift runtime is called. All are of one library.
struct runtime {
    sections_enumerator enumerate;
    /// The standard library's version, `0xMMmmpp`.
    uint32_t (*version)(void);
    char path[PATH_MAX];
};

/// Tells `rerenderctl` what became of the process.
__attribute__((format(printf, 2, 3))) void report(const char *kind, const char *format, ...);

bool find_runtime(struct runtime *runtime);

/// A function of the program's Swift runtime, also of one that `dlopen` brought and hid.
void *runtime_function(const char *name);

/// Whether the runtime is of the version that the Swift part was built with; tells where it is not.
bool is_of_our_version(const struct runtime *runtime);

/// Whether all that the Swift part needs is beside the program's runtime, or loaded: from elsewhere it would be another runtime's.
bool load_libraries(const char *core);

/// The path of another one of our libraries, which lies beside this one.
bool find_part(const char *file, char *path);

#endif

// SPDX-License-Identifier: MIT
// The Swift runtime of a process, our libraries for it, and what the library reports to `rerenderctl`.

#ifndef PRELOAD_RUNTIME_H
#define PRELOAD_RUNTIME_H

#include "announcements.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

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

// SPDX-License-Identifier: MIT
// Replaces functions that loaded files call from other files.
#ifndef CRERENDER_LOADED_H
#define CRERENDER_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// A function, and what stands in for it.
struct loaded_import {
    const char *name;
    /// NULL where nothing is to be replaced.
    void *original;
    void *replacement;
    /// How the name of a file begins whose own calls stay as they are; NULL for none.
    const char *but;
    /// How the name of the file begins whose calls alone are replaced; NULL for those of all.
    const char *only;
};

/// Functions that are replaced together, and which files were looked at.
struct loaded_imports {
    const struct loaded_import *imports;
    size_t count;
    unsigned long long unloads;
    size_t seen_count;
    uintptr_t seen[1024];
    bool is_listed;
    struct loaded_imports *next;
};

/// Replaces them in each file that was not looked at, where a file still calls the original. Takes the loader's lock for some
/// milliseconds when it first looks, and waits for threads that load files. On a thread that may wait for the loader; one caller at a time.
void loaded_imports_replace(struct loaded_imports *all);

// Finds symbols of libraries that this code does not link: of GLib, CoreFoundation and libdispatch.
//
// The weak symbols are there where the program itself links the library, also statically; what was loaded later is looked up. A
// library that is not in the process is never loaded. Only a thread of ours looks up, because that waits for the loader's lock:
// another thread may hold it for seconds, and a library's constructor may wait for the host's thread.

#define WEAK __attribute__((weak))

static const char glib_file[] __attribute__((unused)) = "libglib-2.0.so.0";

/// A symbol of a library that is in the process. NULL if there is none, or if it is not known yet and the thread must not wait.
/// The library then stays loaded, because its symbol is used later.
void *loaded_symbol(void **found, const void *linked, const char *file, const char *name);
#define FIND(file, name) \
    ({ \
        static void *found_##name; \
        (__typeof__(&name))loaded_symbol(&found_##name, (const void *)(uintptr_t)&name, file, #name); \
    })

/// Whether a file of the process has an address. Takes no lock, and some ten nanoseconds. Any thread.
bool loaded_has_file(uintptr_t address);

/// Where the code of a file lies; both are 0 where that is not known.
struct loaded_code {
    uintptr_t low, high;
};
/// The code that an address is in. Takes the loader's lock for microseconds.
struct loaded_code loaded_code_around(uintptr_t address);
static inline bool is_in_code(struct loaded_code code, uintptr_t address) {
    return address >= code.low && address < code.high;
}

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// Finds symbols of libraries that this code does not link: of GLib, CoreFoundation and libdispatch.
//
// The weak symbols are there where the program itself links the library, also statically; what was loaded later is looked up. A
// library that is not in the process is never loaded. Only a thread of ours looks up, because that waits for the loader's lock:
// another thread may hold it for seconds, and a library's constructor may wait for the host's thread.
#ifndef CRERENDER_LOADED_SYMBOL_H
#define CRERENDER_LOADED_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

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

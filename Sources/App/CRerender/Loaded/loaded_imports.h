// SPDX-License-Identifier: MIT
// Replaces functions that loaded files call from other files.
#ifndef CRERENDER_LOADED_IMPORTS_H
#define CRERENDER_LOADED_IMPORTS_H

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

#pragma GCC visibility pop

#endif

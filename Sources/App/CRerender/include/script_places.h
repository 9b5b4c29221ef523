// SPDX-License-Identifier: MIT
// Addresses that stand for places in scripts: where native addresses travel, an interpreter's function has one of these.
#ifndef CRERENDER_SCRIPT_PLACES_H
#define CRERENDER_SCRIPT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A place in a script.
struct crerender_script_place {
    /// Empty where the language tells none.
    char function[128];
    /// The path; its end, where it is longer.
    char file[256];
    /// 0 where it is not known.
    uint32_t line;
};

/// Copies the texts of a place; false for an address that stands for none.
///
/// The addresses next to that of a place stand for it, too: return addresses lie behind their calls.
bool crerender_script_place(uintptr_t address, struct crerender_script_place *place);

/// The address of a place, the same for the same one; 0 where there is no room. Any thread, also in a signal handler: it takes no lock and
/// no memory.
uintptr_t crerender_address_of_script_place(const char *function, const char *file, uint32_t line);

/// How many places had no room.
uint32_t crerender_missed_script_places(void);

/// Whether a path is that of code which scripts call through: a binding's, the interpreter's own, or one that the user passes over.
bool crerender_passes_over_script(const char *file);
/// Names of further files and directories that are passed over, with a colon between them. Copied. On one thread, once.
void crerender_pass_over_scripts(const char *names);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

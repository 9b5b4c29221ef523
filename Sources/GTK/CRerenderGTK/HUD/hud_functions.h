// SPDX-License-Identifier: MIT
// The functions of GTK that the HUD calls, found in the process at run time. A process that lacks one has no HUD.
#ifndef CRERENDER_GTK_HUD_FUNCTIONS_H
#define CRERENDER_GTK_HUD_FUNCTIONS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdatomic.h>
#include <stdbool.h>

/// A pointer for each, under its own name.
struct hud_functions {
#define FUNCTION(name) __typeof__(name) *name;
    CRERENDER_HUD_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// Those of this process; filled by `hud_functions_find`.
extern struct hud_functions hud_gtk;

/// Whether all of them were found: before, nothing of this part does anything.
extern atomic_bool hud_is_found;

/// Finds all of them in the GTK 4 that is loaded; loads nothing.
///
/// - Returns: Null, or else what is missing: `libgtk-4.so.1` where GTK 4 is not loaded.
const char *hud_functions_find(void);

#endif
#endif

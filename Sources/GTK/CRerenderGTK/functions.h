// SPDX-License-Identifier: MIT
// The functions of GTK that are called, found in the process at run time: nothing links GTK.
#ifndef CRERENDER_GTK_FUNCTIONS_H
#define CRERENDER_GTK_FUNCTIONS_H

#include "headers.h"

#ifdef RERENDER_GTK

/// A pointer for each, under its own name.
struct gtk_functions {
#define FUNCTION(name) __typeof__(name) *name;
    CRERENDER_GTK_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// Those of this process; filled by `gtk_functions_find`.
extern struct gtk_functions gtk;

/// Finds all of them in the GTK 4 that is loaded; loads nothing.
///
/// - Returns: Null, or else what is missing: `libgtk-4.so.1` where GTK 4 is not loaded.
const char *gtk_functions_find(void);

#endif
#endif

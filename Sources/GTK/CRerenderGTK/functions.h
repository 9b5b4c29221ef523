// SPDX-License-Identifier: MIT
// The functions of GTK that are called, found in the process at run time: nothing links GTK.
#ifndef CRERENDER_GTK_FUNCTIONS_H
#define CRERENDER_GTK_FUNCTIONS_H

#include "headers.h"

#ifdef RERENDER_GTK

/// Each function once. Macros of GObject that call functions, such as casts that check, cannot be used.
#define CRERENDER_GTK_FUNCTIONS(FUNCTION) \
    FUNCTION(g_type_query) \
    FUNCTION(gtk_get_major_version) \
    FUNCTION(gtk_widget_get_type)

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

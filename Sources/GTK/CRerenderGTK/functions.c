// SPDX-License-Identifier: MIT
// Finds GTK's functions in the process.

#define _GNU_SOURCE
#include "functions.h"

#ifdef RERENDER_GTK
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>

struct gtk_functions gtk;

const char *gtk_functions_find(void) {
    static atomic_bool are_found;
    if (are_found) return NULL;
    // Its own dependencies, such as GLib, are searched with it. Never closed: what is hooked stays.
    void *library = dlopen("libgtk-4.so.1", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (!library) return "libgtk-4.so.1";
#define FUNCTION(name) \
    *(void **)&gtk.name = dlsym(library, #name); \
    if (!gtk.name) return #name;
    CRERENDER_GTK_FUNCTIONS(FUNCTION)
#undef FUNCTION
    are_found = true;
    return NULL;
}
#endif

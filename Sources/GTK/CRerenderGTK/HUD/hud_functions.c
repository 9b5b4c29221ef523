// SPDX-License-Identifier: MIT
// Finds the functions that the HUD calls.

#define _GNU_SOURCE
#include "hud_functions.h"

#ifdef RERENDER_GTK
#include <dlfcn.h>

struct hud_functions hud_gtk;
atomic_bool hud_is_found;

const char *hud_functions_find(void) {
    if (hud_is_found) return NULL;
    // Its own dependencies, such as Pango, are searched with it.
    void *library = dlopen("libgtk-4.so.1", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (!library) return "libgtk-4.so.1";
#define FUNCTION(name) \
    *(void **)&hud_gtk.name = dlsym(library, #name); \
    if (!hud_gtk.name) return #name;
    CRERENDER_HUD_FUNCTIONS(FUNCTION)
#undef FUNCTION
    hud_is_found = true;
    return NULL;
}
#endif

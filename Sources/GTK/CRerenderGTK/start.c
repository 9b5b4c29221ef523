// SPDX-License-Identifier: MIT
// Begins to count the widgets of a process.

#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include "functions.h"
#include "Hooks/classes.h"
#include "Hooks/handover.h"
#include "part.h"
#include "Widgets/records.h"

#include <stdio.h>
#endif

const char *crerender_gtk_start(const struct crerender_gtk_callbacks *callbacks) {
#ifdef RERENDER_GTK
    const char *missing = gtk_functions_find();
    if (missing) {
        static char text[128];
        snprintf(text, sizeof text, "its GTK has no %s", missing);
        return text;
    }
    part.swift = *callbacks;
    records_set_ended(callbacks->ended);
    classes_hook();
    handover_listen();
    return 0;
#else
    (void)callbacks;
    return "rerender was built without its part for GTK";
#endif
}

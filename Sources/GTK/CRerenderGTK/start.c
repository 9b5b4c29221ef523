// SPDX-License-Identifier: MIT
// Begins to count the widgets of a process, in a build that has the part for GTK.

#define _GNU_SOURCE
#include "crerender_gtk.h"

#ifdef RERENDER_GTK
#include "Frames/frame_parts.h"
#include "functions.h"
#include "Hooks/hooks.h"
#include "part.h"
#include "Widgets/questions.h"
#include "Widgets/records.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static bool is_loaded(const char *library) {
    void *found = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (found) dlclose(found);
    return found;
}

/// Says that a function or GTK itself is missing. The text is the same for each call.
static const char *missing_text(const char *missing) {
    static char text[128];
    if (strcmp(missing, "libgtk-4.so.1") == 0)
        return is_loaded("libgtk-3.so.0") ? "its GTK is not version 4" : "GTK 4 is not loaded";
    snprintf(text, sizeof text, "its GTK has no %s", missing);
    return text;
}

/// Whether the calling thread may be GTK's: the one that counts or, before that, none that another one keeps out of the main loop.
static bool may_be_on_thread(void) {
    if (part_has_thread()) return part_is_on_thread();
    if (!gtk.g_main_context_acquire(NULL)) return false;
    gtk.g_main_context_release(NULL);
    return true;
}

/// Forgets a widget that is no more, in front of the end of its record.
static void widget_ends(const struct record *record) {
    runs_forget_widget(record);
    askers_forget_widget(record);
    causes_forget_widget(record);
    layouts_forget_widget(record);
}

static const char is_off_thread[] = "it was called on another thread than GTK's";

const char *crerender_gtk_start(const struct crerender_gtk_callbacks *callbacks) {
    static atomic_bool has_started;
    const char *missing = gtk_functions_find();
    if (missing) return missing_text(missing);
    if (atomic_exchange(&has_started, true)) return 0;
    part.swift = *callbacks;
    records_set_ended(callbacks->ended, callbacks->forget_step, widget_ends);
    causes_listen();
    classes_hook();
    // In a program that runs, no window may be made any more.
    if (part.has_begun && gtk.g_main_context_is_owner(NULL)) part_take_thread();
    return 0;
}

const char *crerender_gtk_start_linked(const struct crerender_gtk_callbacks *callbacks) {
    const char *missing = gtk_functions_find();
    if (missing) return missing_text(missing);
    if (!may_be_on_thread()) return is_off_thread;
    crerender_gtk_start(callbacks);
    if (part.has_begun) part_take_thread();
    return part.refusal;
}

const char *crerender_gtk_hud_obstacle(void *window) {
    if (part.refusal) return part.refusal;
    if (!part.has_begun) return "GTK has made no widget yet";
    if (!may_be_on_thread() || !part_take_thread()) return is_off_thread;
    GType type = gtk.g_type_from_name("GtkWindow");
    bool is_window = window && type && gtk.g_type_check_instance_is_a(window, type);
    return is_window ? NULL : "what the HUD was to be shown in is no GtkWindow";
}

bool crerender_gtk_is_on_thread(void) { return part.has_begun && part_is_on_thread(); }
#endif

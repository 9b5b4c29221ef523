// SPDX-License-Identifier: MIT
// Programs that start services, and what they must not pass on to these. This file is also part of the preloaded library, so it calls
// libc alone.

#include "crerender_inject.h"

#include <string.h>

/// Message buses start services for everybody, and outlive the command. The last one starts a bus for assistive tools.
static const char *const buses[] = {"dbus-daemon", "dbus-broker-launch", "dbus-broker", "at-spi-bus-launcher"};

bool crerender_starts_services(const char *path, char *const *arguments) {
    if (!path || !arguments) return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t index = 0; index < sizeof buses / sizeof *buses; index++)
        if (strcmp(name, buses[index]) == 0) return true;
    if (strcmp(name, "dbus-launch") != 0) return false;
    // GLib calls it so where a session has no bus. Without this option it may start a program, which is to be looked at.
    for (; *arguments; arguments++)
        if (strncmp(*arguments, "--autolaunch", strlen("--autolaunch")) == 0) return true;
    return false;
}

/// Variables to which rerenderctl adds a part, and how that part ends.
static const struct {
    const char *name, *ending;
} lists[] = {
    {"LD_PRELOAD=", "/librerender-preload.so"},
    {"GIO_EXTRA_MODULES=", "/rerender-gio"},
    {"ASAN_OPTIONS=", "verify_asan_link_order=0"},
};

/// Variables that rerenderctl sets.
static const char *const values[] = {"RERENDER_INJECT_REPORT=", "RERENDER_HUD=", "RERENDER_VIEW_PROTOCOLS="};

static bool begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/// Takes the last part that ends so out of a list. False where that was all of it.
static bool take_out(char *list, const char *ending) {
    size_t length = strlen(ending);
    char *end = list + strlen(list);
    while (end > list) {
        char *start = end;
        while (start > list && start[-1] != ':') start--;
        if ((size_t)(end - start) >= length && memcmp(end - length, ending, length) == 0) {
            // With the sign in front of it or, of the first part, the one behind it.
            if (start > list)
                start--;
            else if (*end)
                end++;
            memmove(start, end, strlen(end) + 1);
            return *list;
        }
        end = start > list ? start - 1 : list;
    }
    return true;
}

/// Whether anything is left of an entry.
static bool is_kept(char *entry) {
    for (size_t index = 0; index < sizeof values / sizeof *values; index++)
        if (begins(entry, values[index])) return false;
    for (size_t index = 0; index < sizeof lists / sizeof *lists; index++)
        if (begins(entry, lists[index].name)) return take_out(entry + strlen(lists[index].name), lists[index].ending);
    return true;
}

void crerender_clear_environment(char **environment) {
    char **kept = environment;
    for (char **entry = environment; *entry; entry++)
        if (is_kept(*entry)) *kept++ = *entry;
    *kept = NULL;
}

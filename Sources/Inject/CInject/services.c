// SPDX-License-Identifier: MIT
// Programs that start services, and what they must not pass on to these. This file is also part of the preloaded library, so it calls
// libc alone.
#define _GNU_SOURCE
#include "crerender_inject.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

// Tells rerenderctl what became of a process. This file is also part of the preloaded library, so it calls libc alone.

/// Whether it is a file of the user's, and a limit on the size of files leaves room: what goes beyond it ends the process by SIGXFSZ. Another
/// user may have made one of the same name in /tmp, after the command.
static bool may_grow(int file, int length) {
    struct rlimit limit;
    struct stat found;
    if (getrlimit(RLIMIT_FSIZE, &limit) || fstat(file, &found)) return false;
    if (!S_ISREG(found.st_mode) || found.st_uid != geteuid()) return false;
    return limit.rlim_cur == RLIM_INFINITY || (rlim_t)found.st_size + (rlim_t)length <= limit.rlim_cur;
}

/// The preloaded library's, where the process has it.
__attribute__((weak, visibility("default"))) const char *rerender_preload_given(const char *(*answers)(void));

static void add(const char *path, const char *kind, const char *text) {
    if (!path || !*path) return;
    int before = errno;
    char line[2048];
    int length = snprintf(line, sizeof line - 1, "%d %s %s", (int)getpid(), kind, text);
    if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
    if (length > 0) {
        line[length++] = '\n';
        int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file >= 0) {
            if (may_grow(file, length) && write(file, line, (size_t)length) < 0) errno = before;
            close(file);
        }
    }
    errno = before;
}

void crerender_report_in(const char *directory, const char *kind, const char *text) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/report", directory);
    if (length > 0 && (size_t)length < sizeof path) add(path, kind, text);
}

void crerender_report(const char *kind, const char *text) {
    const char *directory = rerender_preload_given ? rerender_preload_given(NULL) : NULL;
    if (directory) return crerender_report_in(directory, kind, text);
    add(getenv("RERENDER_INJECT_REPORT"), kind, text);
}

void crerender_report_shape(struct crerender_memory *memory, const struct crerender_view *view) {
    static const char *const words[] = {"async", "static", "method", "base"};
    const char *module = crerender_module_of(memory, view->protocol);
    const char *name = crerender_name_of(memory, view->protocol);
    if (!module || !name) return;
    char text[1024];
    int length = snprintf(text, sizeof text, "%.400s.%.400s ", module, name);
    for (unsigned bit = 0; bit < sizeof words / sizeof *words; bit++) {
        if (!(view->others >> bit & 1)) continue;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s,", words[bit]);
    }
    crerender_report("shape", text);
}

// SPDX-License-Identifier: MIT
// Tells rerenderctl what became of a process. This file is also part of the preloaded library, so it calls libc alone.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

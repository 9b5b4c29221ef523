// SPDX-License-Identifier: MIT
// Tells rerenderctl what became of a process. This file is also part of the preloaded library, so it calls libc alone.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/// Whether a limit on the size of files leaves room: what goes beyond it ends the process by SIGXFSZ.
static bool may_grow(int file, int length) {
    struct rlimit limit;
    struct stat found;
    if (getrlimit(RLIMIT_FSIZE, &limit) || fstat(file, &found)) return false;
    return limit.rlim_cur == RLIM_INFINITY || (rlim_t)found.st_size + (rlim_t)length <= limit.rlim_cur;
}

void crerender_report(const char *kind, const char *text) {
    const char *path = getenv("RERENDER_INJECT_REPORT");
    if (!path || !*path) return;
    int before = errno;
    char line[2048];
    int length = snprintf(line, sizeof line - 1, "%d %s %s", (int)getpid(), kind, text);
    if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
    if (length > 0) {
        line[length++] = '\n';
        int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
        if (file >= 0) {
            if (may_grow(file, length)) {
                ssize_t written = write(file, line, (size_t)length);
                (void)written;
            }
            close(file);
        }
    }
    errno = before;
}

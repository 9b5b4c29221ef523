// SPDX-License-Identifier: MIT
// Stands in for the two functions of GLib that run a loop. GLib's own calls of them, on threads of its own, stay as they are.

#define _GNU_SOURCE
#include "parts.h"

#include "CImports.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int (*poll_function)(void *descriptors, unsigned count, int timeout);

/// Set last of all.
static void (*_Atomic run)(void *loop);
static int (*iterate)(void *context, int may_wait);
static void *(*context_of)(void *loop);
static void *(*default_context)(void);
static void *(*context_of_thread)(void);
static poll_function (*poll_of)(void *context);
static void (*set_poll)(void *context, poll_function function);
static void (*wake)(void *context);

static loop_begins begins;
static atomic_bool has_begun;

/// What the default context had in the place of `poll_once`.
static poll_function first_poll;
static int poll_once(void *descriptors, unsigned count, int timeout);

/// What files call, which is replaced until the loop begins.
static struct import {
    const char *name;
    void *original, *replacement;
} imports[] = {{"g_main_loop_run", NULL, NULL}, {"g_main_context_iteration", NULL, NULL}};
/// The process that has replaced it; 0 before.
static atomic_int replacing;
static int visit(struct dl_phdr_info *file, size_t size, void *context);

static void begin(void) {
    if (atomic_exchange(&has_begun, true)) return;
    int saved = errno;
    // In a forked child, the loader's lock may be held by a thread that is not there.
    if (atomic_load(&replacing) == getpid()) dl_iterate_phdr(visit, NULL);
    if (first_poll && poll_of(NULL) == poll_once) set_poll(NULL, first_poll);
    begins();
    errno = saved;
}

/// Whether GLib may make the default context: it takes a descriptor for it, and ends a process that has none left.
static bool has_room(void) {
    // Other threads take some meanwhile.
    enum { ROOM = 4 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    int saved = errno, room = 0;
    for (int number = 0; (rlim_t)number < limit.rlim_cur && number < INT_MAX && room < ROOM; number++)
        if (fcntl(number, F_GETFD) < 0) room++;
    errno = saved;
    return room == ROOM;
}

/// The default context; null where GLib cannot make it now. On the main thread.
static void *known_default(void) {
    static void *known;
    if (!known && has_room()) known = default_context();
    return known;
}

/// Whether a loop of that context is the default one. Where a thread has a context of its own, that is what it runs: then the default one,
/// which may not have been made, is not asked for.
static bool is_default(void *context) {
    if (context_of_thread() || syscall(SYS_gettid) != getpid()) return false;
    return !context || context == known_default();
}

static void run_loop(void *loop) {
    if (loop && !atomic_load(&has_begun) && is_default(context_of(loop))) begin();
    atomic_load (&run)(loop);
}

static int iterate_loop(void *context, int may_wait) {
    if (!atomic_load(&has_begun) && is_default(context)) begin();
    return iterate(context, may_wait);
}

// MARK: In files

/// What another tool has put there stays. A function that was not called yet has a place in the file itself.
static void replace(const struct dl_phdr_info *file, void **place, void *context) {
    const struct import *import = context;
    void *now = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (atomic_load(&has_begun)) {
        if (now == import->replacement) cimports_write(file, place, import->original);
    } else if (now == import->original || cimports_is_in_file(file, now)) {
        cimports_write(file, place, import->replacement);
    }
}

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static int visit(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size, (void)context;
    const char *path = file->dlpi_name ? file->dlpi_name : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    // The kernel's file has addresses of its own kind.
    if (begins_with(path, "linux-") || begins_with(name, "ld-linux") || begins_with(name, "librerender-") ||
        begins_with(name, "libglib-2.0.so"))
        return 0;
    for (int index = 0; index < 2; index++) cimports_each(file, imports[index].name, replace, &imports[index]);
    return 0;
}

static bool find_glib(void) {
    if (atomic_load(&run)) return true;
    // Never closed: its functions are called later.
    void *glib = dlopen("libglib-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!glib) return false;
    *(void **)&iterate = dlsym(glib, "g_main_context_iteration");
    *(void **)&context_of = dlsym(glib, "g_main_loop_get_context");
    *(void **)&default_context = dlsym(glib, "g_main_context_default");
    *(void **)&context_of_thread = dlsym(glib, "g_main_context_get_thread_default");
    *(void **)&poll_of = dlsym(glib, "g_main_context_get_poll_func");
    *(void **)&set_poll = dlsym(glib, "g_main_context_set_poll_func");
    *(void **)&wake = dlsym(glib, "g_main_context_wakeup");
    if (!iterate || !context_of || !default_context || !context_of_thread || !poll_of || !set_poll) return false;
    void (*found)(void *);
    *(void **)&found = dlsym(glib, "g_main_loop_run");
    atomic_store(&run, found);
    return found;
}

bool knows_glib(void) { return atomic_load(&run); }

void watch_loop_calls(loop_begins function) {
    if (atomic_load(&has_begun) || !find_glib()) return;
    begins = function;
    imports[0].original = (void *)atomic_load(&run), imports[0].replacement = (void *)run_loop;
    imports[1].original = (void *)iterate, imports[1].replacement = (void *)iterate_loop;
    atomic_store(&replacing, getpid());
    dl_iterate_phdr(visit, NULL);
    // The loop may have begun meanwhile.
    if (atomic_load(&has_begun)) dl_iterate_phdr(visit, NULL);
}

// MARK: At the first poll

/// GLib has read the function before it calls it, so that another one can be set here.
static int poll_once(void *descriptors, unsigned count, int timeout) {
    if (!atomic_load(&has_begun) && syscall(SYS_gettid) == getpid()) begin();
    return first_poll(descriptors, count, timeout);
}

/// What `poll_once` stands for, of that; of others, the function itself. A part that found `poll_once` in the main loop asks, to put back what
/// the program had.
__attribute__((visibility("default"))) poll_function rerender_preload_poll(poll_function function) {
    return function == poll_once ? first_poll : function;
}

void watch_loop_polls(loop_begins function) {
    static atomic_bool is_watched;
    if (atomic_load(&has_begun) || !find_glib() || !has_room() || atomic_exchange(&is_watched, true)) return;
    begins = function;
    first_poll = poll_of(NULL);
    if (first_poll) set_poll(NULL, poll_once);
}

void watch_running_loop(loop_begins function) {
    watch_loop_polls(function);
    // The thread that waits reads the new function when it waits the next time.
    if (first_poll && wake) wake(NULL);
}

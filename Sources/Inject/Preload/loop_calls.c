// SPDX-License-Identifier: MIT
// Stands in for the two functions of GLib that run a loop, and for the one that attaches a source. GLib's own calls of them, on threads
// of its own, stay as they are.

#define _GNU_SOURCE
#include "loop_calls.h"

#include "CImports.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
static void *(*source_of)(void *context, unsigned number);

static unsigned (*attach)(void *source, void *context);

static loop_begins begins;
static atomic_bool has_begun;

/// Tables that were met. One without a place stands for all others. And the numbers of sources that are asked for.
enum { TABLES = 57, NUMBERS = 4096 };
static struct loop_table tables[TABLES + 1];
static unsigned table_count;
static atomic_bool is_noting, has_others;

/// What the default context had in the place of `poll_once`.
static poll_function first_poll;
static int poll_once(void *descriptors, unsigned count, int timeout);

static void put_back_attach(void);

/// Waits for a thread that notes a table at this moment. In a forked child, it may be one of the parent.
static bool take_tables(void) {
    enum { TRIES = 1000 };
    for (int tries = 0; tries < TRIES; tries++) {
        if (!atomic_exchange(&is_noting, true)) return true;
        sched_yield();
    }
    return false;
}

/// Notes a table, while nothing else does.
static void add_table(void *place, void *const *functions) {
    unsigned which = 0;
    while (which < table_count && tables[which].place != place) which++;
    if (which == TABLES) return atomic_store(&has_others, true);
    // What is noted again may be of another file, at the place of one that is gone.
    tables[which].place = place;
    memcpy(tables[which].functions, functions, sizeof tables[which].functions);
    if (which == table_count) table_count++;
}

/// Copies what may be gone at this moment.
static bool copy(void *bytes, const void *place, size_t count) {
    struct iovec own = {bytes, count}, other = {(void *)(uintptr_t)place, count};
    return process_vm_readv(getpid(), &own, 1, &other, 1, 0) == (ssize_t)count;
}

/// Notes the tables of sources that the loop has already, such as those of a toolkit, which come first. Another thread may end one
/// meanwhile.
static void add_first_sources(void) {
    void *source[3], *functions[4];
    for (unsigned number = 1; number <= NUMBERS; number++) {
        const void *place = source_of(NULL, number);
        if (place && copy(source, place, sizeof source) && copy(functions, source[2], sizeof functions))
            add_table(source[2], functions);
    }
}

static void begin(void) {
    if (atomic_exchange(&has_begun, true)) return;
    int saved = errno;
    if (first_poll && poll_of(NULL) == poll_once) set_poll(NULL, first_poll);
    // From now on the part that counts looks for itself.
    put_back_attach();
    if (take_tables()) {
        if (atomic_load(&has_others) && source_of) add_first_sources();
        if (atomic_load(&has_others)) tables[table_count++].place = NULL;
        begins(tables, table_count);
        atomic_store(&is_noting, false);
    } else {
        static const struct loop_table others;
        begins(&others, 1);
    }
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

/// Notes the table of a source, which GLib's headers have behind two pointers.
static void note_table(void *const *source) {
    if (!source[2]) return;
    // Another thread notes one. This one comes with its next source, if there is one.
    if (atomic_exchange(&is_noting, true)) return atomic_store(&has_others, true);
    if (!atomic_load(&has_begun)) add_table(source[2], source[2]);
    atomic_store(&is_noting, false);
}

static unsigned attach_source(void *source, void *context) {
    if (source && !atomic_load(&has_begun)) note_table(source);
    return attach(source, context);
}

// MARK: In files

struct import {
    const char *name;
    void *original, *replacement;
};
struct imports {
    const struct import *all;
    int count;
    bool puts_back;
};

/// What another tool has put there stays. A function that was not called yet has a place in the file itself.
static void replace(const struct dl_phdr_info *file, void **place, void *context) {
    const struct import *import = context;
    void *now = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (now == import->original || cimports_is_in_file(file, now)) cimports_write(file, place, import->replacement);
}

/// A part that counts may have put its function there, also one that is linked into the file.
static void put_back(const struct dl_phdr_info *file, void **place, void *context) {
    const struct import *import = context;
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == import->original) cimports_write(file, place, import->replacement);
}

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static int visit(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    const char *path = file->dlpi_name ? file->dlpi_name : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    // The kernel's file has addresses of its own kind.
    if (begins_with(path, "linux-") || begins_with(name, "ld-linux") || begins_with(name, "librerender-") ||
        begins_with(name, "libglib-2.0.so"))
        return 0;
    const struct imports *imports = context;
    for (int index = 0; index < imports->count; index++)
        cimports_each(file, imports->all[index].name, imports->puts_back ? put_back : replace,
                      (void *)(uintptr_t)&imports->all[index]);
    return 0;
}

static bool find_glib(void) {
    if (atomic_load(&run)) return true;
    // Never closed: its functions are called later.
    void *glib = dlopen("libglib-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!glib) return false;
    *(void **)&attach = dlsym(glib, "g_source_attach");
    *(void **)&iterate = dlsym(glib, "g_main_context_iteration");
    *(void **)&context_of = dlsym(glib, "g_main_loop_get_context");
    *(void **)&default_context = dlsym(glib, "g_main_context_default");
    *(void **)&context_of_thread = dlsym(glib, "g_main_context_get_thread_default");
    *(void **)&poll_of = dlsym(glib, "g_main_context_get_poll_func");
    *(void **)&set_poll = dlsym(glib, "g_main_context_set_poll_func");
    *(void **)&wake = dlsym(glib, "g_main_context_wakeup");
    *(void **)&source_of = dlsym(glib, "g_main_context_find_source_by_id");
    if (!attach || !iterate || !context_of || !default_context || !context_of_thread || !poll_of || !set_poll)
        return false;
    void (*found)(void *);
    *(void **)&found = dlsym(glib, "g_main_loop_run");
    atomic_store(&run, found);
    return found;
}

bool knows_glib(void) { return atomic_load(&run); }

void watch_loop_calls(loop_begins function) {
    if (atomic_load(&has_begun) || !find_glib()) return;
    begins = function;
    const struct import all[] = {{"g_main_loop_run", (void *)atomic_load(&run), (void *)run_loop},
                                 {"g_main_context_iteration", (void *)iterate, (void *)iterate_loop},
                                 {"g_source_attach", (void *)attach, (void *)attach_source}};
    struct imports imports = {all, 3, false};
    dl_iterate_phdr(visit, &imports);
}

static void put_back_attach(void) {
    const struct import back = {"g_source_attach", (void *)attach_source, (void *)attach};
    struct imports imports = {&back, 1, true};
    dl_iterate_phdr(visit, &imports);
}

// MARK: At the first poll

/// GLib has read the function before it calls it, so that another one can be set here.
static int poll_once(void *descriptors, unsigned count, int timeout) {
    if (!atomic_load(&has_begun) && syscall(SYS_gettid) == getpid()) begin();
    return first_poll(descriptors, count, timeout);
}

void watch_loop_polls(loop_begins function) {
    static atomic_bool is_watched;
    if (atomic_load(&has_begun) || !find_glib() || !has_room() || atomic_exchange(&is_watched, true)) return;
    begins = function;
    first_poll = poll_of(NULL);
    if (first_poll) set_poll(NULL, poll_once);
}

void watch_running_loop(loop_begins function) {
    // Which sources were attached until now is not known of all.
    atomic_store(&has_others, true);
    watch_loop_polls(function);
    // The thread that waits reads the new function when it waits the next time.
    if (first_poll && wake) wake(NULL);
}

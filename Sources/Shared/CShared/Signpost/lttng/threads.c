// SPDX-License-Identifier: MIT
// Stands in for two functions that liblttng-ust calls, so that a forked child does not end threads that it does not have.
//
// LTTng's destructor calls pthread_cancel for the threads that listen for session daemons. A child has none of them, and what the
// C library keeps of them is on their stacks. It frees these stacks when another thread ends, such as one of Mesa's at exit, and
// pthread_cancel reads there. After a fork LTTng is told that there is no such thread. liblttng-ust-fork has LTTng start its threads
// anew in the child: these are ended.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "threads.h"
#include "CImports.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>

/// How many forks this process is away from the one that loaded LTTng, and how many it was when LTTng started a thread last.
static unsigned forks, forks_at_start;

static int start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context) {
    __atomic_store_n(&forks_at_start, __atomic_load_n(&forks, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    return pthread_create(thread, attributes, run, context);
}

static int end_thread(pthread_t thread) {
    int has_threads = __atomic_load_n(&forks_at_start, __ATOMIC_RELAXED) == __atomic_load_n(&forks, __ATOMIC_RELAXED);
    return has_threads ? pthread_cancel(thread) : ESRCH;
}

static void replace(const struct dl_phdr_info *file, void **place, void *function) {
    cimports_write(file, place, function);
}

/// Nothing is asked of the loader here: its locks are held.
static int visit(struct dl_phdr_info *file, size_t size, void *library) {
    (void)size;
    if (file->dlpi_addr != ((const struct link_map *)library)->l_addr) return 0;
    cimports_each(file, "pthread_create", replace, (void *)start_thread);
    cimports_each(file, "pthread_cancel", replace, (void *)end_thread);
    return 1;
}

void cs_threads_watch(void *library) {
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) dl_iterate_phdr(visit, map);
}

void cs_threads_note_fork(void) { __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED); }

// SPDX-License-Identifier: MIT
// Chooses in which files a function is replaced, and looks at each file once.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loaded_imports.h"

#include "CImports.h"
#include "CRerender.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

/// All that were replaced.
static struct loaded_imports *listed;

struct visit {
    struct loaded_imports *all;
    const struct loaded_import *import;
    bool puts_back;
    /// How many files had been added when the loader was waited for.
    unsigned long long adds;
    /// Our preloaded library, whose function may be where another one is to be: it has done what it is there for.
    struct dl_phdr_info preloaded;
};

static void write_place(const struct dl_phdr_info *file, void **place, void *context) {
    const struct visit *visit = context;
    const struct loaded_import *import = visit->import;
    void *now = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (visit->puts_back) {
        if (now == import->replacement) cimports_write(file, place, import->original);
        return;
    }
    // What another tool has put there would no longer be called.
    bool is_ours = cimports_is_in_file(file, now) || cimports_is_in_file(&visit->preloaded, now);
    if (now == import->original || (now != import->replacement && is_ours))
        cimports_write(file, place, import->replacement);
}

static bool begins(const char *file, const char *name) { return strncmp(file, name, strlen(name)) == 0; }

static const char *name_of(const struct dl_phdr_info *file) {
    const char *path = file->dlpi_name ? file->dlpi_name : "", *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// It is never unloaded.
static int find_preloaded(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    if (!begins(name_of(file), "librerender-preload.so")) return 0;
    ((struct visit *)context)->preloaded = *file;
    return 1;
}

static void look_at(const struct dl_phdr_info *file, struct visit *visit) {
    const char *path = file->dlpi_name ? file->dlpi_name : "";
    // The kernel's file has addresses of its own kind.
    if (begins(path, "linux-")) return;
    const char *name = name_of(file);
    if (begins(name, "ld-linux") || begins(name, "librerender-")) return;
    for (size_t index = 0; index < visit->all->count; index++) {
        visit->import = &visit->all->imports[index];
        if (!visit->import->original) continue;
        if (visit->import->but && begins(name, visit->import->but)) continue;
        if (visit->import->only && !begins(name, visit->import->only)) continue;
        cimports_each(file, visit->import->name, write_place, visit);
    }
}

static bool was_seen(struct loaded_imports *all, uintptr_t file) {
    for (size_t index = 0; index < all->seen_count; index++)
        if (all->seen[index] == file) return true;
    // Files beyond that many are looked at each time.
    if (all->seen_count < sizeof all->seen / sizeof *all->seen) all->seen[all->seen_count++] = file;
    return false;
}

static int visit_file(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    struct visit *visit = context;
    if (visit->puts_back) {
        look_at(file, visit);
        return 0;
    }
    if (file->dlpi_adds != visit->adds) return 1;
    // After a file has gone, another one may be at its place.
    if (file->dlpi_subs != visit->all->unloads) {
        visit->all->unloads = file->dlpi_subs;
        visit->all->seen_count = 0;
    }
    if (!was_seen(visit->all, (uintptr_t)file->dlpi_phdr)) look_at(file, visit);
    return 0;
}

/// A file is listed before the loader has filled its tables: what was seen then would not be what is there later. So this waits for
/// those that load now. Where another one has come since, the next look is for all of them.
void loaded_imports_replace(struct loaded_imports *all) {
    enum { TRIES = 4 };
    struct visit visit = {.all = all};
    if (!all->is_listed) {
        all->is_listed = true;
        all->next = __atomic_exchange_n(&listed, all, __ATOMIC_RELEASE);
    }
    for (size_t index = 0; index < all->count; index++)
        if (all->imports[index].original)
            crerender_stands_in((uintptr_t)all->imports[index].replacement, all->imports[index].name);
    dl_iterate_phdr(find_preloaded, &visit);
    for (int tries = 0; tries < TRIES; tries++) {
        visit.adds = crerender_loads();
        // It takes the lock that a thread holds while it loads.
        (void)dlsym(RTLD_DEFAULT, "dl_iterate_phdr");
        if (dl_iterate_phdr(visit_file, &visit) == 0) return;
    }
}

void crerender_unhook_imports(void) {
    struct loaded_imports *all = __atomic_load_n(&listed, __ATOMIC_ACQUIRE);
    for (; all; all = all->next) dl_iterate_phdr(visit_file, &(struct visit){.all = all, .puts_back = true});
}

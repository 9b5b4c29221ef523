// SPDX-License-Identifier: MIT
// Chooses in which files a function is replaced, and looks at each file once.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loaded.h"

#include "CImports.h"
#include "CRerender.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
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

static uint64_t loaded_at;

uint64_t crerender_loaded_at(void) { return loaded_at; }

/// Keeps the file that this code is in from being unloaded, as a plugin may be: loops, a thread and `exit` call it for ever. A
/// constructor, because the thread that runs it has the loader's lock; any other would have to wait for that.
__attribute__((constructor)) static void stay_loaded(void) {
    loaded_at = crerender_monotonic();
    Dl_info own;
    struct link_map *file = NULL;
    if (!dladdr1((const void *)(uintptr_t)stay_loaded, &own, (void **)&file, RTLD_DL_LINKMAP) || !file) return;
    // The program itself has no name here, and never goes. By the loader's own name it opens no file.
    if (file->l_name[0]) (void)dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static _Thread_local bool may_wait;

void crerender_let_thread_wait_for_loader(bool may) { may_wait = may; }
bool crerender_thread_may_wait_for_loader(void) { return may_wait; }

struct named_file {
    const char *name;
    char path[PATH_MAX];
};

/// Whether this is the library of that name: under the name itself, or under that of its file, to which a link of that name leads: with
/// a dot and a version of digits and dots after it, as in `libglib-2.0.so.0.7400.6`.
static bool is_named(const char *file, const char *name) {
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0) return false;
    const char *version = file + length;
    if (version[0] == '\0') return true;
    return version[0] == '.' && version[1] >= '0' && version[1] <= '9' &&
           version[strspn(version, ".0123456789")] == '\0';
}

static int take_path(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct named_file *file = context;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    const char *name = slash ? slash + 1 : info->dlpi_name;
    if (!name || !is_named(name, file->name)) return 0;
    snprintf(file->path, sizeof file->path, "%s", info->dlpi_name);
    return 1;
}

/// A library that is in the process. The loader is asked by its own name for it: by any other it would search for the file, and open
/// it, before it said no.
static void *loaded_library(const char *name) {
    struct named_file file = {.name = name};
    return dl_iterate_phdr(take_path, &file) == 1 ? dlopen(file.path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

void *loaded_symbol(void **found, const void *linked, const char *file, const char *name) {
    if (linked) return (void *)(uintptr_t)linked;
    void *symbol = __atomic_load_n(found, __ATOMIC_ACQUIRE);
    if (symbol || !may_wait) return symbol;
    void *library = loaded_library(file);
    symbol = library ? dlsym(library, name) : NULL;
    // Without one of that name it may be a part of the program, or of another file.
    if (!symbol) return dlsym(RTLD_DEFAULT, name);
    __atomic_store_n(found, symbol, __ATOMIC_RELEASE);
    return symbol;
}

bool loaded_has_file(uintptr_t address) {
    struct dl_find_object found;
    return _dl_find_object((void *)address, &found) == 0;
}

struct code_search {
    uintptr_t address;
    struct loaded_code found;
};

static int find_code(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    struct code_search *search = context;
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        struct loaded_code code = {.low = file->dlpi_addr + part->p_vaddr};
        code.high = code.low + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || !is_in_code(code, search->address)) continue;
        search->found = code;
        return 1;
    }
    return 0;
}

struct loaded_code loaded_code_around(uintptr_t address) {
    struct code_search search = {.address = address};
    dl_iterate_phdr(find_code, &search);
    return search.found;
}

static int take_loads(struct dl_phdr_info *info, size_t size, void *loads) {
    (void)size;
    *(uint64_t *)loads = info->dlpi_adds;
    return 1;
}

uint64_t crerender_loads(void) {
    uint64_t loads = 0;
    dl_iterate_phdr(take_loads, &loads);
    return loads;
}

/// Some twenty functions are replaced.
enum { MOST = 64 };
static struct {
    uintptr_t function;
    const char *name;
} stand_ins[MOST];
static uint32_t count;

const char *crerender_stands_in_for(uintptr_t function) {
    for (uint32_t place = 0; function && place < MOST; place++)
        if (__atomic_load_n(&stand_ins[place].function, __ATOMIC_ACQUIRE) == function) return stand_ins[place].name;
    return NULL;
}

void crerender_stands_in(uintptr_t function, const char *name) {
    if (!function || crerender_stands_in_for(function) || __atomic_load_n(&count, __ATOMIC_RELAXED) >= MOST) return;
    uint32_t place = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    if (place >= MOST) return;
    // A name is there before its function can be found.
    stand_ins[place].name = name;
    __atomic_store_n(&stand_ins[place].function, function, __ATOMIC_RELEASE);
}

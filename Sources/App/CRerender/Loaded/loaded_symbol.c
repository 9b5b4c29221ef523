// SPDX-License-Identifier: MIT
// See the header.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loaded_symbol.h"

#include "CRerender.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

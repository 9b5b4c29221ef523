// SPDX-License-Identifier: MIT
// See the header.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loaded_symbol.h"

#include "CRerender.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/// Keeps the file that this code is in from being unloaded, as a plugin may be: loops, a thread and `exit` call it for ever. A
/// constructor, because the thread that runs it has the loader's lock; any other would have to wait for that.
__attribute__((constructor)) static void stay_loaded(void) {
    Dl_info own;
    if (!dladdr((const void *)(uintptr_t)stay_loaded, &own) || !own.dli_fname) return;
    // The program itself is not found so, and never goes.
    (void)dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static _Thread_local bool may_wait;

void crerender_let_thread_wait_for_loader(bool may) { may_wait = may; }
bool crerender_thread_may_wait_for_loader(void) { return may_wait; }

void *loaded_symbol(void **found, const void *linked, const char *file, const char *name) {
    if (linked) return (void *)(uintptr_t)linked;
    void *symbol = __atomic_load_n(found, __ATOMIC_ACQUIRE);
    if (symbol || !may_wait) return symbol;
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    symbol = library ? dlsym(library, name) : NULL;
    // Without one of that name it may be a part of the program, or of another file.
    if (!symbol) return dlsym(RTLD_DEFAULT, name);
    __atomic_store_n(found, symbol, __ATOMIC_RELEASE);
    return symbol;
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

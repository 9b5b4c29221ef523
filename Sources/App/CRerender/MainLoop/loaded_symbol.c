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

void *loaded_symbol(const void *linked, const char *file, const char *name) {
    if (linked) return (void *)(uintptr_t)linked;
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = library ? dlsym(library, name) : NULL;
    // Without one of that name it may be a part of the program, or of another file.
    return symbol ? symbol : dlsym(RTLD_DEFAULT, name);
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

// SPDX-License-Identifier: MIT
// Chooses in which files a function is replaced. Nothing is exported, so nobody finds it by a name.

#define _GNU_SOURCE
#include "imports.h"

#ifdef RERENDER_GTK
#include "CImports.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct wish {
    const char *name;
    void *function;
    /// Whether it is for GTK itself, and not for the program and its other libraries.
    bool is_for_gtk;
    /// The function of that name in GObject, where it is for GTK.
    void *built;
};

/// Whether a slot has the function that GTK was built for, or GTK's own code that looks it up on its first call. Another library's
/// would no longer be called. Nothing is asked of the loader here: its locks are held.
static bool is_as_built(const struct dl_phdr_info *info, void *const *place, const struct wish *wish) {
    void *function = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (function == wish->built) return true;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        uintptr_t low = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (uintptr_t)function >= low && (uintptr_t)function < low + part->p_memsz)
            return true;
    }
    return false;
}

static void replace(const struct dl_phdr_info *info, void **place, void *context) {
    const struct wish *wish = context;
    if (!wish->is_for_gtk || is_as_built(info, place, wish)) cimports_write(info, place, wish->function);
}

static bool is_meant(const struct dl_phdr_info *info, const struct wish *wish) {
    const char *file = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    bool is_gtk = file && strncmp(file, "/libgtk-4.", 10) == 0;
    if (is_gtk || wish->is_for_gtk) return is_gtk && wish->is_for_gtk;
    return !file || (strncmp(file, "/librerender-", 13) != 0 && strncmp(file, "/ld-linux", 9) != 0);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct wish *wish = context;
    // The kernel's file has addresses of its own kind.
    bool is_kernels = info->dlpi_name && strncmp(info->dlpi_name, "linux-", 6) == 0;
    if (is_meant(info, wish) && !is_kernels) cimports_each(info, wish->name, replace, wish);
    return 0;
}

void imports_replace(const char *name, void *function) {
    struct wish wish = {name, function, false, NULL};
    dl_iterate_phdr(visit, &wish);
}

void imports_replace_in_gtk(const char *name, void *function) {
    void *library = dlopen("libgobject-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return;
    struct wish wish = {name, function, true, dlsym(library, name)};
    dlclose(library);
    dl_iterate_phdr(visit, &wish);
}
#endif

// SPDX-License-Identifier: MIT
// Writes into the tables through which files call functions of other files. Nothing is exported, so nobody finds it by a name.

#define _GNU_SOURCE
#include "imports.h"

#ifdef RERENDER_GTK
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { SLOT = -1, ADDRESS = -1 };
#endif

struct wish {
    const char *name;
    void *function;
    /// Whether it is for GTK itself, and not for the program and its other libraries.
    bool is_for_gtk;
    /// The function of that name in GObject, where it is for GTK.
    void *built;
};

/// What a file says of the names that it needs.
struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * calls, *others;
    size_t call_bytes, other_bytes;
};

/// The loader has added the file's address to these already.
static void read_dynamic(const ElfW(Dyn) * entry, struct tables *tables) {
    for (; entry->d_tag != DT_NULL; entry++) switch (entry->d_tag) {
        case DT_SYMTAB: tables->symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: tables->names = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: tables->calls = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: tables->call_bytes = entry->d_un.d_val; break;
        case DT_RELA: tables->others = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: tables->other_bytes = entry->d_un.d_val; break;
        default: break;
        }
}

/// Whether a place is in the part that the loader makes read-only when it has filled it.
static bool is_read_only(const struct dl_phdr_info *info, uintptr_t place) {
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        uintptr_t low = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_RELRO && place >= low && place < low + part->p_memsz) return true;
    }
    return false;
}

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

static void write_slot(const struct dl_phdr_info *info, void **place, void *function) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), low = (uintptr_t)place & ~(page - 1);
    bool is_locked = is_read_only(info, (uintptr_t)place);
    if (is_locked && mprotect((void *)low, page, PROT_READ | PROT_WRITE) != 0) return;
    __atomic_store_n(place, function, __ATOMIC_RELEASE);
    if (is_locked) mprotect((void *)low, page, PROT_READ);
}

static void replace_in(const struct dl_phdr_info *info, const struct tables *tables, const ElfW(Rela) * table,
                       size_t bytes, const struct wish *wish) {
    for (size_t index = 0; table && index < bytes / sizeof *table; index++) {
        int kind = (int)ELF64_R_TYPE(table[index].r_info);
        if (kind != SLOT && kind != ADDRESS) continue;
        const ElfW(Sym) *symbol = &tables->symbols[ELF64_R_SYM(table[index].r_info)];
        if (strcmp(tables->names + symbol->st_name, wish->name) != 0) continue;
        void **place = (void **)(info->dlpi_addr + table[index].r_offset);
        if (wish->is_for_gtk && !is_as_built(info, place, wish)) continue;
        write_slot(info, place, wish->function);
    }
}

static bool is_meant(const struct dl_phdr_info *info, const struct wish *wish) {
    const char *file = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    bool is_gtk = file && strncmp(file, "/libgtk-4.", 10) == 0;
    if (is_gtk || wish->is_for_gtk) return is_gtk && wish->is_for_gtk;
    return !file || (strncmp(file, "/librerender-", 13) != 0 && strncmp(file, "/ld-linux", 9) != 0);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    // The kernel's file has addresses of its own kind.
    if (!is_meant(info, context) || (info->dlpi_name && strncmp(info->dlpi_name, "linux-", 6) == 0)) return 0;
    struct tables tables = {0};
    for (int index = 0; index < info->dlpi_phnum; index++)
        if (info->dlpi_phdr[index].p_type == PT_DYNAMIC)
            read_dynamic((const void *)(info->dlpi_addr + info->dlpi_phdr[index].p_vaddr), &tables);
    if (!tables.symbols || !tables.names) return 0;
    replace_in(info, &tables, tables.calls, tables.call_bytes, context);
    replace_in(info, &tables, tables.others, tables.other_bytes, context);
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

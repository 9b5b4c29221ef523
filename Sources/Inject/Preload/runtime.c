// SPDX-License-Identifier: MIT
// Finds the Swift runtime of a process, and our libraries for it. Scripts/lib/preload compiles this.
#define _GNU_SOURCE
#include "parts.h"

#include "memory.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// MARK: The report

void report(const char *kind, const char *format, ...) {
    char text[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    crerender_report(kind, text);
}

// MARK: The runtime

static int find_core(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!name || strcmp(name, "/libswiftCore.so") != 0) return 0;
    snprintf(context, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

void *runtime_function(const char *name) {
    char path[PATH_MAX];
    if (!dl_iterate_phdr(find_core, path)) return NULL;
    void *core = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!core) return NULL;
    void *function = dlsym(core, name);
    dlclose(core);
    return function;
}

bool find_runtime(struct runtime *runtime) {
    if (!dl_iterate_phdr(find_core, runtime->path)) return false;
    *(void **)&runtime->enumerate = runtime_function("swift_enumerateAllMetadataSections");
    *(void **)&runtime->version = runtime_function("$sSo19_SwiftStdlibVersionasE7currentABvgZ");
    return runtime->enumerate;
}

// MARK: Our libraries

bool load_libraries(const char *core) {
    static const char *const names[] = {RERENDER_LIBRARIES};
    int directory = (int)(strrchr(core, '/') - core);
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s/%s", directory, core, names[index]);
        // Never closed: the Swift part stays, and needs it.
        if (dlopen(names[index], RTLD_LAZY | RTLD_NOLOAD) || dlopen(path, RTLD_LAZY)) continue;
        report("refused", "its Swift runtime, %s, has no %s beside it", core, names[index]);
        return false;
    }
    return true;
}

bool is_of_our_version(const struct runtime *runtime) {
    uint32_t version = runtime->version ? runtime->version() : 0;
    if (version == RERENDER_SWIFT_VERSION) return true;
    report("refused", "its Swift runtime, %s, is version %u.%u.%u, and rerender was built with %u.%u.%u", runtime->path,
           version >> 16, version >> 8 & 0xFF, version & 0xFF, RERENDER_SWIFT_VERSION >> 16,
           RERENDER_SWIFT_VERSION >> 8 & 0xFF, RERENDER_SWIFT_VERSION & 0xFF);
    return false;
}

bool find_part(const char *file, char *path) {
    Dl_info own;
    if (!dladdr((const void *)find_part, &own) || !own.dli_fname) return false;
    const char *name = strrchr(own.dli_fname, '/');
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)(name ? name - own.dli_fname : 0), own.dli_fname, file);
    return length > 0 && length < PATH_MAX;
}

// A file with Swift code calls `swift_addNewDSOImage` when it is initialised, so it has that among the symbols that it imports.

static const char announcement[] = "swift_addNewDSOImage";

/// What a file's dynamic section tells of its symbols.
struct symbols {
    uintptr_t table, names, hash, gnu_hash;
};

/// The loader has made addresses of most of these offsets.
static uintptr_t in_memory(const struct dl_phdr_info *file, uintptr_t place) {
    return place < file->dlpi_addr ? place + file->dlpi_addr : place;
}

static struct symbols symbols_of(struct crerender_memory *memory, const struct dl_phdr_info *file) {
    struct symbols symbols = {0};
    for (size_t index = 0; index < file->dlpi_phnum; index++) {
        if (file->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(file->dlpi_addr + file->dlpi_phdr[index].p_vaddr);
        for (; crerender_has(memory, entry, sizeof *entry) && entry->d_tag != DT_NULL; entry++) {
            uintptr_t place = in_memory(file, entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) symbols.table = place;
            if (entry->d_tag == DT_STRTAB) symbols.names = place;
            if (entry->d_tag == DT_HASH) symbols.hash = place;
            if (entry->d_tag == DT_GNU_HASH) symbols.gnu_hash = place;
        }
    }
    return symbols;
}

/// How many symbols stand in front of the first that the file has for others; of all where that is not known.
static uint32_t imports_of(struct crerender_memory *memory, const struct symbols *symbols) {
    if (symbols->gnu_hash && memory_has(memory, symbols->gnu_hash, 8)) return word(symbols->gnu_hash + 4);
    return symbols->hash && memory_has(memory, symbols->hash, 8) ? word(symbols->hash + 4) : 0;
}

static bool imports_announcement(struct crerender_memory *memory, const struct dl_phdr_info *file) {
    struct symbols symbols = symbols_of(memory, file);
    if (!symbols.table || !symbols.names) return false;
    uint32_t count = imports_of(memory, &symbols);
    for (uint32_t index = 1; index < count; index++) {
        const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols.table + index;
        if (!crerender_has(memory, symbol, sizeof *symbol)) return false;
        const char *name = symbol->st_shndx == SHN_UNDEF ? memory_text(memory, symbols.names + symbol->st_name) : NULL;
        if (name && !strcmp(name, announcement)) return true;
    }
    return false;
}

struct search {
    struct crerender_memory *memory;
    sections_enumerator enumerate;
    /// The file that is looked at, and whether something in it was announced.
    uintptr_t start, end;
    bool is_known, is_due;
};

static bool is_of_file(const struct crerender_sections *sections, void *context) {
    struct search *search = context;
    search->is_known = (uintptr_t)sections >= search->start && (uintptr_t)sections < search->end;
    return !search->is_known;
}

static int look_at(struct dl_phdr_info *file, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    search->start = UINTPTR_MAX;
    search->end = 0;
    for (size_t index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &file->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        uintptr_t start = file->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        if (start < search->start) search->start = start;
        if (end > search->end) search->end = end;
    }
    if (!imports_announcement(search->memory, file)) return 0;
    search->is_known = false;
    search->enumerate(is_of_file, search);
    search->is_due = !search->is_known;
    return search->is_due;
}

bool is_announcement_due(struct crerender_memory *memory, sections_enumerator enumerate) {
    struct search search = {.memory = memory, .enumerate = enumerate};
    dl_iterate_phdr(look_at, &search);
    return search.is_due;
}

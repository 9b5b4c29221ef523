// SPDX-License-Identifier: MIT
// Goes over the files with Swift code that the runtime knows.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

/// Of libswiftCore, which every Swift program has. There is no header.
extern void swift_enumerateAllMetadataSections(bool (*body)(const struct crerender_sections *sections, void *context),
                                               void *context);

struct search {
    struct crerender_memory *memory;
    const char *names;
    crerender_view_visitor visit;
    void *context;
};

static bool search_image(const struct crerender_sections *sections, void *context) {
    struct search *search = context;
    if (sections->version != CRERENDER_SECTIONS_VERSION) return true;
    return crerender_find_views(search->memory, (const int32_t *)sections->conformances.start,
                                sections->conformances.length, search->names, search->visit, search->context);
}

void crerender_each_view(struct crerender_memory *memory, const char *names, crerender_view_visitor visit,
                         void *context) {
    struct search search = {memory, names, visit, context};
    swift_enumerateAllMetadataSections(search_image, &search);
}

struct range {
    uintptr_t start, end;
};

static int find_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct range *range = context;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        if (!range->end || start < range->start) range->start = start;
        if (end > range->end) range->end = end;
    }
    // The first is the program.
    return 1;
}

bool crerender_is_in_program(const void *address) {
    struct range range = {0};
    dl_iterate_phdr(find_program, &range);
    return (uintptr_t)address >= range.start && (uintptr_t)address < range.end;
}

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

/// What the runtime answers: metadata, and how complete it is.
struct response {
    const void *metadata;
    size_t state;
};

/// Of libswiftCore. `base` lies one requirement in front of the first: as many entries as a table has in front of them.
extern struct response swift_getAssociatedTypeWitness(size_t request, const void *table, const void *type,
                                                      const void *base, const void *requirement);

const void *crerender_associated_type(const void *protocol, uint32_t requirement, const void *type, const void *table) {
    uint32_t in_signature = ((const uint32_t *)protocol)[3], count = ((const uint32_t *)protocol)[4];
    if (requirement >= count) return NULL;
    const char *first = (const char *)protocol + 24 + 12 * (size_t)in_signature,
               *wanted = first + 8 * (size_t)requirement;
    if ((*(const uint8_t *)wanted & 0xF) != CRERENDER_ASSOCIATED_TYPE) return NULL;
    // Complete metadata is request 0.
    return swift_getAssociatedTypeWitness(0, table, type, first - 8, wanted).metadata;
}

struct search {
    struct crerender_memory *memory;
    const char *names;
    crerender_view_visitor visit;
    void *context;
};

static bool search_image(const struct crerender_sections *sections, void *context) {
    struct search *search = context;
    // The runtime forgets no file, also where it was unloaded.
    if (!crerender_has(search->memory, sections, sizeof *sections)) return true;
    if (!crerender_knows_sections(sections->version)) return true;
    return crerender_find_views(search->memory, (const int32_t *)sections->conformances.start,
                                sections->conformances.length, search->names, search->visit, search->context);
}

void crerender_each_view(struct crerender_memory *memory, const char *names, crerender_view_visitor visit,
                         void *context) {
    struct search search = {memory, names, visit, context};
    swift_enumerateAllMetadataSections(search_image, &search);
}

struct type_search {
    struct crerender_memory *memory;
    const char *module;
    crerender_type_visitor visit;
    void *context;
};

static bool search_types(const struct crerender_sections *sections, void *context) {
    struct type_search *search = context;
    if (!crerender_has(search->memory, sections, sizeof *sections)) return true;
    if (!crerender_knows_sections(sections->version)) return true;
    return crerender_find_types(search->memory, (const int32_t *)sections->types.start, sections->types.length,
                                search->module, search->visit, search->context);
}

void crerender_each_type(struct crerender_memory *memory, const char *module, crerender_type_visitor visit,
                         void *context) {
    struct type_search search = {memory, module, visit, context};
    swift_enumerateAllMetadataSections(search_types, &search);
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

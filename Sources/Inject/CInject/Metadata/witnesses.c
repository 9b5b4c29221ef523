// SPDX-License-Identifier: MIT
// Finds what stands for a requirement: in a witness table or, for tables that are made at run time, in the conformance's records.
//
// A library that was built with `-enable-library-evolution` may add requirements to its protocols. So each file that conforms to one
// has a list of its witnesses, and the runtime makes the table of them when it is first asked for
// (include/swift/ABI/Metadata.h of the compiler: TargetProtocolConformanceDescriptor and what trails it).
#define _GNU_SOURCE
#include "memory.h"

#include "crerender_inject.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

enum {
    CONFORMANCE_BYTES = 16,
    IS_RETROACTIVE = 1 << 6,
    HAS_RESILIENT_WITNESSES = 1 << 16,
    CONDITION_BYTES = 12,
    PACK_SHAPE_BYTES = 8,
    WITNESS_BYTES = 8,
};

/// Where the list of a conformance's witnesses is, and how many it has; 0 where there is none.
static uintptr_t list_of(struct crerender_memory *memory, uintptr_t conformance, uint32_t *count) {
    if (!memory_has(memory, conformance, CONFORMANCE_BYTES)) return 0;
    uint32_t flags = word(conformance + 12);
    if (!(flags & HAS_RESILIENT_WITNESSES)) return 0;
    uint32_t conditions = flags >> 8 & 0xFF, packs = flags >> 24;
    uintptr_t list = conformance + CONFORMANCE_BYTES + (flags & IS_RETROACTIVE ? 4 : 0) +
                     CONDITION_BYTES * (uintptr_t)conditions + PACK_SHAPE_BYTES * (uintptr_t)packs;
    if (!memory_has(memory, list, 4)) return 0;
    *count = word(list);
    list += 4;
    if (*count > MOST_REQUIREMENTS || !memory_has(memory, list, WITNESS_BYTES * (size_t)*count)) return 0;
    return list;
}

/// The record of a requirement in that list.
static int32_t *record_for(struct crerender_memory *memory, const struct crerender_view *view, uint32_t requirement) {
    uint32_t count = 0, of_protocol = 0;
    uintptr_t list = list_of(memory, (uintptr_t)view->conformance, &count);
    uintptr_t requirements = memory_requirements(memory, (uintptr_t)view->protocol, &of_protocol);
    if (!list || !requirements || requirement >= of_protocol) return NULL;
    for (uint32_t index = 0; index < count; index++) {
        uintptr_t witness = list + WITNESS_BYTES * (uintptr_t)index;
        if (memory_indirectable(memory, witness) != requirements + 8 * (uintptr_t)requirement) continue;
        return memory_relative(memory, witness + 4) ? (int32_t *)(witness + 4) : NULL;
    }
    return NULL;
}

struct crerender_witness crerender_witness_for(struct crerender_memory *memory, const struct crerender_view *view,
                                               uint32_t requirement) {
    struct crerender_witness witness = {0};
    if (requirement >= view->requirements) return witness;
    // It comes into the table after what the pattern has there.
    witness.record = record_for(memory, view, requirement);
    // The first entry is the conformance.
    if (!witness.record && view->table && view->table[1 + requirement]) witness.entry = view->table + 1 + requirement;
    return witness;
}

const void *crerender_value_of(struct crerender_witness witness) {
    if (witness.entry) return __atomic_load_n(witness.entry, __ATOMIC_ACQUIRE);
    if (!witness.record) return NULL;
    return (const void *)((uintptr_t)witness.record +
                          (uintptr_t)(intptr_t)__atomic_load_n(witness.record, __ATOMIC_ACQUIRE));
}

// Goes over the files with Swift code that the runtime knows.

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

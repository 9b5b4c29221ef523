// SPDX-License-Identifier: MIT
// Finds what stands for a requirement: in a witness table or, for tables that are made at run time, in the conformance's records.
//
// A library that was built with `-enable-library-evolution` may add requirements to its protocols. So each file that conforms to one
// has a list of its witnesses, and the runtime makes the table of them when it is first asked for
// (include/swift/ABI/Metadata.h of the compiler: TargetProtocolConformanceDescriptor and what trails it).

#define _GNU_SOURCE
#include "memory.h"

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

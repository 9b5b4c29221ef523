// SPDX-License-Identifier: MIT
// Reads Swift's sections of conformances: which types conform to a protocol with the shape of a view.
//
// The layout is Swift's stable ABI (docs/ABI/TypeMetadata.rst of the compiler, include/swift/ABI/MetadataValues.h). A
// program's memory is trusted as far as its segments reach: an address outside of them is not followed, and a
// text has an end within them. This file is also part of the preloaded library, so it calls libc alone.

#define _GNU_SOURCE
#include "memory.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    DEEPEST_NESTING = 32,
    IS_RETROACTIVE = 1 << 6,
};

const char *crerender_name_of(struct crerender_memory *memory, const void *descriptor) {
    return memory_text(memory, memory_relative(memory, (uintptr_t)descriptor + 8));
}

const char *crerender_module_of(struct crerender_memory *memory, const void *descriptor) {
    uintptr_t context = (uintptr_t)descriptor;
    for (int depth = 0; depth < DEEPEST_NESTING && memory_has(memory, context, 12); depth++) {
        if ((word(context) & 0x1F) == CRERENDER_MODULE)
            return memory_text(memory, memory_relative(memory, context + 8));
        context = memory_indirectable(memory, context + 4);
    }
    return NULL;
}

uint32_t crerender_kind_of(struct crerender_memory *memory, const void *descriptor) {
    return memory_has(memory, (uintptr_t)descriptor, 12) ? word((uintptr_t)descriptor) & 0x1F : UINT32_MAX;
}

/// The type that a mangled name refers to: a byte 1 in front of a relative pointer to it, 2 of one to its address.
static uintptr_t type_by_reference(struct crerender_memory *memory, uintptr_t name) {
    if (!name || !memory_has(memory, name, 5)) return 0;
    uint8_t kind = *(const uint8_t *)name;
    if (kind != 1 && kind != 2) return 0;
    uintptr_t target = memory_relative(memory, name + 1);
    if (kind == 1 || !target) return target;
    if (!memory_has(memory, target, sizeof target)) return 0;
    memcpy(&target, (const void *)target, sizeof target);
    return target;
}

bool crerender_is_never(struct crerender_memory *memory, const void *entry) {
    uintptr_t type = (uintptr_t)entry;
    if (type & 1) {
        type = type_by_reference(memory, type & ~(uintptr_t)1);
    } else {
        if (!memory_has(memory, type, 16)) return false;
        memcpy(&type, (const void *)(type + 8), sizeof type);
    }
    if (!memory_has(memory, type, 12) || crerender_kind_of(memory, (const void *)type) != CRERENDER_ENUM) return false;
    const char *name = crerender_name_of(memory, (const void *)type);
    const char *module = crerender_module_of(memory, (const void *)type);
    return name && module && strcmp(name, "Never") == 0 && strcmp(module, "Swift") == 0;
}

const void *crerender_parent_of(struct crerender_memory *memory, const void *descriptor) {
    uintptr_t context = (uintptr_t)descriptor;
    if (!memory_has(memory, context, 12)) return NULL;
    if (crerender_kind_of(memory, descriptor) == CRERENDER_EXTENSION) {
        uintptr_t type = type_by_reference(memory, memory_relative(memory, context + 8));
        if (type && memory_has(memory, type, 12)) return (const void *)type;
    }
    return (const void *)memory_indirectable(memory, context + 4);
}

const char *crerender_extended_name_of(struct crerender_memory *memory, const void *descriptor) {
    if (crerender_kind_of(memory, descriptor) != CRERENDER_EXTENSION) return NULL;
    const char *name = memory_text(memory, memory_relative(memory, (uintptr_t)descriptor + 8));
    // Bytes below a blank refer to other types.
    for (const char *letter = name; letter && *letter; letter++) {
        if (*letter < ' ' || *letter > '~') return NULL;
    }
    return name;
}

/// Whether `MODULE.NAME` is in a list with commas.
static bool is_listed(const char *names, const char *module, const char *name) {
    size_t of_module = strlen(module), of_name = strlen(name);
    while (names && *names) {
        size_t length = strcspn(names, ",");
        if (length == of_module + 1 + of_name && !memcmp(names, module, of_module) && names[of_module] == '.' &&
            !memcmp(names + of_module + 1, name, of_name)) {
            return true;
        }
        names += length + (names[length] == ',');
    }
    return false;
}

/// What is known of a protocol; kept for the next record, which is often of the same one.
struct protocol {
    uintptr_t address;
    bool is_asked_for;
    uint32_t getters, slot, requirements, others;
};

uintptr_t memory_requirements(struct crerender_memory *memory, uintptr_t protocol, uint32_t *count) {
    if (!memory_has(memory, protocol, 24)) return 0;
    uint32_t in_signature = word(protocol + 12);
    *count = word(protocol + 16);
    if (in_signature > MOST_REQUIREMENTS || *count > MOST_REQUIREMENTS) return 0;
    size_t before = 24 + 12 * (size_t)in_signature;
    // All of it in one piece: who goes over the signature reads what lies before the requirements.
    return memory_has(memory, protocol, before + 8 * (size_t)*count) ? protocol + before : 0;
}

uint32_t crerender_requirements_of(struct crerender_memory *memory, const void *protocol, uint8_t *flags,
                                   uint32_t capacity) {
    uint32_t count = 0;
    uintptr_t requirements = memory_requirements(memory, (uintptr_t)protocol, &count);
    if (!requirements) return 0;
    for (uint32_t index = 0; index < count && index < capacity; index++) {
        flags[index] = (uint8_t)word(requirements + 8 * (uintptr_t)index);
    }
    return count;
}

bool crerender_may_be_objects(struct crerender_memory *memory, const void *protocol) {
    uint32_t count = 0;
    if (!memory_requirements(memory, (uintptr_t)protocol, &count)) return true;
    // The views themselves, too: they are handed over as their results are.
    if (!(word((uintptr_t)protocol) >> 16 & 1)) return true;
    uint32_t in_signature = word((uintptr_t)protocol + 12);
    for (uint32_t index = 0; index < in_signature; index++) {
        uintptr_t requirement = (uintptr_t)protocol + 24 + 12 * (uintptr_t)index;
        // Of kind 0 are those that ask for a protocol; its flags say whether only classes can conform to it.
        uintptr_t asked = word(requirement) & 0x1F ? 0 : memory_indirectable(memory, requirement + 8);
        if (!asked || !memory_has(memory, asked, 4) || !(word(asked) >> 16 & 1)) return true;
    }
    return false;
}

/// Whether the first of `names`, which have blanks between them, is `name`.
static bool is_first(const char *names, const char *name) {
    size_t length = strcspn(names, " ");
    return length == strlen(name) && !memcmp(names, name, length);
}

int64_t crerender_place_of_associated_type(struct crerender_memory *memory, const void *protocol, const char *name) {
    uint32_t count = 0;
    uintptr_t requirements = memory_requirements(memory, (uintptr_t)protocol, &count);
    const char *names = memory_text(memory, memory_relative(memory, (uintptr_t)protocol + 20));
    if (!requirements || !names) return -1;
    // The names are in the order of the requirements.
    for (uint32_t index = 0; index < count; index++) {
        if ((word(requirements + 8 * (uintptr_t)index) & 0xF) != CRERENDER_ASSOCIATED_TYPE) continue;
        if (is_first(names, name)) return index;
        names += strcspn(names, " ");
        if (!*names++) return -1;
    }
    return -1;
}

/// A word of memory that may be none, as what is passed for a table may be anything: the kernel reads it. 0 where it cannot.
static uintptr_t word_at(const void *address) {
    uintptr_t found = 0;
    struct iovec here = {&found, sizeof found}, there = {(void *)address, sizeof found};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof found ? found : 0;
}

bool crerender_is_table_of(const void *table, const void *conformance) {
    return conformance && word_at(table) == (uintptr_t)conformance;
}

const void *crerender_protocol_of_table(struct crerender_memory *memory, const void *table) {
    // A table that was made at run time is in no file.
    uintptr_t conformance = word_at(table);
    if (!memory_has(memory, conformance, 16)) return NULL;
    uintptr_t protocol = memory_indirectable(memory, conformance);
    if (!protocol || !memory_has(memory, protocol, 24) || (word(protocol) & 0x1F) != CRERENDER_PROTOCOL) return NULL;
    return (const void *)protocol;
}

bool crerender_find_associated_type(struct crerender_memory *memory, const void *table, const char *module,
                                    const char *name, struct crerender_associated *found) {
    enum { MOST_TABLES = 64 };
    const void *tables[MOST_TABLES] = {table};
    size_t count = 1;
    for (size_t index = 0; index < count; index++) {
        const void *protocol = crerender_protocol_of_table(memory, tables[index]);
        const char *declarer = protocol ? crerender_module_of(memory, protocol) : NULL;
        if (!declarer || strcmp(declarer, module) != 0) continue;
        int64_t place = crerender_place_of_associated_type(memory, protocol, name);
        if (place >= 0) {
            *found = (struct crerender_associated){protocol, tables[index], (uint32_t)place};
            return true;
        }
        uint32_t of_protocol = 0;
        uintptr_t requirements = memory_requirements(memory, (uintptr_t)protocol, &of_protocol);
        for (uint32_t base = 0; requirements && base < of_protocol && count < MOST_TABLES; base++) {
            if ((word(requirements + 8 * (uintptr_t)base) & 0xF) != CRERENDER_BASE_PROTOCOL) continue;
            // The first entry of a table is its conformance.
            const void *table_of_base = (const void *)word_at((const void *const *)tables[index] + 1 + base);
            if (table_of_base) tables[count++] = table_of_base;
        }
    }
    return false;
}

static void look_at_requirements(struct crerender_memory *memory, struct protocol *protocol) {
    uint32_t count = 0;
    uintptr_t requirements = memory_requirements(memory, protocol->address, &count);
    if (!requirements) return;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t flags = word(requirements + 8 * (uintptr_t)index);
        switch (flags & 0xF) {
        case CRERENDER_GETTER:
            if (!(flags & CRERENDER_OF_INSTANCE))
                protocol->others |= CRERENDER_HAS_STATIC_PROPERTY;
            else if (flags & CRERENDER_ASYNC)
                protocol->others |= CRERENDER_HAS_ASYNC_PROPERTY;
            else if (protocol->getters++ == 0)
                protocol->slot = 1 + index;
            break;
        case CRERENDER_METHOD: protocol->others |= CRERENDER_HAS_METHOD; break;
        case CRERENDER_BASE_PROTOCOL: protocol->others |= CRERENDER_HAS_BASE; break;
        default: break;
        }
    }
    protocol->requirements = count;
}

static struct protocol look_at(struct crerender_memory *memory, uintptr_t address, const char *names) {
    struct protocol protocol = {.address = address};
    if (!memory_has(memory, address, 24) || (word(address) & 0x1F) != CRERENDER_PROTOCOL) return protocol;
    const char *name = crerender_name_of(memory, (const void *)address);
    if (!name) return protocol;
    if (strcmp(name, "View") != 0) {
        const char *module = names && *names ? crerender_module_of(memory, (const void *)address) : NULL;
        if (!module || !is_listed(names, module, name)) return protocol;
    }
    protocol.is_asked_for = true;
    look_at_requirements(memory, &protocol);
    return protocol;
}

/// The type's descriptor; 0 for what has none of Swift's.
static uintptr_t type_of(struct crerender_memory *memory, uintptr_t conformance, uint32_t flags) {
    uintptr_t type = memory_relative(memory, conformance + 4);
    switch (flags >> 3 & 7) {
    case 0: return type;
    case 1:
        if (!type || !memory_has(memory, type, sizeof type)) return 0;
        memcpy(&type, (const void *)type, sizeof type);
        return type;
    default: return 0;
    }
}

bool crerender_find_views(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *names,
                          crerender_view_visitor visit, void *context) {
    struct protocol protocol = {0};
    for (size_t index = 0; index < bytes / 4; index++) {
        uintptr_t conformance = memory_relative(memory, (uintptr_t)(section + index));
        if (!conformance || !memory_has(memory, conformance, 16)) continue;
        uintptr_t address = memory_indirectable(memory, conformance);
        if (!address) continue;
        if (address != protocol.address) protocol = look_at(memory, address, names);
        if (!protocol.is_asked_for) continue;
        uint32_t flags = word(conformance + 12);
        uintptr_t type = type_of(memory, conformance, flags);
        uintptr_t table = memory_relative(memory, conformance + 8);
        if (!type || !memory_has(memory, type, 20)) continue;
        if (table && !memory_has(memory, table, (protocol.requirements + 1) * sizeof(void *))) continue;
        uintptr_t declarer = flags & IS_RETROACTIVE ? memory_indirectable(memory, conformance + 16) : type;
        struct crerender_view view = {
            .conformance = (const void *)conformance,
            .protocol = (const void *)address,
            .type = (const void *)type,
            .module = declarer ? crerender_module_of(memory, (const void *)declarer) : NULL,
            .table = (void **)table,
            .requirements = protocol.requirements,
            .getters = protocol.getters,
            .slot = protocol.slot,
            .others = protocol.others,
        };
        if (!visit(&view, context)) return false;
    }
    return true;
}

bool crerender_find_types(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *module,
                          crerender_type_visitor visit, void *context) {
    for (size_t index = 0; index < bytes / 4; index++) {
        uintptr_t at = (uintptr_t)(section + index);
        if (!memory_has(memory, at, 4)) return true;
        // The two lowest bits say whether it leads to the type or to its address.
        uint32_t record = word(at);
        uintptr_t type = at + (uintptr_t)(intptr_t)(int32_t)(record & ~3u);
        if ((record & 3) == 1 && memory_has(memory, type, sizeof type)) memcpy(&type, (const void *)type, sizeof type);
        if ((record & 3) > 1 || !memory_has(memory, type, 20)) continue;
        uintptr_t parent = memory_indirectable(memory, type + 4);
        if (!parent || crerender_kind_of(memory, (const void *)parent) != CRERENDER_MODULE) continue;
        const char *name = memory_text(memory, memory_relative(memory, parent + 8));
        if (name && !strcmp(name, module) && !visit((const void *)type, context)) return false;
    }
    return true;
}

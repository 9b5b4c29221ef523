// SPDX-License-Identifier: MIT
// Reads Swift's sections of conformances: which types conform to a protocol with the shape of a view.
//
// The layout is Swift's stable ABI (docs/ABI/TypeMetadata.rst of the compiler, include/swift/ABI/MetadataValues.h). A
// program's memory is trusted as far as its segments reach: an address outside of them is not followed, and a
// text has an end within them. This file is also part of the preloaded library, so it calls libc alone.

#define _GNU_SOURCE
#include "crerender_inject.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    LONGEST_NAME = 1024,
    MOST_SEGMENTS = 8192,
    MOST_REQUIREMENTS = 1024,
    DEEPEST_NESTING = 32,
    IS_RETROACTIVE = 1 << 6,
};

struct segment {
    uintptr_t start, end;
};

struct crerender_memory {
    size_t count, capacity;
    /// Where the last address was: the next is mostly there, too.
    size_t last;
    struct segment segments[];
};

static struct crerender_memory *memory_with(size_t capacity) {
    struct crerender_memory *memory = malloc(sizeof *memory + capacity * sizeof(struct segment));
    if (memory) *memory = (struct crerender_memory){.capacity = capacity};
    return memory;
}

static int add_segments(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct crerender_memory *memory = context;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_R)) continue;
        if (memory->count == memory->capacity) return 1;
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        memory->segments[memory->count++] = (struct segment){start, start + header->p_memsz};
    }
    return 0;
}

struct crerender_memory *crerender_memory_of_process(void) {
    struct crerender_memory *memory = memory_with(MOST_SEGMENTS);
    if (memory) dl_iterate_phdr(add_segments, memory);
    return memory;
}

struct crerender_memory *crerender_memory_of(const uintptr_t *starts, const uintptr_t *ends, size_t count) {
    struct crerender_memory *memory = memory_with(count);
    for (size_t index = 0; memory && index < count; index++) {
        memory->segments[memory->count++] = (struct segment){starts[index], ends[index]};
    }
    return memory;
}

/// How many bytes can be read from an address.
static size_t readable(struct crerender_memory *memory, uintptr_t address) {
    for (size_t tried = 0; tried < memory->count; tried++) {
        size_t index = memory->last + tried;
        if (index >= memory->count) index -= memory->count;
        struct segment segment = memory->segments[index];
        if (address < segment.start || address >= segment.end) continue;
        memory->last = index;
        return segment.end - address;
    }
    return 0;
}

static bool has(struct crerender_memory *memory, uintptr_t address, size_t bytes) {
    return readable(memory, address) >= bytes;
}

bool crerender_has(struct crerender_memory *memory, const void *address, size_t bytes) {
    return has(memory, (uintptr_t)address, bytes);
}

static uint32_t word(uintptr_t address) {
    uint32_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

/// The address that a relative pointer leads to; 0 where it cannot be read, or leads nowhere.
static uintptr_t relative(struct crerender_memory *memory, uintptr_t at) {
    if (!has(memory, at, 4)) return 0;
    int32_t distance = (int32_t)word(at);
    return distance ? at + (uintptr_t)(intptr_t)distance : 0;
}

/// The same, where the lowest bit says that there is a pointer to it.
static uintptr_t indirectable(struct crerender_memory *memory, uintptr_t at) {
    uintptr_t target = relative(memory, at);
    if (!(target & 1)) return target;
    target &= ~(uintptr_t)1;
    if (!has(memory, target, sizeof(uintptr_t))) return 0;
    memcpy(&target, (const void *)target, sizeof target);
    return target;
}

static const char *text(struct crerender_memory *memory, uintptr_t address) {
    size_t bytes = address ? readable(memory, address) : 0;
    if (bytes > LONGEST_NAME) bytes = LONGEST_NAME;
    return bytes && memchr((const void *)address, 0, bytes) ? (const char *)address : NULL;
}

const char *crerender_name_of(struct crerender_memory *memory, const void *descriptor) {
    return text(memory, relative(memory, (uintptr_t)descriptor + 8));
}

const char *crerender_module_of(struct crerender_memory *memory, const void *descriptor) {
    uintptr_t context = (uintptr_t)descriptor;
    for (int depth = 0; depth < DEEPEST_NESTING && has(memory, context, 12); depth++) {
        if ((word(context) & 0x1F) == CRERENDER_MODULE) return text(memory, relative(memory, context + 8));
        context = indirectable(memory, context + 4);
    }
    return NULL;
}

uint32_t crerender_kind_of(struct crerender_memory *memory, const void *descriptor) {
    return has(memory, (uintptr_t)descriptor, 12) ? word((uintptr_t)descriptor) & 0x1F : UINT32_MAX;
}

/// The type that a mangled name refers to: a byte 1 in front of a relative pointer to it, 2 of one to its address.
static uintptr_t type_by_reference(struct crerender_memory *memory, uintptr_t name) {
    if (!name || !has(memory, name, 5)) return 0;
    uint8_t kind = *(const uint8_t *)name;
    if (kind != 1 && kind != 2) return 0;
    uintptr_t target = relative(memory, name + 1);
    if (kind == 1 || !target) return target;
    if (!has(memory, target, sizeof target)) return 0;
    memcpy(&target, (const void *)target, sizeof target);
    return target;
}

bool crerender_is_never(struct crerender_memory *memory, const void *entry) {
    uintptr_t type = (uintptr_t)entry;
    if (type & 1) {
        type = type_by_reference(memory, type & ~(uintptr_t)1);
    } else {
        if (!has(memory, type, 16)) return false;
        memcpy(&type, (const void *)(type + 8), sizeof type);
    }
    if (!has(memory, type, 12) || crerender_kind_of(memory, (const void *)type) != CRERENDER_ENUM) return false;
    const char *name = crerender_name_of(memory, (const void *)type);
    const char *module = crerender_module_of(memory, (const void *)type);
    return name && module && strcmp(name, "Never") == 0 && strcmp(module, "Swift") == 0;
}

const void *crerender_parent_of(struct crerender_memory *memory, const void *descriptor) {
    uintptr_t context = (uintptr_t)descriptor;
    if (!has(memory, context, 12)) return NULL;
    if (crerender_kind_of(memory, descriptor) == CRERENDER_EXTENSION) {
        uintptr_t type = type_by_reference(memory, relative(memory, context + 8));
        if (type && has(memory, type, 12)) return (const void *)type;
    }
    return (const void *)indirectable(memory, context + 4);
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
    bool is_view;
    uint32_t getters, slot, requirements;
};

/// Where the requirements of a protocol are, and how many; 0 where they cannot be read.
static uintptr_t requirements_of(struct crerender_memory *memory, uintptr_t protocol, uint32_t *count) {
    if (!has(memory, protocol, 24)) return 0;
    uint32_t in_signature = word(protocol + 12);
    *count = word(protocol + 16);
    if (in_signature > MOST_REQUIREMENTS || *count > MOST_REQUIREMENTS) return 0;
    uintptr_t requirements = protocol + 24 + 12 * (uintptr_t)in_signature;
    return has(memory, requirements, 8 * (size_t)*count) ? requirements : 0;
}

uint32_t crerender_requirements_of(struct crerender_memory *memory, const void *protocol, uint8_t *flags,
                                   uint32_t capacity) {
    uint32_t count = 0;
    uintptr_t requirements = requirements_of(memory, (uintptr_t)protocol, &count);
    if (!requirements) return 0;
    for (uint32_t index = 0; index < count && index < capacity; index++) {
        flags[index] = (uint8_t)word(requirements + 8 * (uintptr_t)index);
    }
    return count;
}

bool crerender_may_be_objects(struct crerender_memory *memory, const void *protocol) {
    uint32_t count = 0;
    if (!requirements_of(memory, (uintptr_t)protocol, &count)) return true;
    // The views themselves, too: they are handed over as their results are.
    if (!(word((uintptr_t)protocol) >> 16 & 1)) return true;
    uint32_t in_signature = word((uintptr_t)protocol + 12);
    for (uint32_t index = 0; index < in_signature; index++) {
        uintptr_t requirement = (uintptr_t)protocol + 24 + 12 * (uintptr_t)index;
        // Of kind 0 are those that ask for a protocol; its flags say whether only classes can conform to it.
        uintptr_t asked = word(requirement) & 0x1F ? 0 : indirectable(memory, requirement + 8);
        if (!asked || !has(memory, asked, 4) || !(word(asked) >> 16 & 1)) return true;
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
    uintptr_t requirements = requirements_of(memory, (uintptr_t)protocol, &count);
    const char *names = text(memory, relative(memory, (uintptr_t)protocol + 20));
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

const void *crerender_protocol_of_table(struct crerender_memory *memory, const void *table) {
    uintptr_t conformance = 0;
    // A table that was made at run time is in no file: the kernel reads what may be no memory.
    struct iovec here = {&conformance, sizeof conformance}, there = {(void *)table, sizeof conformance};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)sizeof conformance) return NULL;
    if (!has(memory, conformance, 16)) return NULL;
    uintptr_t protocol = indirectable(memory, conformance);
    if (!protocol || !has(memory, protocol, 24) || (word(protocol) & 0x1F) != CRERENDER_PROTOCOL) return NULL;
    return (const void *)protocol;
}

static void look_at_requirements(struct crerender_memory *memory, struct protocol *protocol) {
    uint32_t count = 0;
    uintptr_t requirements = requirements_of(memory, protocol->address, &count);
    if (!requirements) return;
    bool has_associated_type = false;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t flags = word(requirements + 8 * (uintptr_t)index), kind = flags & 0xF;
        if (kind == CRERENDER_ASSOCIATED_TYPE) has_associated_type = true;
        // An instance's, and not asynchronous.
        if (kind != CRERENDER_GETTER || (flags & (CRERENDER_OF_INSTANCE | CRERENDER_ASYNC)) != CRERENDER_OF_INSTANCE)
            continue;
        if (protocol->getters++ == 0) protocol->slot = 1 + index;
    }
    protocol->requirements = count;
    protocol->is_view = has_associated_type && protocol->getters > 0;
}

static struct protocol look_at(struct crerender_memory *memory, uintptr_t address, const char *names) {
    struct protocol protocol = {.address = address};
    if (!has(memory, address, 24) || (word(address) & 0x1F) != CRERENDER_PROTOCOL) return protocol;
    const char *name = crerender_name_of(memory, (const void *)address);
    if (!name) return protocol;
    if (strcmp(name, "View") != 0) {
        const char *module = names && *names ? crerender_module_of(memory, (const void *)address) : NULL;
        if (!module || !is_listed(names, module, name)) return protocol;
    }
    look_at_requirements(memory, &protocol);
    return protocol;
}

/// The type's descriptor; 0 for what has none of Swift's.
static uintptr_t type_of(struct crerender_memory *memory, uintptr_t conformance, uint32_t flags) {
    uintptr_t type = relative(memory, conformance + 4);
    switch (flags >> 3 & 7) {
    case 0: return type;
    case 1:
        if (!type || !has(memory, type, sizeof type)) return 0;
        memcpy(&type, (const void *)type, sizeof type);
        return type;
    default: return 0;
    }
}

bool crerender_find_views(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *names,
                          crerender_view_visitor visit, void *context) {
    struct protocol protocol = {0};
    for (size_t index = 0; index < bytes / 4; index++) {
        uintptr_t conformance = relative(memory, (uintptr_t)(section + index));
        if (!conformance || !has(memory, conformance, 16)) continue;
        uintptr_t address = indirectable(memory, conformance);
        if (!address) continue;
        if (address != protocol.address) protocol = look_at(memory, address, names);
        if (!protocol.is_view) continue;
        uint32_t flags = word(conformance + 12);
        uintptr_t type = type_of(memory, conformance, flags);
        uintptr_t table = relative(memory, conformance + 8);
        if (!type || !has(memory, type, 20)) continue;
        if (table && !has(memory, table, (protocol.requirements + 1) * sizeof(void *))) continue;
        uintptr_t declarer = flags & IS_RETROACTIVE ? indirectable(memory, conformance + 16) : type;
        struct crerender_view view = {
            .conformance = (const void *)conformance,
            .protocol = (const void *)address,
            .type = (const void *)type,
            .module = declarer ? crerender_module_of(memory, (const void *)declarer) : NULL,
            .table = (void **)table,
            .getters = protocol.getters,
            .slot = protocol.slot,
        };
        if (!visit(&view, context)) return false;
    }
    return true;
}

bool crerender_find_types(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *module,
                          crerender_type_visitor visit, void *context) {
    for (size_t index = 0; index < bytes / 4; index++) {
        uintptr_t at = (uintptr_t)(section + index);
        if (!has(memory, at, 4)) return true;
        // The two lowest bits say whether it leads to the type or to its address.
        uint32_t record = word(at);
        uintptr_t type = at + (uintptr_t)(intptr_t)(int32_t)(record & ~3u);
        if ((record & 3) == 1 && has(memory, type, sizeof type)) memcpy(&type, (const void *)type, sizeof type);
        if ((record & 3) > 1 || !has(memory, type, 20)) continue;
        uintptr_t parent = indirectable(memory, type + 4);
        if (!parent || crerender_kind_of(memory, (const void *)parent) != CRERENDER_MODULE) continue;
        const char *name = text(memory, relative(memory, parent + 8));
        if (name && !strcmp(name, module) && !visit((const void *)type, context)) return false;
    }
    return true;
}

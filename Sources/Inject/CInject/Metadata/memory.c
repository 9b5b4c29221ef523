// SPDX-License-Identifier: MIT
// Reads the loaded files, and nothing outside of them: an address that leads out of their segments is not followed.
//
// This file is also part of the preloaded library, so it calls libc alone.

#define _GNU_SOURCE
#include "memory.h"

#include <link.h>
#include <stdlib.h>

enum { MOST_SEGMENTS = 8192, LONGEST_NAME = 1024 };

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

bool memory_has(struct crerender_memory *memory, uintptr_t address, size_t bytes) {
    return readable(memory, address) >= bytes;
}

bool crerender_has(struct crerender_memory *memory, const void *address, size_t bytes) {
    return memory_has(memory, (uintptr_t)address, bytes);
}

uintptr_t memory_relative(struct crerender_memory *memory, uintptr_t at) {
    if (!memory_has(memory, at, 4)) return 0;
    int32_t distance = (int32_t)word(at);
    return distance ? at + (uintptr_t)(intptr_t)distance : 0;
}

uintptr_t memory_indirectable(struct crerender_memory *memory, uintptr_t at) {
    uintptr_t target = memory_relative(memory, at);
    if (!(target & 1)) return target;
    target &= ~(uintptr_t)1;
    if (!memory_has(memory, target, sizeof(uintptr_t))) return 0;
    memcpy(&target, (const void *)target, sizeof target);
    return target;
}

const char *memory_text(struct crerender_memory *memory, uintptr_t address) {
    size_t bytes = address ? readable(memory, address) : 0;
    if (bytes > LONGEST_NAME) bytes = LONGEST_NAME;
    return bytes && memchr((const void *)address, 0, bytes) ? (const char *)address : NULL;
}

// SPDX-License-Identifier: MIT
// Reads the memory of a program as far as its segments reach.

#ifndef CINJECT_MEMORY_H
#define CINJECT_MEMORY_H

#include "crerender_inject.h"

#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

/// The most requirements of a protocol that are looked at.
enum { MOST_REQUIREMENTS = 1024 };

/// Whether so many bytes can be read from an address.
HIDDEN bool memory_has(struct crerender_memory *memory, uintptr_t address, size_t bytes);

/// The address that a relative pointer leads to; 0 where it cannot be read, or leads nowhere.
HIDDEN uintptr_t memory_relative(struct crerender_memory *memory, uintptr_t at);

/// The same, where the lowest bit says that there is a pointer to it.
HIDDEN uintptr_t memory_indirectable(struct crerender_memory *memory, uintptr_t at);

/// The text at an address, which ends within the memory; null where there is none.
HIDDEN const char *memory_text(struct crerender_memory *memory, uintptr_t address);

/// Where the requirements of a protocol are, each of 8 bytes, and how many; 0 where they cannot be read.
HIDDEN uintptr_t memory_requirements(struct crerender_memory *memory, uintptr_t protocol, uint32_t *count);

/// A number in memory that can be read.
static inline uint32_t word(uintptr_t address) {
    uint32_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

#endif

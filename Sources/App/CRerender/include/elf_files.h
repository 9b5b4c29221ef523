// SPDX-License-Identifier: MIT
// The ELF files that the dynamic loader mapped into this process, and their function symbols.
#ifndef CSYMBOLS_ELF_FILES_H
#define CSYMBOLS_ELF_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A file that the loader mapped.
struct csymbols_image {
    uintptr_t bias;       ///< what is added to the file's own addresses
    size_t head_size;     ///< how many bytes `fingerprint` covers, 0 if the file's beginning is not in memory
    uint64_t fingerprint; ///< of the file's first bytes as they are in memory
    uint64_t unloads;     ///< how many files have been unloaded so far; after a change an address may be another file's
};
/// Finds the file that `address` belongs to and copies its path. Takes the loader's lock for microseconds.
bool csymbols_find_image(uintptr_t address, struct csymbols_image *image, char *path, size_t capacity);
/// How many files have been unloaded so far. Takes the same lock.
uint64_t csymbols_unloads(void);
/// A number that tells a file from another build of it.
uint64_t csymbols_fingerprint(const void *bytes, size_t size);

/// How many bits of a noted function are its index in the symbol table. The bits above them are its address.
enum { CSYMBOLS_INDEX_BITS = 24 };
/// Notes the functions among `count` ELF64 symbols in order of address. Returns how many there are. The notes are valid only
/// if that is at most `capacity`, for which `order` and `spare` have room.
size_t csymbols_order_functions(const void *symbols, size_t count, uint64_t *_Nullable order, uint64_t *_Nullable spare,
                                size_t capacity);

/// Notes the numbers of those among `count` ELF64 symbols that are Swift's descriptions of types ("Mn"), getters ("vg"),
/// getters of key paths ("TK"), and entries of classes' tables for getters ("vgTq"). `names` has `size` bytes, `found` has
/// room for all symbols. Returns how many are noted.
size_t csymbols_find_declarations(const void *symbols, size_t count, const void *names, size_t size, uint32_t *found);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

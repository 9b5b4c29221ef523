// SPDX-License-Identifier: MIT
// The ELF files that the dynamic loader mapped: which one holds an address, and its functions. Works in static programs, too.
//
// In C because apps under observation are debug builds, where Swift takes a second to go through a file's symbols.
#define _GNU_SOURCE
#include "CSymbols.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct search {
    uintptr_t address;
    struct csymbols_image *image;
    char *path;
    size_t capacity;
    int position;
};

/// More is not needed: the headers and the first tables hold the segments' sizes and, if there is one, the build's ID.
enum { HEAD_MAX = 4096 };

uint64_t csymbols_fingerprint(const void *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325, word;
    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, (const char *)bytes + at, sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Read here, under the loader's lock, because afterwards the file may be unloaded.
static void note_head(const struct dl_phdr_info *info, struct csymbols_image *image) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_offset != 0 || !(segment->p_flags & PF_R)) continue;
        image->head_size = segment->p_filesz < HEAD_MAX ? segment->p_filesz : HEAD_MAX;
        image->fingerprint = csymbols_fingerprint((const void *)(info->dlpi_addr + segment->p_vaddr), image->head_size);
        return;
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    // The program itself is the first and has no name.
    bool is_program = search->position++ == 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || search->address < start || search->address - start >= segment->p_memsz)
            continue;
        const char *path = is_program ? "/proc/self/exe" : info->dlpi_name;
        size_t length = strlen(path);
        if (length >= search->capacity) return 0;
        memcpy(search->path, path, length + 1);
        search->image->bias = info->dlpi_addr;
        if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
            search->image->unloads = info->dlpi_subs;
        note_head(info, search->image);
        return 1;
    }
    return 0;
}

bool csymbols_find_image(uintptr_t address, struct csymbols_image *image, char *path, size_t capacity) {
    *image = (struct csymbols_image){0};
    struct search search = {.address = address, .image = image, .path = path, .capacity = capacity};
    return dl_iterate_phdr(visit, &search) == 1;
}

static int note_unloads(struct dl_phdr_info *info, size_t size, void *context) {
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(uint64_t *)context = info->dlpi_subs;
    return 1;
}

uint64_t csymbols_unloads(void) {
    uint64_t unloads = 0;
    dl_iterate_phdr(note_unloads, &unloads);
    return unloads;
}

/// Sorts notes by the bytes of their addresses, the least one first. `qsort` takes twelve times as long, and an app's thread may wait for it.
/// Notes of one address stay as they are: in order of their indexes.
static void sort_by_address(uint64_t *order, uint64_t *spare, size_t count, uint64_t largest) {
    uint64_t *from = order, *to = spare;
    for (unsigned shift = CSYMBOLS_INDEX_BITS; shift < 64 && largest >> shift; shift += 8) {
        size_t starts[256] = {0};
        for (size_t i = 0; i < count; i++) starts[from[i] >> shift & 0xFF]++;
        for (size_t byte = 0, next = 0; byte < 256; byte++) {
            size_t numbers = starts[byte];
            starts[byte] = next;
            next += numbers;
        }
        for (size_t i = 0; i < count; i++) to[starts[from[i] >> shift & 0xFF]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != order) memcpy(order, from, count * sizeof *order);
}

size_t csymbols_order_functions(const void *symbols, size_t count, uint64_t *order, uint64_t *spare, size_t capacity) {
    size_t found = 0;
    uint64_t largest = 0;
    if (count > (size_t)1 << CSYMBOLS_INDEX_BITS) count = (size_t)1 << CSYMBOLS_INDEX_BITS;
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, (const char *)symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
        if (symbol.st_value >> (64 - CSYMBOLS_INDEX_BITS)) continue;
        if (found < capacity) {
            order[found] = symbol.st_value << CSYMBOLS_INDEX_BITS | i;
            if (order[found] > largest) largest = order[found];
        }
        found++;
    }
    if (found <= capacity) sort_by_address(order, spare, found, largest);
    return found;
}

static bool ends_with(const char *name, size_t length, const char *end) {
    size_t size = strlen(end);
    return length >= size && memcmp(name + length - size, end, size) == 0;
}

size_t csymbols_find_declarations(const void *symbols, size_t count, const void *names, size_t size, uint32_t *found) {
    size_t matches = 0;
    if (count > UINT32_MAX) count = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, (const char *)symbols + i * sizeof symbol, sizeof symbol);
        if (symbol.st_value == 0 || symbol.st_name >= size) continue;
        const char *name = (const char *)names + symbol.st_name;
        size_t length = strnlen(name, size - symbol.st_name);
        if (length == size - symbol.st_name || length < 2 || name[0] != '$' || name[1] != 's') continue;
        if (ends_with(name, length, "Mn") || ends_with(name, length, "TK") || ends_with(name, length, "vg") ||
            ends_with(name, length, "vgTq"))
            found[matches++] = (uint32_t)i;
    }
    return matches;
}

/// Whether an address is one of those that are in order.
static bool is_among(uint64_t address, const uint64_t *all, size_t count) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && all[low] == address;
}

size_t csymbols_direct_calls(const void *code, size_t size, uint64_t address, const uint64_t *functions, size_t count,
                             struct csymbols_direct_call *calls, size_t capacity) {
    enum { CALL = 0xE8, JUMP = 0xE9, LENGTH = 5 };
    const uint8_t *bytes = code;
    size_t found = 0;
    for (size_t at = 0; at + LENGTH <= size; at++) {
        if (bytes[at] != CALL && bytes[at] != JUMP) continue;
        int32_t distance;
        memcpy(&distance, bytes + at + 1, sizeof distance);
        uint64_t to = address + at + LENGTH + (uint64_t)(int64_t)distance;
        if (!is_among(to, functions, count)) continue;
        if (found < capacity) calls[found] = (struct csymbols_direct_call){address + at, to};
        found++;
    }
    return found;
}

// SPDX-License-Identifier: MIT
// The one loop over a file's symbols: in C because apps under observation are debug builds, where Swift takes a second.
#include "CRerender.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

size_t crerender_order_functions(const void *symbols, size_t count, uint64_t *order, size_t capacity) {
    size_t found = 0;
    if (count > (size_t)1 << CRERENDER_INDEX_BITS) count = (size_t)1 << CRERENDER_INDEX_BITS;
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, (const char *)symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
        if (symbol.st_value >> (64 - CRERENDER_INDEX_BITS)) continue;
        if (found < capacity) order[found] = symbol.st_value << CRERENDER_INDEX_BITS | i;
        found++;
    }
    if (found <= capacity) qsort(order, found, sizeof *order, compare);
    return found;
}

// SPDX-License-Identifier: MIT
// Reading debug information: no read goes past the end, and one that would makes the reader stay at the end.
#ifndef CRERENDER_DWARF_H
#define CRERENDER_DWARF_H

#include "debug.h"

#include <string.h>

#pragma clang assume_nonnull begin

struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static inline size_t left(const struct reader *r) { return (size_t)(r->end - r->at); }

static inline struct reader reader_of(const struct crerender_debug *debug, struct crerender_span span,
                                      uint64_t offset) {
    const uint8_t *start = debug->bytes + span.start;
    struct reader r = {start, start + span.size, false};
    if (offset > span.size)
        r.failed = true, r.at = r.end;
    else
        r.at += offset;
    return r;
}

static inline void skip(struct reader *r, uint64_t count) {
    if (count > left(r))
        r->failed = true, r->at = r->end;
    else
        r->at += count;
}

static inline uint64_t fixed(struct reader *r, size_t size) {
    uint64_t value = 0;
    if (size > left(r)) {
        r->failed = true, r->at = r->end;
        return 0;
    }
    memcpy(&value, r->at, size); // little-endian, as the file's header was checked to be
    r->at += size;
    return value;
}

static inline uint64_t uleb(struct reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; r->at < r->end; shift += 7) {
        uint8_t byte = *r->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80)) return value;
    }
    r->failed = true;
    return 0;
}

static inline int64_t sleb(struct reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; r->at < r->end;) {
        uint8_t byte = *r->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
        shift += 7;
        if (byte & 0x80) continue;
        if (shift < 64 && byte & 0x40) value |= ~(uint64_t)0 << shift;
        return (int64_t)value;
    }
    r->failed = true;
    return 0;
}

/// The text at the reader, which goes behind it; NULL if it does not end.
static inline const char *_Nullable text(struct reader *r) {
    const uint8_t *start = r->at, *nul = left(r) ? memchr(start, 0, left(r)) : NULL;
    if (!nul) {
        r->failed = true, r->at = r->end;
        return NULL;
    }
    r->at = nul + 1;
    return (const char *)start;
}

/// Reads a unit's length. The reader goes behind the unit, `unit` gets what follows the length.
static inline bool next_unit(struct reader *r, struct reader *unit) {
    uint64_t size = fixed(r, 4);
    // Larger than 4 GB: its offsets are of another size, and no compiler that we know of writes it by itself.
    bool is_large = size == 0xFFFFFFFF;
    if (is_large) size = fixed(r, 8);
    *unit = (struct reader){r->at, r->at, is_large};
    skip(r, size);
    unit->end = r->at;
    return !r->failed;
}

#pragma clang assume_nonnull end

#endif

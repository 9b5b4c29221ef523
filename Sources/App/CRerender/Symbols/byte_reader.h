// SPDX-License-Identifier: MIT
// A reader of bytes that never reads past their end. A read that would do so marks the reader as failed and leaves it there.
#ifndef CSYMBOLS_BYTE_READER_H
#define CSYMBOLS_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static inline size_t left(const struct reader *r) { return (size_t)(r->end - r->at); }

static inline void fail(struct reader *r) {
    r->failed = true;
    r->at = r->end;
}

static inline void skip(struct reader *r, uint64_t count) {
    if (count > left(r))
        fail(r);
    else
        r->at += count;
}

/// A little-endian integer of `size` bytes, at most 8. The caller has checked the byte order in the file's header.
static inline uint64_t fixed(struct reader *r, size_t size) {
    uint64_t value = 0;
    if (size > left(r)) return fail(r), 0;
    memcpy(&value, r->at, size);
    r->at += size;
    return value;
}

/// The bits of a LEB128 number; `shift` gets how many were read, `last` the last byte.
static inline uint64_t leb(struct reader *r, unsigned *shift, uint8_t *last) {
    uint64_t value = 0;
    for (*shift = 0; r->at < r->end;) {
        *last = *r->at++;
        if (*shift < 64) value |= (uint64_t)(*last & 0x7F) << *shift;
        *shift += 7;
        if (!(*last & 0x80)) return value;
    }
    r->failed = true;
    return 0;
}

static inline uint64_t uleb(struct reader *r) {
    unsigned shift;
    uint8_t last = 0;
    return leb(r, &shift, &last);
}

static inline int64_t sleb(struct reader *r) {
    unsigned shift;
    uint8_t last = 0;
    uint64_t value = leb(r, &shift, &last);
    if (!r->failed && shift < 64 && last & 0x40) value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

/// The NUL-terminated text at the reader, which goes behind it. NULL if it does not end.
static inline const char *_Nullable text(struct reader *r) {
    const uint8_t *start = r->at, *nul = left(r) ? memchr(start, 0, left(r)) : NULL;
    if (!nul) return fail(r), NULL;
    r->at = nul + 1;
    return (const char *)start;
}

#pragma clang assume_nonnull end

#endif

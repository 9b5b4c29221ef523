// SPDX-License-Identifier: MIT
// What files of debug information need: their sections are compressed by zlib (RFC 1950 and 1951), and a checksum tells them from others.
//
// In C because apps under observation are debug builds, where Swift takes seconds for some megabytes.
#include "CSymbols.h"
#include "dwarf.h"

enum { LONGEST_CODE = 15, QUICK_BITS = 10, LITERALS = 288, DISTANCES = 30, LENGTH_CODES = 19 };

/// Codes that Huffman's method gave to symbols. Those of at most ten bits are found at once: the symbol above four bits of its length.
struct codes {
    uint16_t quick[1 << QUICK_BITS];
    uint16_t counts[LONGEST_CODE + 1]; ///< of each length
    uint16_t symbols[LITERALS];        ///< in order of their codes
};

/// The bits that are read next, lowest first.
struct bits {
    struct reader bytes;
    uint64_t held;
    unsigned count;
};

static void refill(struct bits *bits) {
    for (; bits->count <= 56 && left(&bits->bytes); bits->count += 8)
        bits->held |= (uint64_t)*bits->bytes.at++ << bits->count;
}

static void drop(struct bits *bits, unsigned count) {
    bits->held >>= count;
    bits->count -= count;
}

static unsigned take(struct bits *bits, unsigned count) {
    refill(bits);
    if (count > bits->count) return bits->bytes.failed = true, 0;
    unsigned value = (unsigned)(bits->held & (((uint64_t)1 << count) - 1));
    drop(bits, count);
    return value;
}

static unsigned reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (; length; length--, code >>= 1) result = result << 1 | (code & 1);
    return result;
}

/// Gives each symbol its code by the lengths of all. False if there are more codes of a length than that has.
static bool build(struct codes *codes, const uint8_t *lengths, unsigned symbols) {
    unsigned next[LONGEST_CODE + 2] = {0}, place[LONGEST_CODE + 2] = {0};
    int unused = 1;
    memset(codes, 0, sizeof *codes);
    for (unsigned symbol = 0; symbol < symbols; symbol++) codes->counts[lengths[symbol]]++;
    codes->counts[0] = 0;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        unused = 2 * unused - codes->counts[length];
        if (unused < 0) return false;
        next[length + 1] = (next[length] + codes->counts[length]) << 1;
        place[length + 1] = place[length] + codes->counts[length];
    }
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        unsigned length = lengths[symbol];
        if (length == 0) continue;
        codes->symbols[place[length]++] = (uint16_t)symbol;
        unsigned code = next[length]++;
        if (length > QUICK_BITS) continue;
        for (unsigned at = reversed(code, length); at < 1 << QUICK_BITS; at += 1u << length)
            codes->quick[at] = (uint16_t)(symbol << 4 | length);
    }
    return true;
}

/// The next symbol; -1 where the bits are no code.
static int decode(struct bits *bits, const struct codes *codes) {
    refill(bits);
    unsigned quick = codes->quick[bits->held & ((1 << QUICK_BITS) - 1)];
    if (quick) {
        if ((quick & 15) > bits->count) return -1;
        drop(bits, quick & 15);
        return (int)(quick >> 4);
    }
    int code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= LONGEST_CODE && length <= bits->count; length++) {
        int count = codes->counts[length];
        code = code << 1 | (int)(bits->held >> (length - 1) & 1);
        first <<= 1;
        if (code - first < count) {
            drop(bits, length);
            return codes->symbols[index + code - first];
        }
        index += count;
        first += count;
    }
    return -1;
}

/// What was expanded so far, and the room for all.
struct expanded {
    uint8_t *to;
    size_t size, room;
};

/// A block of symbols. False where it is damaged, or has more than there is room for.
static bool expand(struct bits *bits, const struct codes *literals, const struct codes *distances,
                   struct expanded *out) {
    static const uint16_t bases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    for (;;) {
        int symbol = decode(bits, literals);
        if (symbol < 0) return false;
        if (symbol == 256) return true;
        if (symbol < 256) {
            if (out->size == out->room) return false;
            out->to[out->size++] = (uint8_t)symbol;
            continue;
        }
        symbol -= 257;
        if (symbol >= (int)sizeof extra) return false;
        size_t length = bases[symbol] + take(bits, extra[symbol]);
        int code = decode(bits, distances);
        if (code < 0 || code >= DISTANCES) return false;
        unsigned more = code < 2 ? 0 : (unsigned)(code / 2 - 1);
        size_t distance = code < 2 ? (size_t)code + 1 : ((size_t)(2 + code % 2) << more) + 1 + take(bits, more);
        if (bits->bytes.failed || distance > out->size || length > out->room - out->size) return false;
        // One byte after the other: what is copied may be what this copy wrote.
        for (; length; length--, out->size++) out->to[out->size] = out->to[out->size - distance];
    }
}

/// A block as it is.
static bool copy(struct bits *bits, struct expanded *out) {
    drop(bits, bits->count % 8);
    unsigned length = take(bits, 16), check = take(bits, 16);
    if (length != (check ^ 0xFFFF) || length > out->room - out->size) return false;
    for (; length && !bits->bytes.failed; length--) out->to[out->size++] = (uint8_t)take(bits, 8);
    return !bits->bytes.failed;
}

/// The codes that a block brings along, whose lengths have codes of their own.
static bool read_codes(struct bits *bits, struct codes *literals, struct codes *distances) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + 32] = {0};
    unsigned of_literals = take(bits, 5) + 257, of_distances = take(bits, 5) + 1, own = take(bits, 4) + 4;
    if (of_literals > LITERALS - 2) return false;
    for (unsigned i = 0; i < own; i++) lengths[order[i]] = (uint8_t)take(bits, 3);
    if (!build(literals, lengths, LENGTH_CODES)) return false;
    memset(lengths, 0, sizeof lengths);
    for (unsigned at = 0; at < of_literals + of_distances;) {
        int symbol = decode(bits, literals);
        if (symbol < 0) return false;
        if (symbol < 16) {
            lengths[at++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && at == 0) return false;
        uint8_t length = symbol == 16 ? lengths[at - 1] : 0;
        unsigned times = symbol == 16 ? 3 + take(bits, 2) : symbol == 17 ? 3 + take(bits, 3) : 11 + take(bits, 7);
        if (bits->bytes.failed || times > of_literals + of_distances - at) return false;
        for (; times; times--) lengths[at++] = length;
    }
    return build(literals, lengths, of_literals) && build(distances, lengths + of_literals, of_distances);
}

static bool fixed_codes(struct codes *literals, struct codes *distances) {
    uint8_t lengths[LITERALS];
    for (unsigned i = 0; i < LITERALS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    if (!build(literals, lengths, LITERALS)) return false;
    memset(lengths, 5, DISTANCES);
    return build(distances, lengths, DISTANCES);
}

bool csymbols_inflate(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
    struct bits bits = {.bytes = {from, from + size, false}};
    struct expanded out = {to, 0, room};
    struct codes literals, distances;
    unsigned method = take(&bits, 8), flags = take(&bits, 8);
    if ((method & 15) != 8 || (method << 8 | flags) % 31 != 0 || flags & 32) return false;
    // Compressors write blocks of some kilobytes. Empty ones must not take their time without end.
    for (size_t blocks = 64 + room / 256; blocks; blocks--) {
        unsigned is_last = take(&bits, 1), kind = take(&bits, 2);
        bool is_sound = false;
        if (bits.bytes.failed) return false;
        if (kind == 0)
            is_sound = copy(&bits, &out);
        else if (kind == 1)
            is_sound = fixed_codes(&literals, &distances) && expand(&bits, &literals, &distances, &out);
        else if (kind == 2)
            is_sound = read_codes(&bits, &literals, &distances) && expand(&bits, &literals, &distances, &out);
        if (!is_sound) return false;
        if (is_last) return out.size == room;
    }
    return false;
}

uint32_t csymbols_crc(uint32_t crc, const uint8_t *bytes, size_t size) {
    // Of half a byte: a table of 16 is made at once.
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                       0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    crc = ~crc;
    for (size_t at = 0; at < size; at++) {
        crc = crc >> 4 ^ table[(crc ^ bytes[at]) & 15];
        crc = crc >> 4 ^ table[(crc ^ bytes[at] >> 4) & 15];
    }
    return ~crc;
}

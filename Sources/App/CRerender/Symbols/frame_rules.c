// SPDX-License-Identifier: MIT
// Call-frame information as compilers write it for x86-64: the search table, one function's entry, and its instructions.
//
// Every offset is checked against the file's segments: a damaged table ends the search and nothing else.
#define _GNU_SOURCE
#include "frame_rules.h"

#include <link.h>
#include <string.h>

/// Rows that a function may lay aside; compilers use one.
enum { ASIDE_MAX = 8 };
/// Encodings of the addresses: from the place itself, or from the table, in four bytes with a sign.
enum { FROM_PLACE_4 = 0x1b, FROM_TABLE_4 = 0x3b, UNSIGNED_4 = 0x03, SIZE_MASK = 0x0f };

struct bytes {
    const uint8_t *at, *end;
    bool failed;
};

static uint64_t fixed(struct bytes *b, size_t size) {
    uint64_t value = 0;
    if ((size_t)(b->end - b->at) < size) return b->failed = true, b->at = b->end, 0;
    memcpy(&value, b->at, size); // little-endian
    b->at += size;
    return value;
}

static uint64_t unsigned_leb(struct bytes *b) {
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        uint8_t byte = *b->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    return b->failed = true, 0;
}

static int64_t signed_leb(struct bytes *b) {
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end;) {
        uint8_t byte = *b->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80) continue;
        if (shift < 64 && (byte & 0x40)) value |= ~(uint64_t)0 << shift;
        return (int64_t)value;
    }
    return b->failed = true, 0;
}

static void skip(struct bytes *b, uint64_t count) {
    if ((uint64_t)(b->end - b->at) < count) {
        b->failed = true;
        b->at = b->end;
    } else {
        b->at += count;
    }
}

// MARK: Instructions

struct program {
    uint64_t code_step;
    int64_t data_step;
    struct frame_rules initial, now, aside[ASIDE_MAX];
    uint32_t aside_count;
    uintptr_t location;
    /// Where the frame is cannot be told: an expression says it.
    bool is_lost;
};

static void set_rule(struct program *p, uint64_t number, enum rule_kind kind, int64_t offset) {
    if (number >= RULE_REGISTERS) return;
    p->now.registers[number].kind = kind;
    p->now.registers[number].offset = offset;
}

static void set_frame(struct program *p, uint64_t base, int64_t offset) {
    p->is_lost = base >= RULE_REGISTERS;
    p->now.base = p->is_lost ? 0 : (uint32_t)base;
    p->now.offset = offset;
}

static void restore(struct program *p, uint64_t number) {
    if (number < RULE_REGISTERS) p->now.registers[number] = p->initial.registers[number];
}

/// One instruction of those that begin with a whole byte; false for one that is not known.
static bool run_extended(struct program *p, struct bytes *b, uint8_t code) {
    uint64_t number;
    switch (code) {
    case 0x00: return true;
    case 0x02: p->location += fixed(b, 1) * p->code_step; return true;
    case 0x03: p->location += fixed(b, 2) * p->code_step; return true;
    case 0x04: p->location += fixed(b, 4) * p->code_step; return true;
    case 0x05:
        number = unsigned_leb(b);
        set_rule(p, number, RULE_AT, (int64_t)unsigned_leb(b) * p->data_step);
        return true;
    case 0x06: restore(p, unsigned_leb(b)); return true;
    case 0x07: set_rule(p, unsigned_leb(b), RULE_UNDEFINED, 0); return true;
    case 0x08: set_rule(p, unsigned_leb(b), RULE_SAME, 0); return true;
    case 0x0a:
        if (p->aside_count == ASIDE_MAX) return false;
        p->aside[p->aside_count++] = p->now;
        return true;
    case 0x0b:
        if (p->aside_count == 0) return false;
        p->now = p->aside[--p->aside_count];
        p->is_lost = false;
        return true;
    case 0x0c:
        number = unsigned_leb(b);
        set_frame(p, number, (int64_t)unsigned_leb(b));
        return true;
    case 0x0d: set_frame(p, unsigned_leb(b), p->now.offset); return true;
    case 0x0e: p->now.offset = (int64_t)unsigned_leb(b); return true;
    case 0x0f:
        skip(b, unsigned_leb(b));
        p->is_lost = true;
        return true;
    case 0x10:
    case 0x16:
        set_rule(p, unsigned_leb(b), RULE_OTHER, 0);
        skip(b, unsigned_leb(b));
        return true;
    case 0x11:
        number = unsigned_leb(b);
        set_rule(p, number, RULE_AT, signed_leb(b) * p->data_step);
        return true;
    case 0x12:
        number = unsigned_leb(b);
        set_frame(p, number, signed_leb(b) * p->data_step);
        return true;
    case 0x13: p->now.offset = signed_leb(b) * p->data_step; return true;
    case 0x09:
    case 0x14:
        set_rule(p, unsigned_leb(b), RULE_OTHER, 0);
        unsigned_leb(b);
        return true;
    case 0x2e: unsigned_leb(b); return true;
    default: return false;
    }
}

/// Runs instructions up to the row that holds at `address`.
static bool run(struct program *p, struct bytes b, uintptr_t address) {
    while (b.at < b.end) {
        uint8_t byte = *b.at++, low = byte & 0x3f;
        struct frame_rules before = p->now;
        bool was_lost = p->is_lost;
        switch (byte >> 6) {
        case 1: p->location += low * p->code_step; break;
        case 2: set_rule(p, low, RULE_AT, (int64_t)unsigned_leb(&b) * p->data_step); break;
        case 3: restore(p, low); break;
        default:
            if (!run_extended(p, &b, byte)) return false;
        }
        if (b.failed) return false;
        if (p->location > address) {
            p->now = before;
            p->is_lost = was_lost;
            break;
        }
    }
    return true;
}

// MARK: Entries

struct search {
    uintptr_t address;
    struct frame_rules *rules;
    bool found;
};

/// The bytes from `at` to the end of the readable segment that holds it; none outside of all.
static struct bytes segment_bytes(const struct dl_phdr_info *info, uintptr_t at) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R) || at < start || at - start >= segment->p_filesz)
            continue;
        return (struct bytes){(const uint8_t *)at, (const uint8_t *)(start + segment->p_filesz), false};
    }
    return (struct bytes){0};
}

/// An entry's content; empty if it is none.
static struct bytes entry_bytes(const struct dl_phdr_info *info, uintptr_t at) {
    struct bytes b = segment_bytes(info, at);
    uint64_t length = fixed(&b, 4);
    if (b.failed || length == 0 || length > (uint64_t)(b.end - b.at)) return (struct bytes){0};
    b.end = b.at + length;
    return b;
}

/// Reads what functions have in common, and how their entries are written; false if it is in another way than usual.
static bool read_common(struct program *p, struct bytes b, bool *has_data) {
    if (fixed(&b, 4) != 0) return false;
    uint8_t version = (uint8_t)fixed(&b, 1);
    const char *letters = (const char *)b.at;
    while (fixed(&b, 1) != 0) {
    }
    if (b.failed || (version != 1 && version != 3)) return false;
    p->code_step = unsigned_leb(&b);
    p->data_step = signed_leb(&b);
    if ((version == 1 ? fixed(&b, 1) : unsigned_leb(&b)) != RULE_RETURN) return false;
    uint8_t encoding = 0;
    *has_data = letters[0] == 'z';
    if (*has_data) {
        struct bytes data = b;
        uint64_t length = unsigned_leb(&data);
        b = data;
        skip(&b, length);
        for (const char *letter = letters + 1; *letter; letter++) {
            if (*letter == 'R') encoding = (uint8_t)fixed(&data, 1);
            if (*letter == 'L') fixed(&data, 1);
            if (*letter == 'P') {
                uint8_t size = fixed(&data, 1) & 0x07;
                skip(&data, size == 2 ? 2 : size == 3 ? 4 : 8);
            }
        }
        if (data.failed) return false;
    }
    if (b.failed || encoding != FROM_PLACE_4) return false;
    if (!run(p, b, UINTPTR_MAX)) return false;
    p->initial = p->now;
    return true;
}

static bool read_entry(const struct dl_phdr_info *info, uintptr_t at, struct search *search) {
    struct bytes b = entry_bytes(info, at);
    if (!b.at) return false;
    uintptr_t place = (uintptr_t)b.at, common = place - fixed(&b, 4);
    struct bytes c = entry_bytes(info, common);
    struct program p = {0};
    for (int i = 0; i < RULE_REGISTERS; i++) p.now.registers[i].kind = RULE_SAME;
    bool has_data;
    if (b.failed || !c.at || !read_common(&p, c, &has_data)) return false;
    place = (uintptr_t)b.at;
    uintptr_t first = place + (uintptr_t)(int64_t)(int32_t)fixed(&b, 4);
    uint64_t size = fixed(&b, 4);
    if (search->address < first || search->address - first >= size) return false;
    if (has_data) skip(&b, unsigned_leb(&b));
    p.location = first;
    if (b.failed || !run(&p, b, search->address) || p.is_lost) return false;
    *search->rules = p.now;
    return true;
}

/// The entry for the address in the table that the linker sorted; 0 if there is none.
static uintptr_t find_entry(const struct dl_phdr_info *info, uintptr_t table, uintptr_t address) {
    struct bytes b = segment_bytes(info, table);
    if (fixed(&b, 1) != 1 || fixed(&b, 1) != FROM_PLACE_4 || fixed(&b, 1) != UNSIGNED_4 || fixed(&b, 1) != FROM_TABLE_4)
        return 0;
    fixed(&b, 4);
    uint64_t count = fixed(&b, 4);
    if (b.failed || count > (uint64_t)(b.end - b.at) / 8) return 0;
    const uint8_t *rows = b.at;
    int64_t wanted = (int64_t)(address - table);
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int32_t start;
        memcpy(&start, rows + middle * 8, 4);
        if (start <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return 0;
    int32_t entry;
    memcpy(&entry, rows + (low - 1) * 8 + 4, 4);
    return table + (uintptr_t)(int64_t)entry;
}

/// The way to another file's function, for which linkers write no entry, or an expression: `jmp *offset(%rip)`, perhaps with
/// a mark before it. Such a jump leaves the stack as the function finds it.
static bool read_jump(const struct dl_phdr_info *info, struct search *search) {
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    struct bytes b = segment_bytes(info, search->address);
    if (b.end - b.at >= 4 && memcmp(b.at, landing, 4) == 0) b.at += 4;
    if (b.at < b.end && *b.at == 0xf2) b.at++;
    if (fixed(&b, 2) != 0x25ff || b.failed) return false;
    memset(search->rules, 0, sizeof *search->rules); // the same registers
    search->rules->base = RULE_RSP;
    search->rules->offset = 8;
    search->rules->registers[RULE_RETURN].kind = RULE_AT;
    search->rules->registers[RULE_RETURN].offset = -8;
    return true;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    uintptr_t table = 0;
    bool is_it = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && search->address >= start && search->address - start < segment->p_memsz)
            is_it = true;
        if (segment->p_type == PT_GNU_EH_FRAME) table = start;
    }
    if (!is_it) return 0;
    uintptr_t entry = table ? find_entry(info, table, search->address) : 0;
    search->found = entry != 0 ? read_entry(info, entry, search) : false;
    if (!search->found) search->found = read_jump(info, search);
    return 1;
}

bool find_frame_rules(uintptr_t address, struct frame_rules *rules) {
    struct search search = {.address = address, .rules = rules};
    dl_iterate_phdr(visit, &search);
    return search.found;
}

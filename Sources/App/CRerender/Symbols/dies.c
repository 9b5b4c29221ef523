// SPDX-License-Identifier: MIT
// Reading the entries of debug information, DWARF 4 and 5: what an entry is made of, its abbreviation says.
#include "dies.h"

/// Reads a value, or goes past it.
static struct value read_value(struct reader *r, const struct dies *dies, uint64_t form, int64_t constant) {
    struct value value = {form, 0, NULL};
    switch (form) {
    case 0x0B:
    case 0x0C:
    case 0x25:
    case 0x29: value.number = fixed(r, 1); break;
    case 0x11: value.number = dies->start + fixed(r, 1); break;
    case 0x05:
    case 0x26:
    case 0x2A: value.number = fixed(r, 2); break;
    case 0x12: value.number = dies->start + fixed(r, 2); break;
    case 0x27:
    case 0x2B: value.number = fixed(r, 3); break;
    case 0x06:
    case 0x0E:
    case 0x10:
    case 0x17:
    case 0x1F:
    case 0x28:
    case 0x2C: value.number = fixed(r, 4); break;
    case 0x13: value.number = dies->start + fixed(r, 4); break;
    case 0x01:
    case 0x07:
    case 0x20: value.number = fixed(r, 8); break;
    case 0x14: value.number = dies->start + fixed(r, 8); break;
    case 0x1E: skip(r, 16); break;
    case 0x0F:
    case 0x1A:
    case 0x1B:
    case 0x22:
    case 0x23: value.number = uleb(r); break;
    case 0x15: value.number = dies->start + uleb(r); break;
    case 0x0D: value.number = (uint64_t)sleb(r); break;
    case 0x08: value.text = (const uint8_t *)text(r); break;
    case 0x0A: skip(r, fixed(r, 1)); break;
    case 0x03: skip(r, fixed(r, 2)); break;
    case 0x04: skip(r, fixed(r, 4)); break;
    case 0x09:
    case 0x18: skip(r, uleb(r)); break;
    case 0x19: value.number = 1; break;
    case 0x21: value.number = (uint64_t)constant; break;
    default: r->failed = true;
    }
    return value;
}

/// One of an abbreviation's attributes. False behind the last.
static bool next_attribute(struct reader *r, uint64_t *attribute, uint64_t *form, int64_t *constant) {
    *attribute = uleb(r);
    *form = uleb(r);
    *constant = *form == 0x21 ? sleb(r) : 0;
    return !r->failed && (*attribute || *form);
}

/// Where the abbreviation with this code goes on behind its code; failed if there is none.
static struct reader abbreviation(struct dies *dies, uint64_t code) {
    struct reader all = reader_of(dies->debug, dies->debug->at.abbrev, 0), *next = &dies->abbreviations;
    if (code < DIE_ABBREVIATIONS && dies->known[code]) {
        skip(&all, dies->known[code]);
        return all;
    }
    while (!next->failed) {
        uint64_t found = uleb(next), attribute, form;
        int64_t constant;
        if (found == 0) break;
        struct reader here = *next;
        uint64_t offset = (uint64_t)(here.at - all.at);
        if (found < DIE_ABBREVIATIONS && offset <= UINT32_MAX) dies->known[found] = (uint32_t)offset;
        uleb(next), skip(next, 1);
        while (next_attribute(next, &attribute, &form, &constant)) {
            if (dies->budget-- == 0) break;
        }
        if (found == code && !next->failed) return here;
    }
    next->failed = true; // also for a code past the table: whoever writes that many gets no inlined functions
    all.failed = true;
    return all;
}

static struct value *_Nullable wanted(struct die *die, uint64_t attribute) {
    switch (attribute) {
    case 0x03: return &die->name;
    case 0x10: return &die->lines;
    case 0x11: return &die->low;
    case 0x12: return &die->high;
    case 0x31:
    case 0x47: return &die->origin;
    case 0x55: return &die->ranges;
    case 0x58: return &die->call_file;
    case 0x59: return &die->call_line;
    case 0x6E:
    case 0x2007: return &die->linkage_name;
    case 0x72: return &die->string_base;
    case 0x73: return &die->address_base;
    case 0x74: return &die->range_base;
    default: return NULL;
    }
}

bool crerender_next_die(struct dies *dies, struct die *die) {
    struct reader *r = &dies->entries;
    memset(die, 0, sizeof *die);
    die->offset = dies->end - left(r);
    if (!left(r) || r->failed) return false;
    uint64_t code = uleb(r);
    if (r->failed || code == 0) return !r->failed;
    struct reader attributes = abbreviation(dies, code);
    die->tag = uleb(&attributes);
    die->has_children = fixed(&attributes, 1);
    uint64_t attribute, form;
    int64_t constant;
    while (next_attribute(&attributes, &attribute, &form, &constant)) {
        if (r->failed || dies->budget == 0) return false;
        dies->budget--;
        struct value value = read_value(r, dies, form, constant), *place = wanted(die, attribute);
        if (place) *place = value;
    }
    return !attributes.failed && !r->failed && die->tag != 0;
}

static uint64_t address_at(const struct dies *dies, uint64_t index, bool *is_sound) {
    uint64_t base = dies->root.address_base.number;
    struct reader r = reader_of(dies->debug, dies->debug->at.addr, base);
    skip(&r, index <= UINT32_MAX ? index * 8 : UINT64_MAX);
    uint64_t address = fixed(&r, 8);
    if (r.failed || !dies->root.address_base.form) *is_sound = false;
    return address;
}

static uint64_t address_of(const struct dies *dies, struct value value, bool *is_sound) {
    if (value.form == 0x01) return value.number;
    return address_at(dies, value.number, is_sound);
}

bool crerender_open_unit(const struct crerender_debug *debug, uint64_t offset, uint64_t budget, struct dies *dies) {
    struct reader all = reader_of(debug, debug->at.info, offset), unit;
    memset(dies, 0, sizeof *dies);
    dies->debug = debug;
    if (!left(&all) || !next_unit(&all, &unit)) return false;
    dies->start = offset;
    dies->end = debug->at.info.size - left(&all);
    dies->budget = budget;
    dies->version = (uint16_t)fixed(&unit, 2);
    if (unit.failed || dies->version < 4 || dies->version > 5) return false;
    uint64_t kind = dies->version == 5 ? fixed(&unit, 1) : 1, abbreviations, address_size;
    if (dies->version == 5)
        address_size = fixed(&unit, 1), abbreviations = fixed(&unit, 4);
    else
        abbreviations = fixed(&unit, 4), address_size = fixed(&unit, 1);
    // Neither types nor units whose entries are in another file.
    if (unit.failed || address_size != 8 || (kind != 1 && kind != 3)) return false;
    dies->abbreviations = reader_of(debug, debug->at.abbrev, abbreviations);
    dies->entries = unit;
    if (!crerender_next_die(dies, &dies->root)) return false;
    bool is_sound = true;
    if (dies->root.low.form) dies->low = address_of(dies, dies->root.low, &is_sound);
    return true;
}

const char *crerender_die_text(const struct dies *dies, struct value value) {
    const struct crerender_debug *debug = dies->debug;
    struct reader r, offsets;
    switch (value.form) {
    case 0x08: return (const char *)value.text;
    case 0x0E: r = reader_of(debug, debug->at.str, value.number); return text(&r);
    case 0x1F: r = reader_of(debug, debug->at.line_str, value.number); return text(&r);
    case 0x1A:
    case 0x25:
    case 0x26:
    case 0x27:
    case 0x28:
        if (!dies->root.string_base.form || value.number > UINT32_MAX) return NULL;
        offsets = reader_of(debug, debug->at.str_offsets, dies->root.string_base.number);
        skip(&offsets, value.number * 4);
        r = reader_of(debug, debug->at.str, fixed(&offsets, 4));
        return offsets.failed ? NULL : text(&r);
    default: return NULL;
    }
}

static bool old_ranges_hold(struct dies *dies, uint64_t offset, uint64_t address, bool *is_sound) {
    struct reader r = reader_of(dies->debug, dies->debug->at.ranges, offset);
    uint64_t base = dies->low;
    while (!r.failed && dies->budget) {
        dies->budget--;
        uint64_t low = fixed(&r, 8), high = fixed(&r, 8);
        if (r.failed) break;
        if (low == 0 && high == 0) return false;
        if (low == UINT64_MAX)
            base = high;
        else if (base + low && address >= base + low && address < base + high)
            return true;
    }
    return *is_sound = false;
}

/// DWARF 5: what a list is made of, each entry says.
static bool new_ranges_hold(struct dies *dies, uint64_t offset, uint64_t address, bool *is_sound) {
    struct reader r = reader_of(dies->debug, dies->debug->at.rnglists, offset);
    uint64_t base = dies->low, low, high;
    while (!r.failed && dies->budget && *is_sound) {
        dies->budget--;
        low = high = 0;
        switch (fixed(&r, 1)) {
        case 0: return r.failed ? (*is_sound = false) : false;
        case 1: base = address_at(dies, uleb(&r), is_sound); continue;
        case 2: low = address_at(dies, uleb(&r), is_sound), high = address_at(dies, uleb(&r), is_sound); break;
        case 3: low = address_at(dies, uleb(&r), is_sound), high = low + uleb(&r); break;
        case 4: low = base + uleb(&r), high = base + uleb(&r); break;
        case 5: base = fixed(&r, 8); continue;
        case 6: low = fixed(&r, 8), high = fixed(&r, 8); break;
        case 7: low = fixed(&r, 8), high = low + uleb(&r); break;
        default: r.failed = true;
        }
        if (!r.failed && *is_sound && low && address >= low && address < high) return true;
    }
    return *is_sound = false;
}

bool crerender_die_holds(struct dies *dies, const struct die *die, uint64_t address, bool *is_sound) {
    if (die->ranges.form) {
        uint64_t offset = die->ranges.number;
        if (dies->version < 5) return old_ranges_hold(dies, offset, address, is_sound);
        if (die->ranges.form == 0x23) {
            uint64_t base = dies->root.range_base.number;
            struct reader r = reader_of(dies->debug, dies->debug->at.rnglists, base);
            skip(&r, offset <= UINT32_MAX ? offset * 4 : UINT64_MAX);
            offset = base + fixed(&r, 4);
            if (r.failed || !dies->root.range_base.form) return *is_sound = false;
        }
        return new_ranges_hold(dies, offset, address, is_sound);
    }
    if (!die->low.form) return false;
    uint64_t low = address_of(dies, die->low, is_sound), high = low + 1;
    if (die->high.form == 0x01 || die->high.form == 0x1B || die->high.form >= 0x29) {
        high = address_of(dies, die->high, is_sound);
    } else if (die->high.form) {
        high = low + die->high.number;
    }
    // Code that the linker dropped is at 0.
    return low && address >= low && address < high;
}

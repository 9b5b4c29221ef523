// SPDX-License-Identifier: MIT
// Reads debugging information entries of DWARF 4 and 5. An abbreviation says which attributes an entry has.
#include "dwarf.h"

/// How many bytes values have, by form; 0 for forms whose values say so themselves.
static const uint8_t sizes[] = {
    [DW_FORM_addr] = 8,       [DW_FORM_data1] = 1,     [DW_FORM_data2] = 2,    [DW_FORM_data4] = 4,
    [DW_FORM_data8] = 8,      [DW_FORM_flag] = 1,      [DW_FORM_strp] = 4,     [DW_FORM_ref_addr] = 4,
    [DW_FORM_ref1] = 1,       [DW_FORM_ref2] = 2,      [DW_FORM_ref4] = 4,     [DW_FORM_ref8] = 8,
    [DW_FORM_sec_offset] = 4, [DW_FORM_line_strp] = 4, [DW_FORM_ref_sig8] = 8, [DW_FORM_strx1] = 1,
    [DW_FORM_strx2] = 2,      [DW_FORM_strx3] = 3,     [DW_FORM_strx4] = 4,    [DW_FORM_addrx1] = 1,
    [DW_FORM_addrx2] = 2,     [DW_FORM_addrx3] = 3,    [DW_FORM_addrx4] = 4,   [DW_FORM_ref_sup4] = 4,
    [DW_FORM_strp_sup] = 4,   [DW_FORM_ref_sup8] = 8,
};

struct value csymbols_read_value(struct reader *r, uint64_t form, uint64_t unit, int64_t constant) {
    struct value value = {form, 0, NULL};
    if (form < sizeof sizes && sizes[form]) {
        value.number = fixed(r, sizes[form]);
    } else {
        switch (form) {
        case DW_FORM_udata:
        case DW_FORM_ref_udata:
        case DW_FORM_strx:
        case DW_FORM_addrx:
        case DW_FORM_loclistx:
        case DW_FORM_rnglistx: value.number = uleb(r); break;
        case DW_FORM_sdata: value.number = (uint64_t)sleb(r); break;
        case DW_FORM_string: value.text = text(r); break;
        // In the file that several files of debug information share.
        case DW_FORM_GNU_ref_alt:
        case DW_FORM_GNU_strp_alt: value.number = fixed(r, 4); break;
        case DW_FORM_data16: skip(r, 16); break;
        case DW_FORM_block1: skip(r, fixed(r, 1)); break;
        case DW_FORM_block2: skip(r, fixed(r, 2)); break;
        case DW_FORM_block4: skip(r, fixed(r, 4)); break;
        case DW_FORM_block:
        case DW_FORM_exprloc: skip(r, uleb(r)); break;
        case DW_FORM_flag_present: value.number = 1; break;
        case DW_FORM_implicit_const: value.number = (uint64_t)constant; break;
        default: r->failed = true;
        }
    }
    if (form >= DW_FORM_ref1 && form <= DW_FORM_ref_udata) value.number += unit;
    return value;
}

const char *csymbols_text(const struct csymbols_debug *debug, struct value value) {
    bool is_line = value.form == DW_FORM_line_strp;
    if (!is_line && value.form != DW_FORM_strp) return value.text;
    struct reader r = section_reader(debug, is_line ? debug->at.line_str : debug->at.str, value.number);
    return text(&r);
}

bool csymbols_copy_name(const char *found, char *name, size_t capacity) {
    size_t size = found ? strlen(found) + 1 : 0;
    if (size <= 1 || size > capacity) return false;
    memcpy(name, found, size);
    return true;
}

/// One of an abbreviation's attributes. False behind the last.
static bool next_attribute(struct reader *r, uint64_t *attribute, uint64_t *form, int64_t *constant) {
    *attribute = uleb(r);
    *form = uleb(r);
    *constant = *form == DW_FORM_implicit_const ? sleb(r) : 0;
    return !r->failed && (*attribute || *form);
}

/// Where the abbreviation with this code goes on behind its code; failed if there is none.
static struct reader abbreviation(struct dies *dies, uint64_t code) {
    struct reader all = section_reader(dies->debug, dies->debug->at.abbrev, 0), *next = &dies->abbreviations;
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
    next->failed = true; // also for a code past the table: such a file gets no inlined functions
    all.failed = true;
    return all;
}

static struct value *_Nullable wanted(struct die *die, uint64_t attribute) {
    switch (attribute) {
    case DW_AT_name: return &die->name;
    case DW_AT_stmt_list: return &die->lines;
    case DW_AT_low_pc: return &die->low;
    case DW_AT_high_pc: return &die->high;
    case DW_AT_abstract_origin:
    case DW_AT_specification: return &die->origin;
    case DW_AT_decl_file: return &die->decl_file;
    case DW_AT_decl_line: return &die->decl_line;
    case DW_AT_ranges: return &die->ranges;
    case DW_AT_call_file: return &die->call_file;
    case DW_AT_call_line: return &die->call_line;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: return &die->linkage_name;
    case DW_AT_str_offsets_base: return &die->string_base;
    case DW_AT_addr_base: return &die->address_base;
    case DW_AT_rnglists_base: return &die->range_base;
    case DW_AT_APPLE_optimized: return &die->optimized;
    default: return NULL;
    }
}

bool csymbols_next_die(struct dies *dies, struct die *die) {
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
        struct value value = csymbols_read_value(r, form, dies->start, constant), *place = wanted(die, attribute);
        if (place) *place = value;
    }
    return !attributes.failed && !r->failed && die->tag != 0;
}

enum { VARIABLE_WIDTH = UINT16_MAX };

/// How many bytes the attributes of each entry with an abbreviation have, and one more.
static uint16_t width_of(const struct dies *dies, uint64_t code) {
    struct reader r = section_reader(dies->debug, dies->debug->at.abbrev, dies->known[code]);
    uint64_t attribute, form, bytes = 0;
    int64_t constant;
    uleb(&r), skip(&r, 1);
    while (next_attribute(&r, &attribute, &form, &constant)) {
        bool has_none = form == DW_FORM_flag_present || form == DW_FORM_implicit_const;
        if (!has_none && (form >= sizeof sizes || !sizes[form])) return VARIABLE_WIDTH;
        if (!has_none) bytes += sizes[form];
    }
    return r.failed || bytes + 1 >= VARIABLE_WIDTH ? VARIABLE_WIDTH : (uint16_t)(bytes + 1);
}

bool csymbols_next_tagged(struct dies *dies, uint64_t tag, struct die *die) {
    struct reader *r = &dies->entries;
    while (left(r) && !r->failed && dies->budget) {
        struct reader entry = *r;
        uint64_t code = uleb(&entry);
        uint16_t width = code < DIE_ABBREVIATIONS ? dies->widths[code] : VARIABLE_WIDTH;
        // Only abbreviations of other tags have a width.
        if (width && width != VARIABLE_WIDTH) {
            skip(&entry, width - 1);
            *r = entry;
            dies->budget--;
            continue;
        }
        if (!csymbols_next_die(dies, die)) return false;
        if (die->tag == tag) return true;
        if (code && code < DIE_ABBREVIATIONS && dies->known[code] && !width) dies->widths[code] = width_of(dies, code);
    }
    return false;
}

static uint64_t address_at(const struct dies *dies, uint64_t index, bool *is_sound) {
    uint64_t base = dies->root.address_base.number;
    struct reader r = section_reader(dies->debug, dies->debug->at.addr, base);
    skip(&r, index <= UINT32_MAX ? index * 8 : UINT64_MAX);
    uint64_t address = fixed(&r, 8);
    if (r.failed || !dies->root.address_base.form) *is_sound = false;
    return address;
}

static uint64_t address_of(const struct dies *dies, struct value value, bool *is_sound) {
    if (value.form == DW_FORM_addr) return value.number;
    return address_at(dies, value.number, is_sound);
}

uint64_t csymbols_die_low(const struct dies *dies, const struct die *die) {
    bool is_sound = true;
    uint64_t low = die->low.form && !die->ranges.form ? address_of(dies, die->low, &is_sound) : 0;
    return is_sound ? low : 0;
}

bool csymbols_open_unit(const struct csymbols_debug *debug, uint64_t offset, uint64_t budget, struct dies *dies) {
    struct reader all = section_reader(debug, debug->at.info, offset), unit;
    memset(dies, 0, sizeof *dies);
    dies->debug = debug;
    if (!left(&all) || !next_unit(&all, &unit)) return false;
    dies->start = offset;
    dies->end = debug->at.info.size - left(&all);
    dies->budget = budget;
    dies->version = (uint16_t)fixed(&unit, 2);
    if (unit.failed || dies->version < 4 || dies->version > 5) return false;
    uint64_t kind = dies->version == 5 ? fixed(&unit, 1) : DW_UT_compile, abbreviations, address_size;
    if (dies->version == 5)
        address_size = fixed(&unit, 1), abbreviations = fixed(&unit, 4);
    else
        abbreviations = fixed(&unit, 4), address_size = fixed(&unit, 1);
    // Units of types, and units whose entries are in another file, are left out.
    if (unit.failed || address_size != 8 || (kind != DW_UT_compile && kind != DW_UT_partial)) return false;
    dies->abbreviations = section_reader(debug, debug->at.abbrev, abbreviations);
    dies->entries = unit;
    if (!csymbols_next_die(dies, &dies->root)) return false;
    bool is_sound = true;
    if (dies->root.low.form) dies->low = address_of(dies, dies->root.low, &is_sound);
    return true;
}

const char *csymbols_die_text(const struct dies *dies, struct value value) {
    bool is_indexed = value.form == DW_FORM_strx || (value.form >= DW_FORM_strx1 && value.form <= DW_FORM_strx4);
    if (!is_indexed) return csymbols_text(dies->debug, value);
    if (!dies->root.string_base.form || value.number > UINT32_MAX) return NULL;
    struct reader offsets = section_reader(dies->debug, dies->debug->at.str_offsets, dies->root.string_base.number);
    skip(&offsets, value.number * 4);
    struct value string = {DW_FORM_strp, fixed(&offsets, 4), NULL};
    return offsets.failed ? NULL : csymbols_text(dies->debug, string);
}

/// Range lists of DWARF 4: pairs of addresses.
static bool old_ranges_hold(struct dies *dies, uint64_t offset, uint64_t address, bool *is_sound) {
    struct reader r = section_reader(dies->debug, dies->debug->at.ranges, offset);
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

/// Range lists of DWARF 5, whose entries say their own kind.
static bool new_ranges_hold(struct dies *dies, uint64_t offset, uint64_t address, bool *is_sound) {
    struct reader r = section_reader(dies->debug, dies->debug->at.rnglists, offset);
    uint64_t base = dies->low, low, high;
    while (!r.failed && dies->budget && *is_sound) {
        dies->budget--;
        low = high = 0;
        switch (fixed(&r, 1)) {
        case DW_RLE_end_of_list: return r.failed ? (*is_sound = false) : false;
        case DW_RLE_base_addressx: base = address_at(dies, uleb(&r), is_sound); continue;
        case DW_RLE_startx_endx:
            low = address_at(dies, uleb(&r), is_sound), high = address_at(dies, uleb(&r), is_sound);
            break;
        case DW_RLE_startx_length: low = address_at(dies, uleb(&r), is_sound), high = low + uleb(&r); break;
        case DW_RLE_offset_pair: low = base + uleb(&r), high = base + uleb(&r); break;
        case DW_RLE_base_address: base = fixed(&r, 8); continue;
        case DW_RLE_start_end: low = fixed(&r, 8), high = fixed(&r, 8); break;
        case DW_RLE_start_length: low = fixed(&r, 8), high = low + uleb(&r); break;
        default: r.failed = true;
        }
        if (!r.failed && *is_sound && low && address >= low && address < high) return true;
    }
    return *is_sound = false;
}

bool csymbols_die_holds(struct dies *dies, const struct die *die, uint64_t address, bool *is_sound) {
    if (die->ranges.form) {
        uint64_t offset = die->ranges.number;
        if (dies->version < 5) return old_ranges_hold(dies, offset, address, is_sound);
        if (die->ranges.form == DW_FORM_rnglistx) {
            uint64_t base = dies->root.range_base.number;
            struct reader r = section_reader(dies->debug, dies->debug->at.rnglists, base);
            skip(&r, offset <= UINT32_MAX ? offset * 4 : UINT64_MAX);
            offset = base + fixed(&r, 4);
            if (r.failed || !dies->root.range_base.form) return *is_sound = false;
        }
        return new_ranges_hold(dies, offset, address, is_sound);
    }
    if (!die->low.form) return false;
    uint64_t low = address_of(dies, die->low, is_sound), high = low + 1;
    if (die->high.form == DW_FORM_addr || die->high.form == DW_FORM_addrx || die->high.form >= DW_FORM_addrx1) {
        high = address_of(dies, die->high, is_sound);
    } else if (die->high.form) {
        high = low + die->high.number;
    }
    // Code that the linker dropped is at 0.
    return low && address >= low && address < high;
}

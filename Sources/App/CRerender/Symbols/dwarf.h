// SPDX-License-Identifier: MIT
// A reader of bytes that never reads past their end. A read that would do so marks the reader as failed and leaves it there.
#ifndef CSYMBOLS_DWARF_H
#define CSYMBOLS_DWARF_H

#include "CSymbols.h"

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

// The numbers of the DWARF standard that are read here, under the standard's names.

enum { DW_UT_compile = 0x01, DW_UT_partial = 0x03 };

enum { DW_TAG_inlined_subroutine = 0x1D, DW_TAG_subprogram = 0x2E };

enum {
    DW_AT_name = 0x03,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_abstract_origin = 0x31,
    DW_AT_decl_file = 0x3A,
    DW_AT_decl_line = 0x3B,
    DW_AT_specification = 0x47,
    DW_AT_ranges = 0x55,
    DW_AT_call_file = 0x58,
    DW_AT_call_line = 0x59,
    DW_AT_linkage_name = 0x6E,
    DW_AT_str_offsets_base = 0x72,
    DW_AT_addr_base = 0x73,
    DW_AT_rnglists_base = 0x74,
    DW_AT_MIPS_linkage_name = 0x2007,
    DW_AT_APPLE_optimized = 0x3FE1,
};

enum {
    DW_FORM_addr = 0x01,
    DW_FORM_block2 = 0x03,
    DW_FORM_block4 = 0x04,
    DW_FORM_data2 = 0x05,
    DW_FORM_data4 = 0x06,
    DW_FORM_data8 = 0x07,
    DW_FORM_string = 0x08,
    DW_FORM_block = 0x09,
    DW_FORM_block1 = 0x0A,
    DW_FORM_data1 = 0x0B,
    DW_FORM_flag = 0x0C,
    DW_FORM_sdata = 0x0D,
    DW_FORM_strp = 0x0E,
    DW_FORM_udata = 0x0F,
    DW_FORM_ref_addr = 0x10,
    DW_FORM_ref1 = 0x11,
    DW_FORM_ref2 = 0x12,
    DW_FORM_ref4 = 0x13,
    DW_FORM_ref8 = 0x14,
    DW_FORM_ref_udata = 0x15,
    DW_FORM_sec_offset = 0x17,
    DW_FORM_exprloc = 0x18,
    DW_FORM_flag_present = 0x19,
    DW_FORM_strx = 0x1A,
    DW_FORM_addrx = 0x1B,
    DW_FORM_ref_sup4 = 0x1C,
    DW_FORM_strp_sup = 0x1D,
    DW_FORM_data16 = 0x1E,
    DW_FORM_line_strp = 0x1F,
    DW_FORM_ref_sig8 = 0x20,
    DW_FORM_implicit_const = 0x21,
    DW_FORM_loclistx = 0x22,
    DW_FORM_rnglistx = 0x23,
    DW_FORM_ref_sup8 = 0x24,
    DW_FORM_strx1 = 0x25,
    DW_FORM_strx2 = 0x26,
    DW_FORM_strx3 = 0x27,
    DW_FORM_strx4 = 0x28,
    DW_FORM_addrx1 = 0x29,
    DW_FORM_addrx2 = 0x2A,
    DW_FORM_addrx3 = 0x2B,
    DW_FORM_addrx4 = 0x2C,
    DW_FORM_GNU_ref_alt = 0x1F20,
    DW_FORM_GNU_strp_alt = 0x1F21,
};

/// Entries of a range list, DWARF 5.
enum {
    DW_RLE_end_of_list,
    DW_RLE_base_addressx,
    DW_RLE_startx_endx,
    DW_RLE_startx_length,
    DW_RLE_offset_pair,
    DW_RLE_base_address,
    DW_RLE_start_end,
    DW_RLE_start_length,
};

/// Instructions of line programs, standard and extended, and the kind of a file's description that is its path.
enum {
    DW_LNS_copy = 1,
    DW_LNS_advance_pc = 2,
    DW_LNS_advance_line = 3,
    DW_LNS_set_file = 4,
    DW_LNS_const_add_pc = 8,
    DW_LNS_fixed_advance_pc = 9,
    DW_LNE_end_sequence = 1,
    DW_LNE_set_address = 2,
    DW_LNCT_path = 1,
    DW_LNCT_directory_index = 2,
};

/// Instructions of call-frame information. The first three carry an operand in their lower six bits.
enum {
    DW_CFA_advance_loc = 0x40,
    DW_CFA_offset = 0x80,
    DW_CFA_restore = 0xC0,
    DW_CFA_nop = 0x00,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0A,
    DW_CFA_restore_state = 0x0B,
    DW_CFA_def_cfa = 0x0C,
    DW_CFA_def_cfa_register = 0x0D,
    DW_CFA_def_cfa_offset = 0x0E,
    DW_CFA_def_cfa_expression = 0x0F,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_expression = 0x16,
    DW_CFA_GNU_args_size = 0x2E,
};

/// Encodings of pointers in `.eh_frame` and `.eh_frame_hdr`.
enum {
    DW_EH_PE_udata2 = 0x02,
    DW_EH_PE_udata4 = 0x03,
    DW_EH_PE_sdata4 = 0x0B,
    DW_EH_PE_pcrel = 0x10,
    DW_EH_PE_datarel = 0x30,
};

// Debugging information entries (DIEs) of a unit, read one after the other: functions, inlined functions and so on.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Reads a section from `offset` on.
static inline struct reader section_reader(const struct csymbols_debug *debug, struct csymbols_span span,
                                           uint64_t offset) {
    const uint8_t *start = debug->bytes + span.start;
    struct reader r = {start, start + span.size, false};
    skip(&r, offset);
    return r;
}

/// Reads a unit's length. The reader goes behind the unit; `unit` gets what follows the length.
///
/// A unit in the 64-bit format is marked as failed: compilers write it only for more than 4 GB.
static inline bool next_unit(struct reader *r, struct reader *unit) {
    uint64_t size = fixed(r, 4);
    bool is_large = size == 0xFFFFFFFF;
    if (is_large) size = fixed(r, 8);
    *unit = (struct reader){r->at, r->at, is_large};
    skip(r, size);
    unit->end = r->at;
    return !r->failed;
}

/// An attribute's value; `form` is 0 if the entry does not have the attribute.
struct value {
    uint64_t form;
    uint64_t number;
    const char *_Nullable text; ///< of a string that stands in the entry itself
};

/// Whether a value stands in the file that several files of debug information share, which is not read.
static inline bool is_elsewhere(struct value value) {
    return value.form == DW_FORM_GNU_ref_alt || value.form == DW_FORM_ref_sup4 || value.form == DW_FORM_ref_sup8;
}

/// Reads a value of a form. `unit` is where references within the unit count from, `constant` what the abbreviation holds.
struct value csymbols_read_value(struct reader *r, uint64_t form, uint64_t unit, int64_t constant);
/// The text of a value that is a string in a section of strings, or in the entry. NULL for other forms.
const char *_Nullable csymbols_text(const struct csymbols_debug *debug, struct value value);
/// Copies a name. Returns false for NULL, an empty name, and one that has no room.
bool csymbols_copy_name(const char *_Nullable found, char *name, size_t capacity);

/// The attributes of an entry that are used here.
struct die {
    uint64_t offset; ///< in the section of all entries
    uint64_t tag;    ///< 0 at the end of a list of children
    bool has_children;
    struct value name, linkage_name, low, high, ranges, lines, origin, call_file, call_line, decl_file, decl_line;
    struct value string_base, address_base, range_base, optimized;
};

enum { DIE_ABBREVIATIONS = 1024 };

/// The entries of a unit. The budget bounds the work that a damaged file can cause: one for each attribute that is read.
struct dies {
    const struct csymbols_debug *debug;
    struct reader entries;
    uint64_t start, end; ///< of the unit in the section of all entries
    uint16_t version;
    uint64_t budget;
    struct die root;
    uint64_t low; ///< what ranges count from
    struct reader abbreviations;
    uint32_t known[DIE_ABBREVIATIONS]; ///< offsets of the abbreviations that were met, by their code
    uint16_t
        widths[DIE_ABBREVIATIONS]; ///< how many bytes follow the code, and one more; 0 where that was not asked for
};

/// Reads the header of the unit at this offset and its first entry. Sets `end` even for a unit that cannot be read, and
/// to 0 where the offset has no unit.
bool csymbols_open_unit(const struct csymbols_debug *debug, uint64_t offset, uint64_t budget, struct dies *dies);
/// Reads the entry at the reader. False at the unit's end, and where the unit is damaged or uses an unknown form.
bool csymbols_next_die(struct dies *dies, struct die *die);
/// Reads on to an entry with this tag; others are skipped as a whole where that can be.
bool csymbols_next_tagged(struct dies *dies, uint64_t tag, struct die *die);
/// Whether the entry's code holds the address. Clears `is_sound` if that cannot be told.
bool csymbols_die_holds(struct dies *dies, const struct die *die, uint64_t address, bool *is_sound);
/// The first address of an entry's code; 0 if it is not known, or the code does not lie together.
uint64_t csymbols_die_low(const struct dies *dies, const struct die *die);
/// The text of an attribute, or NULL.
const char *_Nullable csymbols_die_text(const struct dies *dies, struct value value);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

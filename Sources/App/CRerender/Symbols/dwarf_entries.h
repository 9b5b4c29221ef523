// SPDX-License-Identifier: MIT
// Debugging information entries (DIEs) of a unit, read one after the other: functions, inlined functions and so on.
#ifndef CSYMBOLS_DWARF_ENTRIES_H
#define CSYMBOLS_DWARF_ENTRIES_H

#include "byte_reader.h"
#include "CSymbols.h"
#include "dwarf_constants.h"

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
/// Copies a name. False if there is none, it is empty, or it has no room.
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
/// to 0 where there is none.
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

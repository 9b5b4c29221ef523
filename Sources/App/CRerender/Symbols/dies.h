// SPDX-License-Identifier: MIT
// The entries of debug information, one after the other: a function, code that was inlined into it, and so on.
#ifndef CRERENDER_DIES_H
#define CRERENDER_DIES_H

#include "dwarf.h"

#pragma clang assume_nonnull begin

/// An attribute's value; `form` is 0 if the entry does not have it.
struct value {
    uint64_t form;
    uint64_t number;
    const uint8_t *_Nullable text;
};

/// An entry, as much as is asked of it.
struct die {
    uint64_t offset; ///< in all entries
    uint64_t tag;    ///< 0 at the end of a list of children
    bool has_children;
    struct value name, linkage_name, low, high, ranges, lines, origin, call_file, call_line;
    struct value string_base, address_base, range_base;
};

enum { DIE_ABBREVIATIONS = 1024 };

/// The entries of a unit. The budget ends the work that a damaged file makes: one for each attribute that is read.
struct dies {
    const struct crerender_debug *debug;
    struct reader entries;
    uint64_t start, end; ///< of the unit in all entries
    uint16_t version;
    uint64_t budget;
    struct die root;
    uint64_t low; ///< what ranges count from
    struct reader abbreviations;
    uint32_t known[DIE_ABBREVIATIONS]; ///< where the abbreviations are that were met, by their code
};

/// Reads the header of the unit at this offset and its first entry. Sets `end` even for a unit that cannot be read, and
/// to 0 where there is none.
bool crerender_open_unit(const struct crerender_debug *debug, uint64_t offset, uint64_t budget, struct dies *dies);
/// Reads the entry at the reader. False at the unit's end, or where it is damaged or uses what we do not know.
bool crerender_next_die(struct dies *dies, struct die *die);
/// Whether the entry's code holds the address. Clears `is_sound` if that cannot be told.
bool crerender_die_holds(struct dies *dies, const struct die *die, uint64_t address, bool *is_sound);
/// The text of an attribute, or NULL.
const char *_Nullable crerender_die_text(const struct dies *dies, struct value value);

#pragma clang assume_nonnull end

#endif

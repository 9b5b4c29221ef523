// SPDX-License-Identifier: MIT
// Reads line tables. In C because apps under observation are debug builds, where Swift takes a second for all lines.
#include "dwarf.h"

#include <stdlib.h>
#include <string.h>

/// A unit's header, and its program behind it.
struct unit {
    struct reader program, files;
    uint16_t version;
    uint8_t step, range, first_special;
    int8_t base;
    uint8_t operands[256];
};

/// Where a program is.
struct state {
    uint64_t address;
    uint64_t line;
    uint32_t file;
};

enum step { ROW, END, STOP };

static bool read_header(struct reader r, struct unit *unit) {
    unit->version = (uint16_t)fixed(&r, 2);
    if (r.failed || unit->version < 2 || unit->version > 5) return false;
    if (unit->version == 5) skip(&r, 2); // the sizes of addresses and of segments
    uint64_t header = fixed(&r, 4);
    struct reader program = r;
    skip(&program, header);
    unit->step = (uint8_t)fixed(&r, 1);
    uint8_t together = unit->version >= 4 ? (uint8_t)fixed(&r, 1) : 1;
    skip(&r, 1); // whether rows are statements
    unit->base = (int8_t)fixed(&r, 1);
    unit->range = (uint8_t)fixed(&r, 1);
    unit->first_special = (uint8_t)fixed(&r, 1);
    if (together > 1 || unit->range == 0 || unit->first_special == 0) return false;
    for (unsigned i = 1; i < unit->first_special; i++) unit->operands[i] = (uint8_t)fixed(&r, 1);
    unit->program = program;
    unit->files = r;
    unit->files.end = program.at;
    return !r.failed && !program.failed && r.at <= program.at;
}

/// An extended instruction; whether it ends the sequence.
static bool extended(struct reader *r, struct state *state) {
    uint64_t size = uleb(r);
    struct reader body = *r;
    skip(r, size);
    if (r->failed || size == 0) return false;
    body.end = r->at;
    uint8_t code = (uint8_t)fixed(&body, 1);
    if (code == DW_LNE_set_address && left(&body) == 8) state->address = fixed(&body, 8);
    return code == DW_LNE_end_sequence;
}

static void standard(struct reader *r, const struct unit *unit, uint8_t code, struct state *state) {
    switch (code) {
    case DW_LNS_advance_pc: state->address += uleb(r) * unit->step; break;
    case DW_LNS_advance_line: state->line += (uint64_t)sleb(r); break;
    case DW_LNS_set_file: state->file = (uint32_t)uleb(r); break;
    case DW_LNS_const_add_pc:
        state->address += (uint64_t)((255 - unit->first_special) / unit->range) * unit->step;
        break;
    case DW_LNS_fixed_advance_pc: state->address += fixed(r, 2); break;
    default:
        for (unsigned i = 0; i < unit->operands[code]; i++) uleb(r);
    }
}

/// Runs up to the next row or the sequence's end.
static enum step next_row(struct reader *r, const struct unit *unit, struct state *state) {
    while (left(r) && !r->failed) {
        uint8_t code = *r->at++;
        if (code >= unit->first_special) {
            code -= unit->first_special;
            state->address += (uint64_t)(code / unit->range) * unit->step;
            state->line += (uint64_t)(int64_t)(unit->base + code % unit->range);
            return ROW;
        }
        if (code == DW_LNS_copy) return ROW;
        if (code != 0)
            standard(r, unit, code, state);
        else if (extended(r, state))
            return END;
    }
    return STOP;
}

/// Runs one sequence; its code, or an empty one where addresses go backwards.
static bool next_sequence(struct reader *r, const struct unit *unit, struct csymbols_sequence *sequence) {
    struct state state = {0, 1, 1};
    uint64_t low = 0, last = 0;
    bool is_first = true, is_ordered = true;
    for (;;) {
        enum step step = next_row(r, unit, &state);
        if (step == STOP) return false;
        if (is_first) low = last = state.address;
        is_ordered = is_ordered && state.address >= last;
        is_first = false;
        last = state.address;
        if (step == END) break;
    }
    // Linkers leave the lines of code that they dropped, at address 0.
    bool is_code = is_ordered && low > 0 && last - low <= UINT32_MAX;
    sequence->low = low;
    sequence->size = is_code ? (uint32_t)(last - low) : 0;
    return true;
}

static int compare(const void *a, const void *b) {
    const struct csymbols_sequence *left = a, *right = b;
    return left->low < right->low ? -1 : left->low > right->low;
}

size_t csymbols_sequences(const struct csymbols_debug *debug, struct csymbols_sequence *sequences, size_t capacity) {
    if (debug->at.line.size > UINT32_MAX) return 0;
    struct reader all = section_reader(debug, debug->at.line, 0), body;
    const uint8_t *start = all.at, *here = start;
    size_t found = 0;
    struct unit unit;
    for (; left(&all) && next_unit(&all, &body); here = all.at) {
        if (body.failed || !read_header(body, &unit)) continue;
        struct csymbols_sequence sequence = {.unit = (uint32_t)(here - start)};
        for (;;) {
            sequence.program = (uint32_t)(unit.program.at - start);
            if (!next_sequence(&unit.program, &unit, &sequence)) break;
            if (sequence.size == 0) continue;
            if (found < capacity) sequences[found] = sequence;
            found++;
        }
    }
    if (found && found <= capacity) qsort(sequences, found, sizeof *sequences, compare);
    return found;
}

static bool find_unit(const struct csymbols_debug *debug, uint32_t offset, struct unit *unit) {
    struct reader all = section_reader(debug, debug->at.line, offset), body;
    return next_unit(&all, &body) && !body.failed && read_header(body, unit);
}

bool csymbols_find_line(const struct csymbols_debug *debug, const struct csymbols_sequence *sequence, uint64_t address,
                        struct csymbols_line *line) {
    struct unit unit;
    if (!find_unit(debug, sequence->unit, &unit)) return false;
    struct reader r = section_reader(debug, debug->at.line, sequence->program);
    if (r.failed || r.at < unit.program.at || r.at > unit.program.end) return false;
    r.end = unit.program.end;
    struct state state = {0, 1, 1}, before = state;
    bool has_before = false;
    for (;;) {
        enum step step = next_row(&r, &unit, &state);
        if (step == STOP) return false;
        if (state.address > address || step == END) break;
        before = state;
        has_before = true;
    }
    if (!has_before || state.address <= address) return false;
    line->file = before.file;
    line->line = before.line <= INT32_MAX ? (uint32_t)before.line : 0;
    return true;
}

/// The name of the entry with this index in a table that says itself what is in it, and the number of its directory; the reader goes
/// behind the table only if there is no such entry.
static const char *_Nullable described(const struct csymbols_debug *debug, struct reader *r, uint64_t index,
                                       uint64_t *directory) {
    uint64_t formats[2 * 255];
    size_t kinds = (size_t)fixed(r, 1);
    for (size_t i = 0; i < 2 * kinds; i++) formats[i] = uleb(r);
    uint64_t count = uleb(r);
    if (kinds == 0 && count) r->failed = true; // entries without bytes: any number of them
    for (uint64_t entry = 0; entry < count && !r->failed; entry++) {
        const char *name = NULL;
        for (size_t i = 0; i < kinds; i++) {
            struct value value = csymbols_read_value(r, formats[2 * i + 1], 0, 0);
            if (formats[2 * i] == DW_LNCT_path) name = csymbols_text(debug, value);
            if (formats[2 * i] == DW_LNCT_directory_index) *directory = value.number;
        }
        if (entry == index && !r->failed) return name;
    }
    return NULL;
}

static const char *_Nullable listed(struct reader *r, uint64_t index, const char *_Nullable *_Nonnull directory) {
    struct reader directories = *r;
    const char *name;
    do name = text(r);
    while (name && *name); // directories
    for (uint64_t entry = 1; (name = text(r)) && *name; entry++) {
        uint64_t number = uleb(r);
        if (entry == index) {
            for (; number > 0 && (*directory = text(&directories)) && **directory; number--)
                ;
            return name;
        }
        uleb(r), uleb(r);
    }
    return NULL;
}

bool csymbols_line_file(const struct csymbols_debug *debug, uint32_t offset, uint32_t file, char *name,
                        size_t capacity) {
    struct unit unit;
    if (!find_unit(debug, offset, &unit)) return false;
    const char *found, *directory = NULL;
    if (unit.version == 5) {
        struct reader directories = unit.files;
        uint64_t number = 0, none;
        described(debug, &unit.files, UINT64_MAX, &none);
        found = described(debug, &unit.files, file, &number);
        // The first one is that of the compiler.
        if (number > 0) directory = described(debug, &directories, number, &none);
    } else {
        found = listed(&unit.files, file, &directory);
    }
    if (!found || *found == '/' || !directory || !*directory) return csymbols_copy_name(found, name, capacity);
    size_t length = strlen(directory);
    if (length + 1 >= capacity || !csymbols_copy_name(found, name + length + 1, capacity - length - 1)) return false;
    memcpy(name, directory, length);
    name[length] = '/';
    return true;
}

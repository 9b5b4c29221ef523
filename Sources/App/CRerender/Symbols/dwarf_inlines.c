// SPDX-License-Identifier: MIT
// Finds the functions that were inlined at an address, and the places that call them.
#include "dwarf.h"

/// The chain around the address, as it is found.
struct search {
    uint64_t address;
    struct csymbols_call *calls;
    int capacity, count;
    int depth;      ///< of the entry that is read
    int function;   ///< the depth of the function that holds the address, or 0
    uint64_t entry; ///< that function's
    bool is_hint;   ///< whether the first entry is the only function to look at
    int innermost;  ///< the depth of the last call that holds the address, or 0 once its end is passed
};

/// Looks at an entry; false if the answer cannot be known.
static bool look(struct dies *dies, const struct die *die, struct search *search) {
    bool is_sound = true;
    if (search->function == 0) {
        if (die->tag == DW_TAG_subprogram && csymbols_die_holds(dies, die, search->address, &is_sound)) {
            search->function = search->innermost = search->depth;
        }
        return is_sound;
    }
    if (die->tag != DW_TAG_inlined_subroutine || !csymbols_die_holds(dies, die, search->address, &is_sound))
        return is_sound;
    // Beside another that holds the address: which of them ran is not known.
    if (search->innermost == 0 || search->count == search->capacity) return false;
    if (!die->origin.form || !die->call_file.form || !die->call_line.form) return false;
    if (die->call_file.number > UINT32_MAX || die->call_line.number > INT32_MAX) return false;
    search->calls[search->count++] = (struct csymbols_call){
        .function = is_elsewhere(die->origin) ? 0 : die->origin.number,
        .file = (uint32_t)die->call_file.number,
        .line = (uint32_t)die->call_line.number,
    };
    search->innermost = search->depth;
    return is_sound;
}

/// Reads entries up to the end of the function that holds the address; whether there is one and all of it is known.
static bool search_entries(struct dies *dies, struct search *search) {
    struct die die;
    search->depth = 1;
    while (search->depth > 0 && csymbols_next_die(dies, &die)) {
        if (die.tag == 0) {
            search->depth--;
        } else {
            if (!look(dies, &die, search)) return false;
            if (search->function == search->depth) search->entry = die.offset;
            if (search->is_hint && !search->function) return false;
            if (die.has_children) {
                search->depth++;
                continue;
            }
        }
        if (search->innermost == search->depth && search->count) search->innermost = 0;
        if (search->function && search->depth <= search->function) return true;
    }
    return false;
}

/// Opens the unit that has this entry and goes there.
static bool open_entry(const struct csymbols_debug *debug, uint64_t entry, struct dies *dies) {
    struct reader all = section_reader(debug, debug->at.info, 0), unit;
    while (left(&all)) {
        uint64_t start = debug->at.info.size - left(&all);
        if (!next_unit(&all, &unit)) return false;
        uint64_t end = debug->at.info.size - left(&all);
        if (entry >= end) continue;
        if (!csymbols_open_unit(debug, start, CSYMBOLS_DEBUG_BUDGET, dies)) return false;
        // Behind the unit's header.
        if (entry < dies->root.offset) return false;
        dies->entries = section_reader(debug, debug->at.info, entry);
        dies->entries.end = debug->bytes + debug->at.info.start + end;
        return !dies->entries.failed;
    }
    return false;
}

int csymbols_inlined(const struct csymbols_debug *debug, uint32_t lines, uint64_t address, uint64_t *hint,
                     struct csymbols_call *calls, int capacity) {
    struct dies dies = {0};
    if (*hint && open_entry(debug, *hint, &dies) && dies.root.lines.form && dies.root.lines.number == lines) {
        struct search search = {.address = address, .calls = calls, .capacity = capacity, .is_hint = true};
        if (search_entries(&dies, &search)) return search.count;
        if (search.function) return -1;
    }
    uint64_t budget = CSYMBOLS_DEBUG_BUDGET;
    for (uint64_t offset = 0; offset < debug->at.info.size && budget; offset = dies.end, budget = dies.budget) {
        bool is_read = csymbols_open_unit(debug, offset, budget, &dies);
        if (dies.end <= offset) return -1;
        if (!is_read || !dies.root.lines.form || dies.root.lines.number != lines) continue;
        struct search search = {.address = address, .calls = calls, .capacity = capacity};
        if (!dies.root.has_children) continue;
        bool is_known = search_entries(&dies, &search);
        if (search.function) *hint = search.entry;
        if (search.function) return is_known ? search.count : -1;
    }
    return -1;
}

size_t csymbols_units(const struct csymbols_debug *debug, struct csymbols_unit *units, size_t capacity) {
    struct dies dies = {0};
    uint64_t budget = CSYMBOLS_DEBUG_BUDGET;
    size_t count = 0;
    for (uint64_t offset = 0; offset < debug->at.info.size && budget; offset = dies.end, budget = dies.budget) {
        bool is_read = csymbols_open_unit(debug, offset, budget, &dies);
        if (dies.end <= offset) break;
        struct value lines = dies.root.lines;
        if (!is_read || !lines.form || lines.number > UINT32_MAX) continue;
        if (count < capacity)
            units[count] = (struct csymbols_unit){offset, (uint32_t)lines.number, dies.root.optimized.form != 0};
        count++;
    }
    return count;
}

size_t csymbols_functions(const struct csymbols_debug *debug, uint64_t start, struct csymbols_function *functions,
                          size_t capacity) {
    struct dies dies;
    struct die die;
    size_t count = 0;
    if (!csymbols_open_unit(debug, start, CSYMBOLS_DEBUG_BUDGET, &dies)) return 0;
    while (csymbols_next_tagged(&dies, DW_TAG_subprogram, &die)) {
        uint64_t low = csymbols_die_low(&dies, &die);
        if (!low) continue;
        if (count < capacity) functions[count] = (struct csymbols_function){low, die.offset};
        count++;
    }
    return count;
}

/// Whether the function that an entry of the same unit describes is the getter of a property.
static bool is_getter(struct dies *dies, uint64_t entry, const char *property) {
    struct reader here = dies->entries;
    const char *name = NULL;
    // As in `csymbols_find_function`.
    for (int hops = 0; hops < 4 && !name && entry > dies->root.offset && entry < dies->end; hops++) {
        struct die die;
        dies->entries = section_reader(dies->debug, dies->debug->at.info, entry);
        dies->entries.end = here.end;
        if (!csymbols_next_die(dies, &die) || die.tag != DW_TAG_subprogram) break;
        name = csymbols_die_text(dies, die.linkage_name);
        entry = die.origin.form && !is_elsewhere(die.origin) ? die.origin.number : 0;
    }
    dies->entries = here;
    size_t size = name ? strlen(name) : 0;
    return size > 2 && strcmp(name + size - 2, "vg") == 0 && strstr(name, property);
}

size_t csymbols_inlined_getters(const struct csymbols_debug *debug, uint64_t start, const char *property,
                                struct csymbols_inlined_getter *getters, size_t capacity) {
    enum { MOST_ANSWERS = 1024 };
    // By the entry of a function: twice its place, and whether it is such a getter.
    uint64_t answers[MOST_ANSWERS] = {0}, function = 0;
    struct dies dies;
    struct die die;
    size_t count = 0;
    if (!csymbols_open_unit(debug, start, CSYMBOLS_DEBUG_BUDGET, &dies) || !dies.root.optimized.form) return 0;
    while (csymbols_next_die(&dies, &die)) {
        // One without code is a declaration, which may stand within another function.
        if (die.tag == DW_TAG_subprogram && (die.low.form || die.ranges.form)) function = die.offset;
        if (die.tag != DW_TAG_inlined_subroutine || !die.origin.form || is_elsewhere(die.origin)) continue;
        uint64_t entry = die.origin.number, *answer = &answers[entry % MOST_ANSWERS];
        if (*answer >> 1 != entry) *answer = entry << 1 | is_getter(&dies, entry, property);
        if (!(*answer & 1)) continue;
        if (count < capacity) getters[count] = (struct csymbols_inlined_getter){entry, function};
        count++;
    }
    return count;
}

/// Where an entry says that it is declared; false if it does not.
static bool declares(const struct dies *dies, const struct die *die, struct csymbols_declaration *declaration) {
    uint64_t unit = dies->root.lines.number, file = die->decl_file.number, line = die->decl_line.number;
    if (!dies->root.lines.form || !die->decl_file.form || !die->decl_line.form) return false;
    if (unit > UINT32_MAX || file > UINT32_MAX || line == 0 || line > INT32_MAX) return false;
    *declaration = (struct csymbols_declaration){(uint32_t)unit, (uint32_t)file, (uint32_t)line};
    return true;
}

bool csymbols_find_function(const struct csymbols_debug *debug, uint64_t entry,
                            struct csymbols_declaration *declaration, char *name, size_t capacity) {
    struct dies dies;
    struct die die;
    const char *found = NULL;
    *declaration = (struct csymbols_declaration){0};
    // A function is declared in one entry, described in another, and inlined in a third.
    for (int hops = 0; hops < 4; hops++) {
        if (!open_entry(debug, entry, &dies) || !csymbols_next_die(&dies, &die) || die.tag != DW_TAG_subprogram)
            return false;
        if (!declaration->line) declares(&dies, &die, declaration);
        found = csymbols_die_text(&dies, die.linkage_name);
        if (!found && !die.origin.form) found = csymbols_die_text(&dies, die.name);
        if (found || !die.origin.form || is_elsewhere(die.origin)) break;
        entry = die.origin.number;
    }
    return csymbols_copy_name(found, name, capacity);
}

/// Looks through the entries of a unit for `csymbols_next_function`. False if not all of them can be read.
static bool find_next(struct dies *dies, const struct csymbols_declaration *function, const char *name,
                      uint32_t *line) {
    struct die die;
    struct csymbols_declaration other;
    size_t size = strlen(name);
    while (csymbols_next_die(dies, &die)) {
        if (die.tag != DW_TAG_subprogram || !declares(dies, &die, &other)) continue;
        if (other.file != function->file || other.line <= function->line) continue;
        if (*line && other.line >= *line) continue;
        // What is inside of a function begins with its name.
        const char *found = csymbols_die_text(dies, die.linkage_name);
        if (!found || strncmp(found, name, size) != 0) *line = other.line;
    }
    return !dies->entries.failed && !left(&dies->entries);
}

bool csymbols_next_function(const struct csymbols_debug *debug, const struct csymbols_declaration *declaration,
                            const char *name, uint32_t *line) {
    struct dies dies = {0};
    uint64_t budget = CSYMBOLS_DEBUG_BUDGET;
    *line = 0;
    for (uint64_t offset = 0; offset < debug->at.info.size && budget; offset = dies.end, budget = dies.budget) {
        bool is_read = csymbols_open_unit(debug, offset, budget, &dies);
        if (dies.end <= offset) return false;
        if (!is_read || !dies.root.lines.form || dies.root.lines.number != declaration->unit) continue;
        return find_next(&dies, declaration, name, line);
    }
    return false;
}

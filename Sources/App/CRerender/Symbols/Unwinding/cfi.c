// SPDX-License-Identifier: MIT
// Reads call-frame information (CFI) as compilers write it for x86-64: the search table, a function's entry, its instructions.
//
// Every offset is checked against the file's segments: a damaged table ends the search and does no other harm.
#define _GNU_SOURCE
#include "../dwarf.h"
#include "unwinding.h"

#include <link.h>

/// States that a function may remember at a time; compilers use one.
enum { REMEMBERED_MAX = 8 };

// MARK: Instructions

struct program {
    uint64_t code_step;
    int64_t data_step;
    struct frame_rules initial, now, remembered[REMEMBERED_MAX];
    uint32_t remembered_count;
    uintptr_t location;
    /// The frame's address cannot be told: an expression computes it.
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
static bool run_extended(struct program *p, struct reader *b, uint8_t code) {
    uint64_t number;
    switch (code) {
    case DW_CFA_nop: return true;
    case DW_CFA_advance_loc1: p->location += fixed(b, 1) * p->code_step; return true;
    case DW_CFA_advance_loc2: p->location += fixed(b, 2) * p->code_step; return true;
    case DW_CFA_advance_loc4: p->location += fixed(b, 4) * p->code_step; return true;
    case DW_CFA_offset_extended:
        number = uleb(b);
        set_rule(p, number, RULE_AT, (int64_t)uleb(b) * p->data_step);
        return true;
    case DW_CFA_restore_extended: restore(p, uleb(b)); return true;
    case DW_CFA_undefined: set_rule(p, uleb(b), RULE_UNDEFINED, 0); return true;
    case DW_CFA_same_value: set_rule(p, uleb(b), RULE_SAME, 0); return true;
    case DW_CFA_remember_state:
        if (p->remembered_count == REMEMBERED_MAX) return false;
        p->remembered[p->remembered_count++] = p->now;
        return true;
    case DW_CFA_restore_state:
        if (p->remembered_count == 0) return false;
        p->now = p->remembered[--p->remembered_count];
        p->is_lost = false;
        return true;
    case DW_CFA_def_cfa:
        number = uleb(b);
        set_frame(p, number, (int64_t)uleb(b));
        return true;
    case DW_CFA_def_cfa_register: set_frame(p, uleb(b), p->now.offset); return true;
    case DW_CFA_def_cfa_offset: p->now.offset = (int64_t)uleb(b); return true;
    case DW_CFA_def_cfa_expression:
        skip(b, uleb(b));
        p->is_lost = true;
        return true;
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        set_rule(p, uleb(b), RULE_OTHER, 0);
        skip(b, uleb(b));
        return true;
    case DW_CFA_offset_extended_sf:
        number = uleb(b);
        set_rule(p, number, RULE_AT, sleb(b) * p->data_step);
        return true;
    case DW_CFA_def_cfa_sf:
        number = uleb(b);
        set_frame(p, number, sleb(b) * p->data_step);
        return true;
    case DW_CFA_def_cfa_offset_sf: p->now.offset = sleb(b) * p->data_step; return true;
    case DW_CFA_register:
    case DW_CFA_val_offset:
        set_rule(p, uleb(b), RULE_OTHER, 0);
        uleb(b);
        return true;
    case DW_CFA_GNU_args_size: uleb(b); return true;
    default: return false;
    }
}

/// Runs instructions up to the row that holds at `address`.
static bool run(struct program *p, struct reader b, uintptr_t address) {
    while (b.at < b.end) {
        uint8_t byte = *b.at++, low = byte & 0x3f;
        struct frame_rules before = p->now;
        bool was_lost = p->is_lost;
        switch (byte & 0xc0) {
        case DW_CFA_advance_loc: p->location += low * p->code_step; break;
        case DW_CFA_offset: set_rule(p, low, RULE_AT, (int64_t)uleb(&b) * p->data_step); break;
        case DW_CFA_restore: restore(p, low); break;
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
static struct reader segment_bytes(const struct dl_phdr_info *info, uintptr_t at) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R) || at < start || at - start >= segment->p_filesz)
            continue;
        return (struct reader){(const uint8_t *)at, (const uint8_t *)(start + segment->p_filesz), false};
    }
    return (struct reader){0};
}

/// An entry's content; empty if it is none.
static struct reader entry_bytes(const struct dl_phdr_info *info, uintptr_t at) {
    struct reader b = segment_bytes(info, at);
    uint64_t length = fixed(&b, 4);
    if (b.failed || length == 0 || length > left(&b)) return (struct reader){0};
    b.end = b.at + length;
    return b;
}

/// Reads a common information entry (CIE); false if its form is not the one that compilers write.
static bool read_common(struct program *p, struct reader b, bool *has_data) {
    if (fixed(&b, 4) != 0) return false;
    uint8_t version = (uint8_t)fixed(&b, 1);
    const char *letters = (const char *)b.at;
    while (fixed(&b, 1) != 0) {
    }
    if (b.failed || (version != 1 && version != 3)) return false;
    p->code_step = uleb(&b);
    p->data_step = sleb(&b);
    if ((version == 1 ? fixed(&b, 1) : uleb(&b)) != RULE_RETURN) return false;
    uint8_t encoding = 0;
    *has_data = letters[0] == 'z';
    if (*has_data) {
        struct reader data = b;
        uint64_t length = uleb(&data);
        b = data;
        skip(&b, length);
        for (const char *letter = letters + 1; *letter; letter++) {
            if (*letter == 'R') encoding = (uint8_t)fixed(&data, 1);
            if (*letter == 'L') fixed(&data, 1);
            if (*letter == 'P') {
                uint8_t size = fixed(&data, 1) & 0x07;
                skip(&data, size == DW_EH_PE_udata2 ? 2 : size == DW_EH_PE_udata4 ? 4 : 8);
            }
        }
        if (data.failed) return false;
    }
    if (b.failed || encoding != (DW_EH_PE_pcrel | DW_EH_PE_sdata4)) return false;
    if (!run(p, b, UINTPTR_MAX)) return false;
    p->initial = p->now;
    return true;
}

static bool read_entry(const struct dl_phdr_info *info, uintptr_t at, struct search *search) {
    struct reader b = entry_bytes(info, at);
    if (!b.at) return false;
    uintptr_t place = (uintptr_t)b.at, common = place - fixed(&b, 4);
    struct reader c = entry_bytes(info, common);
    struct program p = {0};
    for (int i = 0; i < RULE_REGISTERS; i++) p.now.registers[i].kind = RULE_SAME;
    bool has_data;
    if (b.failed || !c.at || !read_common(&p, c, &has_data)) return false;
    place = (uintptr_t)b.at;
    uintptr_t first = place + (uintptr_t)(int64_t)(int32_t)fixed(&b, 4);
    uint64_t size = fixed(&b, 4);
    if (search->address < first || search->address - first >= size) return false;
    if (has_data) skip(&b, uleb(&b));
    p.location = first;
    if (b.failed || !run(&p, b, search->address) || p.is_lost) return false;
    *search->rules = p.now;
    search->rules->height = -1;
    // The frame pointer is needed, and stands where it usually does.
    if (p.now.base == RULE_RBP && p.now.offset == 16) {
        struct reader code = segment_bytes(info, first);
        size_t known = size < left(&code) ? size : left(&code);
        search->rules->height = frame_height(code.at, known, search->address - first);
    }
    return true;
}

/// The entry for the address in the table that the linker sorted; 0 if there is none.
static uintptr_t find_entry(const struct dl_phdr_info *info, uintptr_t table, uintptr_t address) {
    struct reader b = segment_bytes(info, table);
    if (fixed(&b, 1) != 1 || fixed(&b, 1) != (DW_EH_PE_pcrel | DW_EH_PE_sdata4)) return 0;
    if (fixed(&b, 1) != DW_EH_PE_udata4 || fixed(&b, 1) != (DW_EH_PE_datarel | DW_EH_PE_sdata4)) return 0;
    fixed(&b, 4);
    uint64_t count = fixed(&b, 4);
    if (b.failed || count > left(&b) / 8) return 0;
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

/// A jump through the procedure linkage table, `jmp *offset(%rip)`, perhaps after a landing mark. Linkers write no entry
/// for it, or an expression. It leaves the stack as the called function finds it.
static bool read_jump(const struct dl_phdr_info *info, struct search *search) {
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    struct reader b = segment_bytes(info, search->address);
    if (left(&b) >= 4 && memcmp(b.at, landing, 4) == 0) b.at += 4;
    if (b.at < b.end && *b.at == 0xf2) b.at++;
    if (fixed(&b, 2) != 0x25ff || b.failed) return false;
    memset(search->rules, 0, sizeof *search->rules); // the same registers
    search->rules->base = RULE_RSP;
    search->rules->height = -1;
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

struct call_search {
    uintptr_t address;
    bool found;
};

static int visit_call(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct call_search *search = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || search->address < start || search->address - start >= segment->p_filesz)
            continue;
        uint32_t wanted = PF_R | PF_X;
        search->found =
            (segment->p_flags & wanted) == wanted && ends_with_call((const uint8_t *)start, search->address - start);
        return 1;
    }
    return 0;
}

bool csymbols_follows_call(uintptr_t address) {
    struct call_search search = {.address = address};
    dl_iterate_phdr(visit_call, &search);
    return search.found;
}

bool csymbols_frame_rules(uintptr_t address, struct frame_rules *rules) {
    struct search search = {.address = address, .rules = rules};
    dl_iterate_phdr(visit, &search);
    return search.found;
}

// SPDX-License-Identifier: MIT
// Finds the callers in a copy of a stack: by call-frame information on x86-64, by frame pointers elsewhere.
#include "CSymbols.h"
#include "unwinding.h"

#include <string.h>

/// Swift marks the frame pointers of asynchronous functions with this bit.
static const uintptr_t async_mark = (uintptr_t)1 << 60;

struct cursor {
    const struct csymbols_stack_copy *copy;
    uintptr_t instruction, stack, frame;
    uintptr_t registers[RULE_REGISTERS];
    /// Which of the registers are known.
    uint32_t known;
};

/// The word at an address of the thread's stack; false if it is not in the copy.
static bool word(const struct csymbols_stack_copy *copy, uintptr_t at, uintptr_t *value) {
    uintptr_t offset = at - copy->stack;
    if (at < copy->stack || copy->size < sizeof *value || offset > copy->size - sizeof *value) return false;
    memcpy(value, copy->bytes + offset, sizeof *value);
    return true;
}

#if defined(__x86_64__)
/// What functions hand back as they found it.
static const uint32_t callee_saved = 1u << RULE_RBX | 1u << RULE_RBP | 0xfu << 12;

/// Finds the frame pointer of a function in which it is not known, from the stack pointer at its call. What stands there must
/// be a frame: another one's above it, or none, and an address behind a call.
static bool find_frame_pointer(struct cursor *c, const struct frame_rules *rules) {
    if (rules->base != RULE_RBP || rules->height < 0 || !(c->known >> RULE_RSP & 1)) return false;
    uintptr_t frame = c->registers[RULE_RSP] + (uintptr_t)rules->height, caller, instruction;
    if (!word(c->copy, frame, &caller) || !word(c->copy, frame + sizeof(uintptr_t), &instruction)) return false;
    caller &= ~async_mark;
    if (caller != 0 && (caller <= frame || caller % sizeof(uintptr_t) != 0)) return false;
    if (!csymbols_follows_call(instruction)) return false;
    c->registers[RULE_RBP] = frame;
    c->known |= 1u << RULE_RBP;
    return true;
}

static bool step_by_rules(struct cursor *c, const struct frame_rules *rules) {
    if (!(c->known >> rules->base & 1) && !find_frame_pointer(c, rules)) return false;
    uintptr_t frame = c->registers[rules->base] + (uintptr_t)rules->offset;
    // A frame above the one before: so the walk ends, whatever the rules say.
    if (frame <= c->stack) return false;
    if (rules->registers[RULE_RETURN].kind == RULE_UNDEFINED) return false;
    struct cursor next = *c;
    next.known = c->known & callee_saved;
    for (int i = 0; i < RULE_REGISTERS; i++) {
        uintptr_t place = frame + (uintptr_t)rules->registers[i].offset;
        if (rules->registers[i].kind == RULE_SAME) continue;
        // At a function's end compilers do not say that a register was taken back from the stack: then its place is no
        // longer on it.
        if (rules->registers[i].kind == RULE_AT && place < c->stack && i != RULE_RETURN) continue;
        next.known &= ~(1u << i);
        if (rules->registers[i].kind == RULE_AT && word(c->copy, place, &next.registers[i])) next.known |= 1u << i;
    }
    if (!(next.known >> RULE_RETURN & 1)) return false;
    next.instruction = next.registers[RULE_RETURN];
    next.registers[RULE_RBP] &= ~async_mark;
    next.registers[RULE_RSP] = next.stack = frame;
    next.known |= 1u << RULE_RSP;
    *c = next;
    return next.instruction != 0;
}

/// Goes to the caller; `back` is 1 where the instruction is the one to return to, which may be another function's. False at the
/// outermost function, and where no rule tells the caller: a frame pointer may be anything in code that has no rules.
static bool step(struct cursor *c, uintptr_t back) {
    struct frame_rules rules;
    return csymbols_frame_rules(c->instruction - back, &rules) && step_by_rules(c, &rules);
}
#endif

/// Goes to the caller, by the frame pointers that the standards of other machines demand.
static bool step_by_frame(struct cursor *c, uintptr_t back) {
    (void)back;
    uintptr_t caller, instruction;
    if (c->frame < c->stack || c->frame % sizeof(uintptr_t) != 0) return false;
    if (!word(c->copy, c->frame, &caller) || !word(c->copy, c->frame + sizeof(uintptr_t), &instruction)) return false;
    c->stack = c->frame + 2 * sizeof(uintptr_t);
    c->frame = caller & ~async_mark;
    c->instruction = csymbols_unsigned(instruction);
    return c->instruction != 0;
}

static uint32_t walk(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uintptr_t *ends, uint32_t capacity,
                     bool (*go)(struct cursor *c, uintptr_t back)) {
    struct cursor c = {.copy = copy, .instruction = copy->instruction, .stack = copy->stack, .frame = copy->frame};
    c.registers[RULE_RSP] = c.stack;
    c.known = 1u << RULE_RSP;
    if (copy->has_registers) {
        memcpy(c.registers, copy->registers, sizeof c.registers);
        c.registers[RULE_RBP] = c.frame;
        c.registers[RULE_RSP] = c.stack;
        c.known = (1u << RULE_REGISTERS) - 1;
    } else {
        c.frame = 0;
    }
    uint32_t count = 0;
    while (count < capacity) {
        addresses[count++] = c.instruction;
        ends[count - 1] = UINTPTR_MAX;
        if (!go(&c, count > 1)) break;
        ends[count - 1] = c.stack;
    }
    return count;
}

uint32_t csymbols_unwind_frames(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uintptr_t *ends,
                                uint32_t capacity) {
    return walk(copy, addresses, ends, capacity, step_by_frame);
}

uint32_t csymbols_unwind(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uintptr_t *ends,
                         uint32_t capacity) {
#if defined(__x86_64__)
    return walk(copy, addresses, ends, capacity, step);
#else
    return csymbols_unwind_frames(copy, addresses, ends, capacity);
#endif
}

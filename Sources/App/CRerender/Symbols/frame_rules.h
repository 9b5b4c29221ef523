// SPDX-License-Identifier: MIT
// How the callers of a function's code are found: the rules of its call-frame information at one instruction.
#ifndef CRERENDER_FRAME_RULES_H
#define CRERENDER_FRAME_RULES_H

#include <stdbool.h>
#include <stdint.h>

/// DWARF's numbers of x86-64's registers.
enum { RULE_RBX = 3, RULE_RBP = 6, RULE_RSP = 7, RULE_RETURN = 16, RULE_REGISTERS = 17 };

enum rule_kind {
    RULE_SAME,
    /// At `offset` from the frame's address.
    RULE_AT,
    /// There is none; of the return address: nobody called.
    RULE_UNDEFINED,
    /// One that is not read here.
    RULE_OTHER,
};

/// The frame's address is `base` plus `offset`; it stands above what the function has on the stack.
struct frame_rules {
    uint32_t base;
    int64_t offset;
    struct {
        enum rule_kind kind;
        int64_t offset;
    } registers[RULE_REGISTERS];
};

/// Finds the rules for the instruction at `address`; false if there are none, or none that can be followed. Reads what the
/// loader mapped, under the loader's lock, so that no file is unloaded meanwhile; microseconds.
bool find_frame_rules(uintptr_t address, struct frame_rules *rules);

#endif

// SPDX-License-Identifier: MIT
// The rules by which a function's caller is found, as call-frame information (CFI) gives them for one instruction.
#ifndef CSYMBOLS_UNWINDING_H
#define CSYMBOLS_UNWINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// DWARF's numbers of x86-64's registers.
enum { RULE_RBX = 3, RULE_RBP = 6, RULE_RSP = 7, RULE_RETURN = 16, RULE_REGISTERS = 17 };

enum rule_kind {
    RULE_SAME,
    /// At `offset` from the frame's address.
    RULE_AT,
    /// There is none; for the return address: the function has no caller.
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
    /// How far the frame pointer stands above the stack pointer at each call of the function, where `base` is the frame
    /// pointer and its code proves that; -1 where it does not.
    int32_t height;
};

/// Finds the rules for the instruction at `address`; false if there are none, or none that can be followed. Reads what the
/// loader mapped, under the loader's lock, so that no file is unloaded meanwhile; microseconds.
bool csymbols_frame_rules(uintptr_t address, struct frame_rules *rules);

/// Whether the instruction before `address` is a call, in code that the loader mapped. Under the same lock.
bool csymbols_follows_call(uintptr_t address);

// What a function's machine code says of its frame, on x86-64. Pure: reads the bytes that it is given and nothing else.

/// How far the frame pointer stands above the stack pointer in a function's body; -1 where the code does not prove it.
///
/// It is proved by a beginning that saves the frame pointer and takes a fixed amount, and by an end that gives back the same
/// amount. `offset` must be behind the beginning.
int32_t frame_height(const uint8_t *code, size_t size, size_t offset);

/// Whether the last instruction of `size` bytes of code can be a call.
bool ends_with_call(const uint8_t *code, size_t size);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// The functions on a thread's stack, found in a copy of it.
#ifndef CSYMBOLS_STACK_COPY_H
#define CSYMBOLS_STACK_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A thread's registers and the upper part of its stack.
struct csymbols_stack_copy {
    uintptr_t instruction, stack;
    /// Whether the rest of the registers is known. Without, the walk ends at a function whose caller cannot be told.
    bool has_registers;
    uintptr_t frame;
    /// The registers by their DWARF numbers; those above 16 are not used on x86-64.
    uintptr_t registers[17];
    /// `size` bytes from `stack` on.
    const unsigned char *bytes;
    size_t size;
};
/// Stores the instruction that runs and then the return addresses, innermost first; returns how many. Reads the copy and
/// what the loader mapped. Takes the loader's lock for each frame.
uint32_t csymbols_unwind(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uint32_t capacity);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

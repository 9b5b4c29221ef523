// SPDX-License-Identifier: MIT
// What a function's machine code says of its frame, on x86-64. Pure: reads the bytes that it is given and nothing else.
#ifndef CSYMBOLS_FRAME_HEIGHT_H
#define CSYMBOLS_FRAME_HEIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// How far the frame pointer stands above the stack pointer in a function's body; -1 where the code does not prove it.
///
/// It is proved by a beginning that saves the frame pointer and takes a fixed amount, and by an end that gives back the same
/// amount. `offset` must be behind the beginning.
int32_t frame_height(const uint8_t *code, size_t size, size_t offset);

/// Whether the last instruction of `size` bytes of code can be a call.
bool ends_with_call(const uint8_t *code, size_t size);

#pragma GCC visibility pop

#endif

// SPDX-License-Identifier: MIT
// A defect in C that the fuzzers must find.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Reads one byte behind its memory where the bytes begin with a word: shows that the fuzzers find such a word, and that Address
/// Sanitizer is on.
void cfuzzer_planted(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// What the fuzzers need of C: a planted defect, and the end of an input that takes too long.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Reads one byte behind its memory where the bytes begin with a word: shows that the fuzzers find such a word, and that Address
/// Sanitizer is on.
void cfuzzer_planted(const uint8_t *bytes, size_t count);

/// Ends the process, by SIGABRT and with a line on standard error, once one input has taken that many seconds of the process's own
/// processor time. So an input is not blamed where others keep the machine busy. An input that sleeps is not seen.
void cfuzzer_limit(unsigned seconds);

/// An input begins, or it has ended.
void cfuzzer_begin(void);
void cfuzzer_end(void);

#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// What `rerenderctl analyses` writes. It is in the program, because the installed tool is one file.
#ifndef CANALYSES_H
#define CANALYSES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A file: bytes that live as long as the program.
struct canalyses_file {
    const uint8_t *bytes;
    size_t count;
};

/// The analyses for Trace Compass, as XML.
struct canalyses_file canalyses_trace_compass(void);

#pragma clang assume_nonnull end

#endif

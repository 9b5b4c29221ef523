// SPDX-License-Identifier: MIT
// What the page of `rerenderctl report --html` is made of. It is in the program, because the installed tool is one file.
#ifndef CEMBEDDED_H
#define CEMBEDDED_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A part of the page: bytes that live as long as the program.
struct cpage_part {
    const uint8_t *bytes;
    size_t count;
};

/// The page, with `{{name}}` where something is filled in.
struct cpage_part cpage_template(void);
struct cpage_part cpage_style(void);
/// All scripts.
struct cpage_part cpage_script(void);

#pragma clang assume_nonnull end

// What `rerenderctl analyses` writes. It is in the program, because the installed tool is one file.

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

// SPDX-License-Identifier: MIT
// What the page of `rerenderctl report --html` is made of. It is in the program, because the installed tool is one file.
#ifndef CPAGE_H
#define CPAGE_H

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

#endif

// SPDX-License-Identifier: MIT
// Reads what ELF files say about code: symbols, lines, inlined functions and call frames. Damaged files give less, never a fault.
#ifndef CSYMBOLS_H
#define CSYMBOLS_H

#include "debug_info.h"
#include "elf_files.h"
#include "stack_copy.h"

#endif

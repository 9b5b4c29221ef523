// SPDX-License-Identifier: MIT
// Calls of a language binding that is linked into the program.
#ifndef CRERENDER_PASSED_OVER_H
#define CRERENDER_PASSED_OVER_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// Says of an address behind a call that the call is a binding's. 512 at most; later ones are left out. Any thread.
void crerender_pass_over(uintptr_t address);
/// Whether that was said of an address. A load where nothing was said. Any thread.
bool crerender_is_passed_over(uintptr_t address);

#pragma GCC visibility pop

#endif

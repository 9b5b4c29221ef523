// SPDX-License-Identifier: MIT
// Functions of ours that programs call in the place of others: a program may give such a one to others as a callback.
#ifndef CRERENDER_STAND_INS_H
#define CRERENDER_STAND_INS_H

#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Says that a function stands in the place of another one, by that one's name, which stays where it is. 64 at most; later ones are left out. Any
/// thread, any number of times.
void crerender_stands_in(uintptr_t function, const char *name);
/// The name of the function that one stands in for; null for all that stand in for none. Any thread.
const char *_Nullable crerender_stands_in_for(uintptr_t function);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

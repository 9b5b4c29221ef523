// SPDX-License-Identifier: MIT
// The tables through which a loaded file calls functions of other files.
#ifndef CIMPORTS_H
#define CIMPORTS_H

#include <stdbool.h>

struct dl_phdr_info;

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Calls `visit` for each place of a file's tables that has the address of the function of a name. It calls nothing of the loader, so it
/// may be used in `dl_iterate_phdr`, which gives the file.
void cimports_each(const struct dl_phdr_info *file, const char *name,
                   void (*visit)(const struct dl_phdr_info *file, void *_Nullable *_Nonnull place,
                                 void *_Nullable context),
                   void *_Nullable context);

/// Whether an address is in what is loaded of a file: there, a place of a function that was not called yet leads to the code that looks it up.
bool cimports_is_in_file(const struct dl_phdr_info *file, const void *_Nullable address);

/// Writes another function into such a place, also where the loader has made it read-only. Nothing is written where that cannot be
/// changed. Other threads may call through it meanwhile.
void cimports_write(const struct dl_phdr_info *file, void *_Nullable *_Nonnull place, void *function);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// Writes a macro for each number of a range: for functions that know which one of many they are.

// `M(HEX)` for the sixteen numbers that begin with `HIGH`, such as `0x3`.
#define CREPEAT_16(M, HIGH) \
    M(HIGH##0) \
    M(HIGH##1) \
    M(HIGH##2) \
    M(HIGH##3) \
    M(HIGH##4) \
    M(HIGH##5) \
    M(HIGH##6) \
    M(HIGH##7) \
    M(HIGH##8) M(HIGH##9) M(HIGH##a) M(HIGH##b) M(HIGH##c) M(HIGH##d) M(HIGH##e) M(HIGH##f)
// For the numbers from 0x00 to 0x3f.
#define CREPEAT_64(M) CREPEAT_16(M, 0x0) CREPEAT_16(M, 0x1) CREPEAT_16(M, 0x2) CREPEAT_16(M, 0x3)
// For those from 0x00 to 0xff.
#define CREPEAT_256(M) \
    CREPEAT_64(M) \
    CREPEAT_16(M, 0x4) \
    CREPEAT_16(M, 0x5) \
    CREPEAT_16(M, 0x6) \
    CREPEAT_16(M, 0x7) \
    CREPEAT_16(M, 0x8) \
    CREPEAT_16(M, 0x9) \
    CREPEAT_16(M, 0xa) CREPEAT_16(M, 0xb) CREPEAT_16(M, 0xc) CREPEAT_16(M, 0xd) CREPEAT_16(M, 0xe) CREPEAT_16(M, 0xf)

#endif

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

#endif

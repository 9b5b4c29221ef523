// SPDX-License-Identifier: MIT
// Which functions of classes other code has replaced: before this library came, or after that.
#ifndef CRERENDER_GTK_PATCHES_H
#define CRERENDER_GTK_PATCHES_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>

/// Whether other code has put a function into a class of GTK's own, or into one that this class has it from. Notes it.
///
/// A function that is not GTK's is taken for that where GTK made the class. Of classes of other libraries nothing is known.
///
/// - Parameters:
///   - place: In the class.
///   - name: The function's name.
bool patches_found(const GTypeClass *class, void *const *place, const char *name);

/// Notes what stands in a place of a class from now on.
void patches_note(const GTypeClass *class, void *const *place, const char *name);

/// Whether other code's functions were found.
bool patches_any(void);

/// Looks whether what was noted is still there, and tells of what other code has replaced since the last call. Some microseconds.
void patches_look(void);

#endif
#endif

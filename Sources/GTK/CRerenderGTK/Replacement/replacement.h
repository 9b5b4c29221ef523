// SPDX-License-Identifier: MIT
// Functions that stand in the place of others: of a class's own and of imports; and those that other code has put into classes.
//
// A class that is derived later copies its parent's pointers, and a class's function may call its parent's. Each distinct
// function gets a stand-in of its own, so what was in the class is always known.
#ifndef CRERENDER_GTK_REPLACEMENT_H
#define CRERENDER_GTK_REPLACEMENT_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "CRepeat.h"

#include <stdbool.h>
#include <stddef.h>

enum { CRERENDER_GTK_SLOTS = 256 };

/// The stand-ins for one of a class's functions.
struct slots {
    const char *name;
    /// The functions that they stand for.
    void *originals[CRERENDER_GTK_SLOTS];
    size_t count;
    /// The stand-ins; all of one type.
    void *const *functions;
};

/// Puts a stand-in for what is there into a place in a class. Nothing where one is there already, where nothing is, and where other
/// code has put something: two that put themselves in front of each other again and again would call each other for ever.
///
/// - Returns: False where no stand-in is left.
bool slots_replace(struct slots *slots, GTypeClass *class, void **place);

// Writes `M(HEX)` for all stand-ins.
#define SLOTS_ALL(M) CREPEAT_256(M)

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

/// Puts a function in the place of GTK's for all files that are loaded now and call it by its name, but GTK itself. Where it is one of GTK's
/// own, also for bindings that look it up by its name from now on, as GObject's introspection does.
void imports_replace(const char *name, void *function);

/// The same for GTK itself.
void imports_replace_in_gtk(const char *name, void *function);

#endif

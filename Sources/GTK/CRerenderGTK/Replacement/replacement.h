// SPDX-License-Identifier: MIT
// Functions that stand in the place of others: of a class's own and of imports; and those that other code has put into classes.
//
// A class that is derived later copies its parent's pointers, and a class's function may call its parent's. Each distinct
// function gets a stand-in of its own, so what was in the class is always known.
#ifndef CRERENDER_GTK_REPLACEMENT_H
#define CRERENDER_GTK_REPLACEMENT_H

#include "../headers.h"

#include <stdbool.h>

#ifdef RERENDER_GTK
#include "CImports.h"

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
    /// Other kinds that a class has one of.
    struct slots *next;
};

/// Puts a stand-in for what is there into a place in a class. Nothing where one is there already, where nothing is, and where other
/// code has put something: two that put themselves in front of each other again and again would call each other for ever.
///
/// - Returns: False where no stand-in is left.
bool slots_replace(struct slots *slots, GTypeClass *class, void **place);

/// Puts back what stand-ins in a class stand for. A class that was made later has what its parent's had then: so each word is looked at. What other
/// code puts there meanwhile stays. After `imports_put_back`. Any thread.
void slots_put_back(gpointer class);

/// Calls `visit` for the class of a type, and then for those that are derived from it, where they were made. After `imports_put_back` not for one that
/// comes with a module: it may go at any moment. Any thread.
void classes_each(GType type, void (*visit)(gpointer class));

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
///
/// - Parameter is_for_gtk: Whether that is done for GTK alone.
void imports_replace(const char *name, void *function, bool is_for_gtk);

/// Puts the functions back that files import. Nothing is replaced after that, in classes neither. Any thread, any number of times.
void imports_put_back(void);

/// Whether that was done. Asked behind what is written: that may not have been there yet at the time.
bool must_put_back(void);

#endif

// SPDX-License-Identifier: MIT
// Which loaded files have yet to announce themselves to Swift.

#ifndef PRELOAD_ANNOUNCEMENTS_H
#define PRELOAD_ANNOUNCEMENTS_H

#include "crerender_inject.h"

/// Calls `visit` for each file that has announced itself, with what lies in it, until it returns false.
typedef void (*sections_enumerator)(bool (*visit)(const struct crerender_sections *sections, void *context),
                                    void *context);

/// Whether a file that is loaded now will announce itself when the loader initialises it.
///
/// `dlopen` loads an app with the framework that it needs, and initialises the framework first. Until the app's own views are known,
/// those of the framework would be taken for the program's.
bool is_announcement_due(struct crerender_memory *memory, sections_enumerator enumerate);

#endif

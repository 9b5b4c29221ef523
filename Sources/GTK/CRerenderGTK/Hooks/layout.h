// SPDX-License-Identifier: MIT
// Runs of widgets' `measure` and `size_allocate`, and of what their layout managers do instead.
#ifndef CRERENDER_GTK_LAYOUT_H
#define CRERENDER_GTK_LAYOUT_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "leads.h"

#include <stdbool.h>

/// Replaces a class's `measure` and `size_allocate`. False where no stand-in is left.
bool layout_hook(GtkWidgetClass *class);

/// Replaces a layout manager's `measure` and `allocate`. False where no stand-in is left.
bool layout_hook_manager(GtkLayoutManagerClass *class);

/// The innermost layout on this thread's stack that gives sizes and places; null for none.
struct step *layout_step(void);

#endif
#endif

// SPDX-License-Identifier: MIT
// Finds the classes of widgets, those that are there and those that are made later.
#ifndef CRERENDER_GTK_CLASSES_H
#define CRERENDER_GTK_CLASSES_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Hooks the classes of all widgets, now if there is one, else when GTK makes the first.
void classes_hook(void);

#endif
#endif

// SPDX-License-Identifier: MIT
// Names widgets.
#ifndef CRERENDER_GTK_KEYS_H
#define CRERENDER_GTK_KEYS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stddef.h>

/// Writes the key of a widget: `OWNER/TYPE#ID`, without what it has none of.
///
/// The owner is the next widget outwards of a type that is not GTK's own, where this one is of GTK's; else, where it is in another
/// widget of GTK's that is more than a container, that one. The id is that of the builder, or the name that the program gave it.
/// Parts of GTK's widgets that have no type of their own go by the name of their CSS node.
void key_of(GtkWidget *widget, char *text, size_t size);

#endif
#endif

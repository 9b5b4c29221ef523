// SPDX-License-Identifier: MIT
// Whether a widget can be seen.
#ifndef CRERENDER_GTK_SIGHT_H
#define CRERENDER_GTK_SIGHT_H

#include "records.h"

#ifdef RERENDER_GTK

/// Why a widget is not visible, such as `its page of GtkStack is not shown`, kept for ever; null where it is, or where that is not known.
///
/// Some microseconds. For the end of a frame: what is asked of GTK is known then, and nothing is computed or drawn for it.
const char *sight_obstacle(const struct record *record);

#endif
#endif

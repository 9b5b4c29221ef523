// SPDX-License-Identifier: MIT
// What the Swift part of Rerender for GTK calls: widgets whose `snapshot` runs are counted. No types of GTK.
#ifndef CRERENDER_GTK_H
#define CRERENDER_GTK_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build has the part for GTK: with the trait `GTK`, which needs GTK's headers.
bool crerender_gtk_is_built(void);

#endif

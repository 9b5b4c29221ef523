// SPDX-License-Identifier: MIT
// Tells whether a build has the part for GTK.

#include "crerender_gtk.h"

bool crerender_gtk_is_built(void) {
#ifdef RERENDER_GTK
    return true;
#else
    return false;
#endif
}

// SPDX-License-Identifier: MIT
// Where a window's title bar ends.
#ifndef CRERENDER_GTK_HUD_TITLE_H
#define CRERENDER_GTK_HUD_TITLE_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// The height of the title bar, which has the buttons that close the window; 0 where the window manager draws it.
int hud_title_height(GtkWidget *window);

#endif
#endif

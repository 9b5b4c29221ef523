// SPDX-License-Identifier: MIT
// The window of the HUD: which one it is, and its end.
#ifndef CRERENDER_GTK_HUD_WINDOW_H
#define CRERENDER_GTK_HUD_WINDOW_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Takes a widget that was drawn for the window of the HUD, if the host waits and it can be that.
void hud_choose(GtkWidget *widget);

/// Forgets a window or popover that ends, if it is the HUD's.
void hud_window_ends(GtkWidget *window);

#endif
#endif

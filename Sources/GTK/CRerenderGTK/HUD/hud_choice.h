// SPDX-License-Identifier: MIT
// Chooses the window of the HUD where the host waits for one.
#ifndef CRERENDER_GTK_HUD_CHOICE_H
#define CRERENDER_GTK_HUD_CHOICE_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Takes a widget that was drawn for the window of the HUD, if the host waits and it can be that.
void hud_choose(GtkWidget *widget);

#endif
#endif

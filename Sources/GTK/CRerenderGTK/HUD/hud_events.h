// SPDX-License-Identifier: MIT
// Listens to the events of the HUD's window.
#ifndef CRERENDER_GTK_HUD_EVENTS_H
#define CRERENDER_GTK_HUD_EVENTS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>

/// A controller that gives the host the window's events first, and stops those that it consumes.
GtkEventController *hud_events_controller(void);

/// Gives the host an event of the HUD's window that GTK would give to a modal window, and tells whether the host consumed it.
bool hud_events_take(GdkSurface *surface, GdkEvent *gdk);

#endif
#endif

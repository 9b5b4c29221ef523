// SPDX-License-Identifier: MIT
// Listens to the events of the HUD's window.
#ifndef CRERENDER_GTK_HUD_EVENTS_H
#define CRERENDER_GTK_HUD_EVENTS_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// A controller that gives the host the window's events first, and stops those that it consumes.
GtkEventController *hud_events_controller(void);

#endif
#endif

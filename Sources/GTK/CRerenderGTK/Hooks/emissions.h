// SPDX-License-Identifier: MIT
// Signals that GTK emits: frames, drawing, and what event handlers run in.
#ifndef CRERENDER_GTK_EMISSIONS_H
#define CRERENDER_GTK_EMISSIONS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>

/// Asked before GTK gets an event of a surface: whether GTK must not get it. Null where nobody asks.
extern bool (*emissions_take_event)(GdkSurface *surface, GdkEvent *event);

/// Times what GTK emits from now on. What programs and other libraries emit themselves is not seen.
void emissions_hook(GType widget_type);

#endif
#endif

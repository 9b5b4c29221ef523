// SPDX-License-Identifier: MIT
// Draws the marks of a window.
#ifndef CRERENDER_GTK_MARK_DRAWING_H
#define CRERENDER_GTK_MARK_DRAWING_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "overlay.h"

/// Draws pulses and flashes into the snapshot of the overlay's window or popover.
void marks_draw(struct overlay *overlay, GtkSnapshot *snapshot);

/// What of a widget can be seen in its window or popover: without what its parents cut off.
///
/// - Parameter bounds: All of it.
/// - Returns: False where nothing can be seen.
bool mark_visible_bounds(GtkWidget *widget, GtkWidget *native, graphene_rect_t *bounds, graphene_rect_t *visible);

#endif
#endif

// SPDX-License-Identifier: MIT
// Runs of widgets' `snapshot`.
#ifndef CRERENDER_GTK_DRAWING_H
#define CRERENDER_GTK_DRAWING_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

/// Replaces a class's `snapshot`. False where no stand-in is left.
///
/// - Parameter is_base: Whether it is GtkWidget's.
bool drawing_hook(GtkWidgetClass *class, bool is_base);

/// What is called after the `snapshot` of each widget, to draw over what a window or popover drew; null for nothing.
///
/// What it draws is no part of what is compared, and its time is not the widget's.
extern void (*drawing_draw_over)(GtkWidget *widget, GtkSnapshot *snapshot);

/// What is called for each widget that drew again for a reason of its own, with how often it was drawn and whether that is known
/// to have been needless; null for nothing.
extern void (*drawing_mark)(GtkWidget *widget, uint64_t count, bool is_wasted);

/// How many runs were counted.
extern uint64_t drawing_counted;

/// Says that the next `snapshot` of a window is asked for by the HUD. If nothing else is the reason, it does not count.
void drawing_expect_hud(GtkWidget *root);

#endif
#endif

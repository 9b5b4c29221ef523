// SPDX-License-Identifier: MIT
// Runs of widgets' `snapshot`.
#ifndef CRERENDER_GTK_DRAWING_H
#define CRERENDER_GTK_DRAWING_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>

/// Replaces a class's `snapshot`. False where no stand-in is left.
bool drawing_hook(GtkWidgetClass *class);

/// What is called after the `snapshot` of each window, to draw over what it drew; null for nothing.
///
/// What it draws is no part of what is compared, and its time is not the widget's.
extern void (*drawing_draw_over)(GtkWidget *root, GtkSnapshot *snapshot);

/// Says that the next `snapshot` of a window is asked for by the HUD. If nothing else is the reason, it does not count.
void drawing_expect_hud(GtkWidget *root);

#endif
#endif

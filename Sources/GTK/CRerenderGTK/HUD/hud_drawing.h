// SPDX-License-Identifier: MIT
// Turns operations of drawing into a render node.
#ifndef CRERENDER_GTK_HUD_DRAWING_H
#define CRERENDER_GTK_HUD_DRAWING_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "crerender_hud.h"
#include "hud_text.h"

/// The operations as a node; null where nothing is drawn.
///
/// - Parameters:
///   - widget: Its fonts are used.
///   - bytes: Those of all texts.
GskRenderNode *hud_draw(struct hud_texts *texts, GtkWidget *widget, const struct crerender_hud_operation *operations,
                        size_t count, const char *bytes);

#endif
#endif

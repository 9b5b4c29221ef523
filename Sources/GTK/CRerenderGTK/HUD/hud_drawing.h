// SPDX-License-Identifier: MIT
// Turns operations of drawing into a render node and into an image. A text that is shown again is not laid out again.
#ifndef CRERENDER_GTK_HUD_DRAWING_H
#define CRERENDER_GTK_HUD_DRAWING_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "crerender_hud.h"

/// The layouts of the last drawing.
struct hud_texts;

struct hud_texts *hud_texts_new(void);
void hud_texts_free(struct hud_texts *texts);

/// A drawing begins. If the widget's fonts have changed, nothing of the last one is used.
void hud_texts_begin(struct hud_texts *texts, GtkWidget *widget);

/// A text's layout, which belongs to `texts`, and its height in pixels; null where a drawing has more texts than are kept.
PangoLayout *hud_texts_layout(struct hud_texts *texts, const struct crerender_hud_operation *operation,
                              const char *bytes, int *height);

/// How wide the text of an operation is without being cut off, in pixels, rounded up. For between a beginning and an end.
float hud_texts_width(struct hud_texts *texts, const struct crerender_hud_operation *operation, const char *bytes);

/// A drawing ended: layouts of the one before that it did not use are dropped.
void hud_texts_end(struct hud_texts *texts);

/// The operations as a node; null where nothing is drawn.
///
/// - Parameters:
///   - widget: Its fonts are used.
///   - bytes: Those of all texts.
GskRenderNode *hud_draw(struct hud_texts *texts, GtkWidget *widget, const struct crerender_hud_operation *operations,
                        size_t count, const char *bytes);

/// A node that shows an image of another one.
///
/// A program may draw all of its window again in each frame. Then what lies above it is painted again, too: an image costs a
/// copy, texts and rounded corners cost ten times as much.
///
/// - Parameter scale: Pixels of the image in one of the window's.
/// - Returns: What the caller owns. Where there is no memory for the image, it shows nothing.
GskRenderNode *hud_image(GskRenderNode *node, int scale);

#endif
#endif

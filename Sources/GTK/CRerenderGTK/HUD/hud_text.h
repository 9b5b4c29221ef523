// SPDX-License-Identifier: MIT
// Texts that were laid out. One that is shown again is not laid out again.
#ifndef CRERENDER_GTK_HUD_TEXT_H
#define CRERENDER_GTK_HUD_TEXT_H

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

#endif
#endif

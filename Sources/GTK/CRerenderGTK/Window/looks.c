// SPDX-License-Identifier: MIT
// Looks of texts.

#include "parts.h"

#ifdef RERENDER_GTK
static guint16 channel(float part) { return (guint16)(CLAMP(part, 0, 1) * 65535); }

PangoAttrList *render_loop_attributes(const struct render_loop_look *look) {
    PangoAttrList *list = pango_attr_list_new();
    if (look->points > 0) pango_attr_list_insert(list, pango_attr_size_new((int)(look->points * PANGO_SCALE)));
    if (look->points <= 0 && look->scale != 1) pango_attr_list_insert(list, pango_attr_scale_new(look->scale));
    if (look->weight > 0) pango_attr_list_insert(list, pango_attr_weight_new((PangoWeight)look->weight));
    if (look->is_italic) pango_attr_list_insert(list, pango_attr_style_new(PANGO_STYLE_ITALIC));
    if (look->is_monospaced) pango_attr_list_insert(list, pango_attr_family_new("monospace"));
    // Digits of one width: a number that counts does not move what follows it.
    pango_attr_list_insert(list, pango_attr_font_features_new("tnum=1"));
    if (look->has_color) {
        pango_attr_list_insert(
            list, pango_attr_foreground_new(channel(look->red), channel(look->green), channel(look->blue)));
    }
    return list;
}
#endif

// SPDX-License-Identifier: MIT
// Looks of texts, and how large they make them.

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

void render_loop_measure(const char *text, const struct render_loop_look *look, int *width, int *height) {
    // Of the canvas, so that it has the theme's font. Its own, because a layout is changed by it.
    PangoLayout *layout = gtk_widget_create_pango_layout(render_loop_canvas(), text);
    PangoAttrList *attributes = render_loop_attributes(look);
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
    pango_layout_get_pixel_size(layout, width, height);
    g_object_unref(layout);
}
#endif

// SPDX-License-Identifier: MIT
// Draws a render node once, into an image that is shown from then on.

#include "hud_image.h"

#ifdef RERENDER_GTK
#include "hud_functions.h"

#include <math.h>

/// Draws a node into an image, of which one pixel is `1 / scale` of the node's.
static void draw(GskRenderNode *node, const graphene_rect_t *bounds, int scale, cairo_surface_t *image) {
    cairo_t *context = hud_gtk.cairo_create(image);
    hud_gtk.cairo_scale(context, scale, scale);
    hud_gtk.cairo_translate(context, -bounds->origin.x, -bounds->origin.y);
    hud_gtk.gsk_render_node_draw(node, context);
    hud_gtk.cairo_destroy(context);
}

GskRenderNode *hud_image(GskRenderNode *node, int scale) {
    graphene_rect_t bounds;
    hud_gtk.gsk_render_node_get_bounds(node, &bounds);
    // Whole pixels, so that they lie on those of the window.
    int width = (int)ceilf(bounds.size.width), height = (int)ceilf(bounds.size.height);
    bounds.size = GRAPHENE_SIZE_INIT((float)width, (float)height);
    cairo_surface_t *image = hud_gtk.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width * scale, height * scale);
    draw(node, &bounds, scale, image);
    // No texture: where GTK paints with cairo, it converts those pixel by pixel each time.
    GskRenderNode *shown = hud_gtk.gsk_cairo_node_new(&bounds);
    cairo_t *context = hud_gtk.gsk_cairo_node_get_draw_context(shown);
    hud_gtk.cairo_translate(context, bounds.origin.x, bounds.origin.y);
    hud_gtk.cairo_scale(context, 1.0 / scale, 1.0 / scale);
    hud_gtk.cairo_set_source_surface(context, image, 0, 0);
    hud_gtk.cairo_paint(context);
    hud_gtk.cairo_destroy(context);
    hud_gtk.cairo_surface_destroy(image);
    return shown;
}
#endif

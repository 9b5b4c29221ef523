// SPDX-License-Identifier: MIT
// Draws operations with GtkSnapshot.

#include "hud_drawing.h"

#ifdef RERENDER_GTK
#include "hud_functions.h"
#include <math.h>

static graphene_rect_t rect_of(const struct crerender_hud_operation *operation) {
    return GRAPHENE_RECT_INIT(operation->x, operation->y, operation->width, operation->height);
}

static GskRoundedRect rounded(const graphene_rect_t *rect, float radius) {
    graphene_size_t corner = GRAPHENE_SIZE_INIT(radius, radius);
    return (GskRoundedRect){.bounds = *rect, .corner = {corner, corner, corner, corner}};
}

static GdkRGBA color_of(const struct crerender_hud_operation *operation) {
    const float *color = operation->color;
    return (GdkRGBA){color[0], color[1], color[2], color[3]};
}

static void push(GtkSnapshot *snapshot, const graphene_rect_t *rect, float radius) {
    GskRoundedRect clip = rounded(rect, radius);
    if (radius > 0) {
        hud_gtk.gtk_snapshot_push_rounded_clip(snapshot, &clip);
    } else {
        hud_gtk.gtk_snapshot_push_clip(snapshot, rect);
    }
}

static void fill(GtkSnapshot *snapshot, const struct crerender_hud_operation *operation) {
    graphene_rect_t rect = rect_of(operation);
    GdkRGBA color = color_of(operation);
    hud_gtk.gtk_snapshot_save(snapshot);
    if (operation->turned != 0) {
        graphene_point_t center =
            GRAPHENE_POINT_INIT(rect.origin.x + rect.size.width / 2, rect.origin.y + rect.size.height / 2);
        hud_gtk.gtk_snapshot_translate(snapshot, &center);
        hud_gtk.gtk_snapshot_rotate(snapshot, operation->turned);
        rect.origin = GRAPHENE_POINT_INIT(-rect.size.width / 2, -rect.size.height / 2);
    }
    if (operation->radius > 0) push(snapshot, &rect, operation->radius);
    hud_gtk.gtk_snapshot_append_color(snapshot, &color, &rect);
    if (operation->radius > 0) hud_gtk.gtk_snapshot_pop(snapshot);
    hud_gtk.gtk_snapshot_restore(snapshot);
}

static void border(GtkSnapshot *snapshot, const struct crerender_hud_operation *operation) {
    graphene_rect_t rect = rect_of(operation);
    GskRoundedRect outline = rounded(&rect, operation->radius);
    GdkRGBA color = color_of(operation);
    const float widths[4] = {operation->line, operation->line, operation->line, operation->line};
    const GdkRGBA colors[4] = {color, color, color, color};
    hud_gtk.gtk_snapshot_append_border(snapshot, &outline, widths, colors);
}

static void text(GtkSnapshot *snapshot, struct hud_texts *texts, const struct crerender_hud_operation *operation,
                 const char *bytes) {
    int height = 0;
    PangoLayout *layout = hud_texts_layout(texts, operation, bytes + operation->text, &height);
    if (!layout) return;
    // On a whole pixel, so that it is sharp.
    float y = operation->y + floorf((operation->height - (float)height) / 2);
    graphene_point_t origin = GRAPHENE_POINT_INIT(operation->x, y);
    GdkRGBA color = color_of(operation);
    hud_gtk.gtk_snapshot_save(snapshot);
    hud_gtk.gtk_snapshot_translate(snapshot, &origin);
    hud_gtk.gtk_snapshot_append_layout(snapshot, layout, &color);
    hud_gtk.gtk_snapshot_restore(snapshot);
}

GskRenderNode *hud_draw(struct hud_texts *texts, GtkWidget *widget, const struct crerender_hud_operation *operations,
                        size_t count, const char *bytes) {
    GtkSnapshot *snapshot = hud_gtk.gtk_snapshot_new();
    // A clip that nobody ends, or an end without one, would make GTK warn.
    unsigned clips = 0;
    hud_texts_begin(texts, widget);
    for (const struct crerender_hud_operation *operation = operations; operation < operations + count; operation++) {
        graphene_rect_t rect = rect_of(operation);
        switch (operation->kind) {
        case CRERENDER_FILL: fill(snapshot, operation); break;
        case CRERENDER_BORDER: border(snapshot, operation); break;
        case CRERENDER_TEXT: text(snapshot, texts, operation, bytes); break;
        case CRERENDER_CLIP:
            push(snapshot, &rect, operation->radius);
            clips++;
            break;
        case CRERENDER_UNCLIP:
            if (clips == 0) break;
            hud_gtk.gtk_snapshot_pop(snapshot);
            clips--;
            break;
        }
    }
    for (; clips > 0; clips--) hud_gtk.gtk_snapshot_pop(snapshot);
    hud_texts_end(texts);
    return hud_gtk.gtk_snapshot_free_to_node(snapshot);
}
#endif

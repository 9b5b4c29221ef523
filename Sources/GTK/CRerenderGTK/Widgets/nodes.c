// SPDX-License-Identifier: MIT
// Compares render nodes through GSK's public getters. A child that was not drawn again is the same node.

#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"

#include <string.h>

/// How many pairs of nodes are looked at. Only nodes that were just made are.
enum { MOST_PAIRS = 512 };

static enum comparison compare(GskRenderNode *one, GskRenderNode *other, unsigned *left);

static enum comparison of(bool is_same) { return is_same ? NODES_SAME : NODES_DIFFER; }

/// Of several parts: one that differs decides.
static enum comparison both(enum comparison one, enum comparison other) {
    if (one == NODES_DIFFER || other == NODES_DIFFER) return NODES_DIFFER;
    return one == NODES_UNKNOWN ? one : other;
}

static bool is_same_color(const GdkRGBA *one, const GdkRGBA *other) { return memcmp(one, other, sizeof *one) == 0; }

static bool is_same_rect(const graphene_rect_t *one, const graphene_rect_t *other) {
    return memcmp(one, other, sizeof *one) == 0;
}

static bool is_same_round(const GskRoundedRect *one, const GskRoundedRect *other) {
    return memcmp(one, other, sizeof *one) == 0;
}

// MARK: Nodes with children

static enum comparison containers(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    guint count = gtk.gsk_container_node_get_n_children(one);
    if (count != gtk.gsk_container_node_get_n_children(other)) return NODES_DIFFER;
    enum comparison all = NODES_SAME;
    for (guint index = 0; index < count && all != NODES_DIFFER && *left; index++)
        all = both(all, compare(gtk.gsk_container_node_get_child(one, index),
                                gtk.gsk_container_node_get_child(other, index), left));
    return *left ? all : both(all, NODES_UNKNOWN);
}

static enum comparison transforms(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (!gtk.gsk_transform_equal(gtk.gsk_transform_node_get_transform(one),
                                 gtk.gsk_transform_node_get_transform(other)))
        return NODES_DIFFER;
    return compare(gtk.gsk_transform_node_get_child(one), gtk.gsk_transform_node_get_child(other), left);
}

static enum comparison opacities(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (gtk.gsk_opacity_node_get_opacity(one) != gtk.gsk_opacity_node_get_opacity(other)) return NODES_DIFFER;
    return compare(gtk.gsk_opacity_node_get_child(one), gtk.gsk_opacity_node_get_child(other), left);
}

static enum comparison clips(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (!is_same_rect(gtk.gsk_clip_node_get_clip(one), gtk.gsk_clip_node_get_clip(other))) return NODES_DIFFER;
    return compare(gtk.gsk_clip_node_get_child(one), gtk.gsk_clip_node_get_child(other), left);
}

static enum comparison rounded_clips(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (!is_same_round(gtk.gsk_rounded_clip_node_get_clip(one), gtk.gsk_rounded_clip_node_get_clip(other)))
        return NODES_DIFFER;
    return compare(gtk.gsk_rounded_clip_node_get_child(one), gtk.gsk_rounded_clip_node_get_child(other), left);
}

static enum comparison shadows(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    gsize count = gtk.gsk_shadow_node_get_n_shadows(one);
    if (count != gtk.gsk_shadow_node_get_n_shadows(other)) return NODES_DIFFER;
    for (gsize index = 0; index < count; index++)
        if (memcmp(gtk.gsk_shadow_node_get_shadow(one, index), gtk.gsk_shadow_node_get_shadow(other, index),
                   sizeof(GskShadow)) != 0)
            return NODES_DIFFER;
    return compare(gtk.gsk_shadow_node_get_child(one), gtk.gsk_shadow_node_get_child(other), left);
}

static enum comparison blurs(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (gtk.gsk_blur_node_get_radius(one) != gtk.gsk_blur_node_get_radius(other)) return NODES_DIFFER;
    return compare(gtk.gsk_blur_node_get_child(one), gtk.gsk_blur_node_get_child(other), left);
}

static enum comparison repeats(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (!is_same_rect(gtk.gsk_repeat_node_get_child_bounds(one), gtk.gsk_repeat_node_get_child_bounds(other)))
        return NODES_DIFFER;
    return compare(gtk.gsk_repeat_node_get_child(one), gtk.gsk_repeat_node_get_child(other), left);
}

static enum comparison blends(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (gtk.gsk_blend_node_get_blend_mode(one) != gtk.gsk_blend_node_get_blend_mode(other)) return NODES_DIFFER;
    return both(compare(gtk.gsk_blend_node_get_bottom_child(one), gtk.gsk_blend_node_get_bottom_child(other), left),
                compare(gtk.gsk_blend_node_get_top_child(one), gtk.gsk_blend_node_get_top_child(other), left));
}

static enum comparison cross_fades(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (gtk.gsk_cross_fade_node_get_progress(one) != gtk.gsk_cross_fade_node_get_progress(other)) return NODES_DIFFER;
    return both(
        compare(gtk.gsk_cross_fade_node_get_start_child(one), gtk.gsk_cross_fade_node_get_start_child(other), left),
        compare(gtk.gsk_cross_fade_node_get_end_child(one), gtk.gsk_cross_fade_node_get_end_child(other), left));
}

// MARK: Nodes without children

static bool are_same_glyphs(const PangoGlyphInfo *one, const PangoGlyphInfo *other, guint count) {
    for (guint index = 0; index < count; index++)
        if (one[index].glyph != other[index].glyph ||
            memcmp(&one[index].geometry, &other[index].geometry, sizeof one->geometry) != 0)
            return false;
    return true;
}

static enum comparison texts(const GskRenderNode *one, const GskRenderNode *other) {
    guint count, count_of_other;
    const PangoGlyphInfo *glyphs = gtk.gsk_text_node_get_glyphs(one, &count);
    const PangoGlyphInfo *glyphs_of_other = gtk.gsk_text_node_get_glyphs(other, &count_of_other);
    if (count != count_of_other || !are_same_glyphs(glyphs, glyphs_of_other, count)) return NODES_DIFFER;
    if (!is_same_color(gtk.gsk_text_node_get_color(one), gtk.gsk_text_node_get_color(other))) return NODES_DIFFER;
    if (memcmp(gtk.gsk_text_node_get_offset(one), gtk.gsk_text_node_get_offset(other), sizeof(graphene_point_t)) != 0)
        return NODES_DIFFER;
    // Two objects may be of one font.
    return gtk.gsk_text_node_get_font(one) == gtk.gsk_text_node_get_font(other) ? NODES_SAME : NODES_UNKNOWN;
}

static enum comparison borders(const GskRenderNode *one, const GskRenderNode *other) {
    return of(
        is_same_round(gtk.gsk_border_node_get_outline(one), gtk.gsk_border_node_get_outline(other)) &&
        memcmp(gtk.gsk_border_node_get_widths(one), gtk.gsk_border_node_get_widths(other), 4 * sizeof(float)) == 0 &&
        memcmp(gtk.gsk_border_node_get_colors(one), gtk.gsk_border_node_get_colors(other), 4 * sizeof(GdkRGBA)) == 0);
}

static enum comparison inset_shadows(const GskRenderNode *one, const GskRenderNode *other) {
    return of(is_same_round(gtk.gsk_inset_shadow_node_get_outline(one), gtk.gsk_inset_shadow_node_get_outline(other)) &&
              is_same_color(gtk.gsk_inset_shadow_node_get_color(one), gtk.gsk_inset_shadow_node_get_color(other)) &&
              gtk.gsk_inset_shadow_node_get_dx(one) == gtk.gsk_inset_shadow_node_get_dx(other) &&
              gtk.gsk_inset_shadow_node_get_dy(one) == gtk.gsk_inset_shadow_node_get_dy(other) &&
              gtk.gsk_inset_shadow_node_get_spread(one) == gtk.gsk_inset_shadow_node_get_spread(other) &&
              gtk.gsk_inset_shadow_node_get_blur_radius(one) == gtk.gsk_inset_shadow_node_get_blur_radius(other));
}

static enum comparison outset_shadows(const GskRenderNode *one, const GskRenderNode *other) {
    return of(
        is_same_round(gtk.gsk_outset_shadow_node_get_outline(one), gtk.gsk_outset_shadow_node_get_outline(other)) &&
        is_same_color(gtk.gsk_outset_shadow_node_get_color(one), gtk.gsk_outset_shadow_node_get_color(other)) &&
        gtk.gsk_outset_shadow_node_get_dx(one) == gtk.gsk_outset_shadow_node_get_dx(other) &&
        gtk.gsk_outset_shadow_node_get_dy(one) == gtk.gsk_outset_shadow_node_get_dy(other) &&
        gtk.gsk_outset_shadow_node_get_spread(one) == gtk.gsk_outset_shadow_node_get_spread(other) &&
        gtk.gsk_outset_shadow_node_get_blur_radius(one) == gtk.gsk_outset_shadow_node_get_blur_radius(other));
}

static enum comparison linear_gradients(const GskRenderNode *one, const GskRenderNode *other) {
    gsize count = gtk.gsk_linear_gradient_node_get_n_color_stops(one);
    if (count != gtk.gsk_linear_gradient_node_get_n_color_stops(other)) return NODES_DIFFER;
    return of(memcmp(gtk.gsk_linear_gradient_node_get_start(one), gtk.gsk_linear_gradient_node_get_start(other),
                     sizeof(graphene_point_t)) == 0 &&
              memcmp(gtk.gsk_linear_gradient_node_get_end(one), gtk.gsk_linear_gradient_node_get_end(other),
                     sizeof(graphene_point_t)) == 0 &&
              memcmp(gtk.gsk_linear_gradient_node_get_color_stops(one, NULL),
                     gtk.gsk_linear_gradient_node_get_color_stops(other, NULL), count * sizeof(GskColorStop)) == 0);
}

/// The nodes of one kind, whose bounds are the same.
static enum comparison of_kind(GskRenderNodeType kind, GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    switch (kind) {
    case GSK_CONTAINER_NODE: return containers(one, other, left);
    case GSK_TRANSFORM_NODE: return transforms(one, other, left);
    case GSK_OPACITY_NODE: return opacities(one, other, left);
    case GSK_CLIP_NODE: return clips(one, other, left);
    case GSK_ROUNDED_CLIP_NODE: return rounded_clips(one, other, left);
    case GSK_SHADOW_NODE: return shadows(one, other, left);
    case GSK_BLUR_NODE: return blurs(one, other, left);
    case GSK_REPEAT_NODE: return repeats(one, other, left);
    case GSK_BLEND_NODE: return blends(one, other, left);
    case GSK_CROSS_FADE_NODE: return cross_fades(one, other, left);
    case GSK_DEBUG_NODE: return compare(gtk.gsk_debug_node_get_child(one), gtk.gsk_debug_node_get_child(other), left);
    case GSK_COLOR_NODE:
        return of(is_same_color(gtk.gsk_color_node_get_color(one), gtk.gsk_color_node_get_color(other)));
    case GSK_TEXT_NODE: return texts(one, other);
    case GSK_BORDER_NODE: return borders(one, other);
    case GSK_INSET_SHADOW_NODE: return inset_shadows(one, other);
    case GSK_OUTSET_SHADOW_NODE: return outset_shadows(one, other);
    case GSK_LINEAR_GRADIENT_NODE: return linear_gradients(one, other);
    case GSK_TEXTURE_NODE:
        return gtk.gsk_texture_node_get_texture(one) == gtk.gsk_texture_node_get_texture(other) ? NODES_SAME
                                                                                                : NODES_UNKNOWN;
    case GSK_CAIRO_NODE:
        return gtk.gsk_cairo_node_get_surface(one) == gtk.gsk_cairo_node_get_surface(other)
                   ? NODES_SAME
                   : pictures_compare(one, other);
    default: return NODES_UNKNOWN;
    }
}

static enum comparison compare(GskRenderNode *one, GskRenderNode *other, unsigned *left) {
    if (one == other) return NODES_SAME;
    if (!*left) return NODES_UNKNOWN;
    --*left;
    GskRenderNodeType kind = gtk.gsk_render_node_get_node_type(one);
    if (kind != gtk.gsk_render_node_get_node_type(other)) return NODES_DIFFER;
    graphene_rect_t bounds, bounds_of_other;
    gtk.gsk_render_node_get_bounds(one, &bounds);
    gtk.gsk_render_node_get_bounds(other, &bounds_of_other);
    if (!is_same_rect(&bounds, &bounds_of_other)) return NODES_DIFFER;
    return of_kind(kind, one, other, left);
}

enum comparison nodes_compare(GskRenderNode *one, GskRenderNode *other) {
    if (!one || !other) return of(one == other);
    unsigned left = MOST_PAIRS;
    return compare(one, other, &left);
}
#endif

// SPDX-License-Identifier: MIT
// Draws the HUD's operations with GtkSnapshot: lays out their texts, and keeps them as an image that is shown from then on.

#include "hud_parts.h"

#ifdef RERENDER_GTK
#include "../functions.h"

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
        gtk.gtk_snapshot_push_rounded_clip(snapshot, &clip);
    } else {
        gtk.gtk_snapshot_push_clip(snapshot, rect);
    }
}

static void fill(GtkSnapshot *snapshot, const struct crerender_hud_operation *operation) {
    graphene_rect_t rect = rect_of(operation);
    GdkRGBA color = color_of(operation);
    gtk.gtk_snapshot_save(snapshot);
    if (operation->turned != 0) {
        graphene_point_t center =
            GRAPHENE_POINT_INIT(rect.origin.x + rect.size.width / 2, rect.origin.y + rect.size.height / 2);
        gtk.gtk_snapshot_translate(snapshot, &center);
        gtk.gtk_snapshot_rotate(snapshot, operation->turned);
        rect.origin = GRAPHENE_POINT_INIT(-rect.size.width / 2, -rect.size.height / 2);
    }
    if (operation->radius > 0) push(snapshot, &rect, operation->radius);
    gtk.gtk_snapshot_append_color(snapshot, &color, &rect);
    if (operation->radius > 0) gtk.gtk_snapshot_pop(snapshot);
    gtk.gtk_snapshot_restore(snapshot);
}

static void border(GtkSnapshot *snapshot, const struct crerender_hud_operation *operation) {
    graphene_rect_t rect = rect_of(operation);
    GskRoundedRect outline = rounded(&rect, operation->radius);
    GdkRGBA color = color_of(operation);
    const float widths[4] = {operation->line, operation->line, operation->line, operation->line};
    const GdkRGBA colors[4] = {color, color, color, color};
    gtk.gtk_snapshot_append_border(snapshot, &outline, widths, colors);
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
    gtk.gtk_snapshot_save(snapshot);
    gtk.gtk_snapshot_translate(snapshot, &origin);
    gtk.gtk_snapshot_append_layout(snapshot, layout, &color);
    gtk.gtk_snapshot_restore(snapshot);
}

GskRenderNode *hud_draw(struct hud_texts *texts, GtkWidget *widget, const struct crerender_hud_operation *operations,
                        size_t count, const char *bytes) {
    GtkSnapshot *snapshot = gtk.gtk_snapshot_new();
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
            gtk.gtk_snapshot_pop(snapshot);
            clips--;
            break;
        }
    }
    for (; clips > 0; clips--) gtk.gtk_snapshot_pop(snapshot);
    hud_texts_end(texts);
    return gtk.gtk_snapshot_free_to_node(snapshot);
}

/// Texts of one drawing: the list shows some ten rows.
enum { most_texts = 256 };

/// What a layout depends on.
struct key {
    uint64_t text;
    float size;
    int32_t weight, width, alignment;
    bool is_cut_in_the_middle;
};

struct entry {
    struct key key;
    PangoLayout *layout;
    int height;
};

/// The layouts of a drawing.
struct page {
    struct entry entries[most_texts];
    size_t count;
};

struct hud_texts {
    PangoContext *context;
    /// That of the widget's own context, which changes with its fonts.
    unsigned serial;
    struct page pages[2];
    /// The page of the drawing that has begun; the other one is of the last drawing.
    int current;
};

struct hud_texts *hud_texts_new(void) {
    return gtk.g_malloc0(sizeof(struct hud_texts));
}

static void clear(struct page *page) {
    for (size_t i = 0; i < page->count; i++) {
        if (page->entries[i].layout) gtk.g_object_unref(page->entries[i].layout);
    }
    page->count = 0;
}

void hud_texts_free(struct hud_texts *texts) {
    clear(&texts->pages[0]);
    clear(&texts->pages[1]);
    if (texts->context) gtk.g_object_unref(texts->context);
    gtk.g_free(texts);
}

void hud_texts_begin(struct hud_texts *texts, GtkWidget *widget) {
    texts->current = !texts->current;
    unsigned serial = gtk.pango_context_get_serial(gtk.gtk_widget_get_pango_context(widget));
    if (texts->context && serial == texts->serial) return;
    clear(&texts->pages[!texts->current]);
    if (texts->context) gtk.g_object_unref(texts->context);
    texts->context = gtk.gtk_widget_create_pango_context(widget);
    texts->serial = serial;
    // The columns stand where they are in any language.
    gtk.pango_context_set_base_dir(texts->context, PANGO_DIRECTION_LTR);
}

void hud_texts_end(struct hud_texts *texts) { clear(&texts->pages[!texts->current]); }

/// FNV-1a: two of some hundred texts do not have the same.
static uint64_t hash(const char *bytes, uint32_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < count; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

static struct key key_of(const struct crerender_hud_operation *operation, const char *bytes) {
    return (struct key){
        .text = hash(bytes, operation->bytes),
        .size = operation->size,
        .weight = operation->weight,
        .width = (int32_t)operation->width,
        .alignment = operation->alignment,
        .is_cut_in_the_middle = operation->is_cut_in_the_middle,
    };
}

/// Not as bytes: a copy need not have those between the members.
static bool is_same(const struct key *one, const struct key *other) {
    return one->text == other->text && one->size == other->size && one->weight == other->weight &&
           one->width == other->width && one->alignment == other->alignment &&
           one->is_cut_in_the_middle == other->is_cut_in_the_middle;
}

/// Takes an entry out of the last drawing; its layout is null if the drawing has no such entry.
static struct entry taken(struct page *page, size_t from, const struct key *key) {
    struct entry none = {0};
    for (size_t i = 0; i < page->count; i++) {
        // A text mostly has the place that it had.
        struct entry *entry = &page->entries[(from + i) % page->count];
        if (!entry->layout || !is_same(&entry->key, key)) continue;
        struct entry found = *entry;
        entry->layout = NULL;
        return found;
    }
    return none;
}

static void set_font(PangoLayout *layout, const struct crerender_hud_operation *operation) {
    PangoFontDescription *font = gtk.pango_font_description_new();
    gtk.pango_font_description_set_family_static(font, "sans-serif");
    gtk.pango_font_description_set_absolute_size(font, (double)operation->size * PANGO_SCALE);
    gtk.pango_font_description_set_weight(font, (PangoWeight)operation->weight);
    gtk.pango_layout_set_font_description(layout, font);
    gtk.pango_font_description_free(font);
    // Digits of one width: numbers do not shake.
    PangoAttrList *attributes = gtk.pango_attr_list_new();
    gtk.pango_attr_list_insert(attributes, gtk.pango_attr_font_features_new("tnum=1"));
    gtk.pango_layout_set_attributes(layout, attributes);
    gtk.pango_attr_list_unref(attributes);
}

static PangoLayout *made(PangoContext *context, const struct crerender_hud_operation *operation, const char *bytes) {
    static const PangoAlignment alignments[] = {PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT};
    PangoLayout *layout = gtk.pango_layout_new(context);
    gtk.pango_layout_set_auto_dir(layout, false);
    gtk.pango_layout_set_single_paragraph_mode(layout, true);
    gtk.pango_layout_set_width(layout, (int)operation->width * PANGO_SCALE);
    gtk.pango_layout_set_ellipsize(layout,
                                   operation->is_cut_in_the_middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
    gtk.pango_layout_set_alignment(layout, alignments[operation->alignment % 3]);
    set_font(layout, operation);
    gtk.pango_layout_set_text(layout, bytes, (int)operation->bytes);
    return layout;
}

float hud_texts_width(struct hud_texts *texts, const struct crerender_hud_operation *operation, const char *bytes) {
    PangoLayout *layout = made(texts->context, operation, bytes);
    int width = 0;
    gtk.pango_layout_set_width(layout, -1);
    gtk.pango_layout_get_size(layout, &width, NULL);
    gtk.g_object_unref(layout);
    return ceilf((float)width / PANGO_SCALE);
}

PangoLayout *hud_texts_layout(struct hud_texts *texts, const struct crerender_hud_operation *operation,
                              const char *bytes, int *height) {
    struct page *page = &texts->pages[texts->current];
    if (page->count == most_texts) return NULL;
    struct key key = key_of(operation, bytes);
    struct entry entry = taken(&texts->pages[!texts->current], page->count, &key);
    if (!entry.layout) {
        entry.key = key;
        entry.layout = made(texts->context, operation, bytes);
        gtk.pango_layout_get_pixel_size(entry.layout, NULL, &entry.height);
    }
    page->entries[page->count++] = entry;
    *height = entry.height;
    return entry.layout;
}

/// Draws a node into an image; one pixel of it is `1 / scale` of the node's.
static void draw(GskRenderNode *node, const graphene_rect_t *bounds, int scale, cairo_surface_t *image) {
    cairo_t *context = gtk.cairo_create(image);
    gtk.cairo_scale(context, scale, scale);
    gtk.cairo_translate(context, -bounds->origin.x, -bounds->origin.y);
    gtk.gsk_render_node_draw(node, context);
    gtk.cairo_destroy(context);
}

GskRenderNode *hud_image(GskRenderNode *node, int scale) {
    graphene_rect_t bounds;
    gtk.gsk_render_node_get_bounds(node, &bounds);
    // Whole pixels, so that they lie on those of the window.
    int width = (int)ceilf(bounds.size.width), height = (int)ceilf(bounds.size.height);
    bounds.size = GRAPHENE_SIZE_INIT((float)width, (float)height);
    cairo_surface_t *image = gtk.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width * scale, height * scale);
    draw(node, &bounds, scale, image);
    // No texture: where GTK paints with cairo, it converts those pixel by pixel each time.
    GskRenderNode *shown = gtk.gsk_cairo_node_new(&bounds);
    cairo_t *context = gtk.gsk_cairo_node_get_draw_context(shown);
    gtk.cairo_translate(context, bounds.origin.x, bounds.origin.y);
    gtk.cairo_scale(context, 1.0 / scale, 1.0 / scale);
    gtk.cairo_set_source_surface(context, image, 0, 0);
    gtk.cairo_paint(context);
    gtk.cairo_destroy(context);
    gtk.cairo_surface_destroy(image);
    return shown;
}
#endif

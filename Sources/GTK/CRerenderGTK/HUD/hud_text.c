// SPDX-License-Identifier: MIT
// Lays out texts, and keeps the layouts of the last drawing.

#include "hud_text.h"

#ifdef RERENDER_GTK
#include "hud_functions.h"
#include <math.h>

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
    return hud_gtk.g_malloc0(sizeof(struct hud_texts));
}

static void clear(struct page *page) {
    for (size_t i = 0; i < page->count; i++) {
        if (page->entries[i].layout) hud_gtk.g_object_unref(page->entries[i].layout);
    }
    page->count = 0;
}

void hud_texts_free(struct hud_texts *texts) {
    clear(&texts->pages[0]);
    clear(&texts->pages[1]);
    if (texts->context) hud_gtk.g_object_unref(texts->context);
    hud_gtk.g_free(texts);
}

void hud_texts_begin(struct hud_texts *texts, GtkWidget *widget) {
    texts->current = !texts->current;
    unsigned serial = hud_gtk.pango_context_get_serial(hud_gtk.gtk_widget_get_pango_context(widget));
    if (texts->context && serial == texts->serial) return;
    clear(&texts->pages[!texts->current]);
    if (texts->context) hud_gtk.g_object_unref(texts->context);
    texts->context = hud_gtk.gtk_widget_create_pango_context(widget);
    texts->serial = serial;
    // The columns stand where they are in any language.
    hud_gtk.pango_context_set_base_dir(texts->context, PANGO_DIRECTION_LTR);
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

/// Takes an entry out of the last drawing; its layout is null where there is none.
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
    PangoFontDescription *font = hud_gtk.pango_font_description_new();
    hud_gtk.pango_font_description_set_family_static(font, "sans-serif");
    hud_gtk.pango_font_description_set_absolute_size(font, (double)operation->size * PANGO_SCALE);
    hud_gtk.pango_font_description_set_weight(font, (PangoWeight)operation->weight);
    hud_gtk.pango_layout_set_font_description(layout, font);
    hud_gtk.pango_font_description_free(font);
    // Digits of one width: numbers do not shake.
    PangoAttrList *attributes = hud_gtk.pango_attr_list_new();
    hud_gtk.pango_attr_list_insert(attributes, hud_gtk.pango_attr_font_features_new("tnum=1"));
    hud_gtk.pango_layout_set_attributes(layout, attributes);
    hud_gtk.pango_attr_list_unref(attributes);
}

static PangoLayout *made(PangoContext *context, const struct crerender_hud_operation *operation, const char *bytes) {
    static const PangoAlignment alignments[] = {PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT};
    PangoLayout *layout = hud_gtk.pango_layout_new(context);
    hud_gtk.pango_layout_set_auto_dir(layout, false);
    hud_gtk.pango_layout_set_single_paragraph_mode(layout, true);
    hud_gtk.pango_layout_set_width(layout, (int)operation->width * PANGO_SCALE);
    hud_gtk.pango_layout_set_ellipsize(layout,
                                       operation->is_cut_in_the_middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
    hud_gtk.pango_layout_set_alignment(layout, alignments[operation->alignment % 3]);
    set_font(layout, operation);
    hud_gtk.pango_layout_set_text(layout, bytes, (int)operation->bytes);
    return layout;
}

float hud_texts_width(struct hud_texts *texts, const struct crerender_hud_operation *operation, const char *bytes) {
    PangoLayout *layout = made(texts->context, operation, bytes);
    int width = 0;
    hud_gtk.pango_layout_set_width(layout, -1);
    hud_gtk.pango_layout_get_size(layout, &width, NULL);
    hud_gtk.g_object_unref(layout);
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
        hud_gtk.pango_layout_get_pixel_size(entry.layout, NULL, &entry.height);
    }
    page->entries[page->count++] = entry;
    *height = entry.height;
    return entry.layout;
}
#endif

// SPDX-License-Identifier: MIT
// Marks widgets: pulses them, highlights what drew again, and draws what is due above a window or popover.

#include "../headers.h"
#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Hooks/hooks.h"
#include "../HUD/hud_parts.h"
#include "../Widgets/records.h"
#include "overlay.h"

#include <string.h>

static const GdkRGBA red = {1, 0, 0, 1};
static const GdkRGBA orange = {1, 0.6f, 0, 1};

/// The height of a count, in pixels.
static const float count_height = 12;

/// The part of two rectangles that is in both; false if they have no such part.
static bool intersect(graphene_rect_t *rect, const graphene_rect_t *other) {
    float left = MAX(rect->origin.x, other->origin.x);
    float top = MAX(rect->origin.y, other->origin.y);
    float right = MIN(rect->origin.x + rect->size.width, other->origin.x + other->size.width);
    float bottom = MIN(rect->origin.y + rect->size.height, other->origin.y + other->size.height);
    *rect = GRAPHENE_RECT_INIT(left, top, right - left, bottom - top);
    return right > left && bottom > top;
}

/// What of a widget can be seen in its window or popover: without what its parents cut off.
///
/// - Parameter bounds: All of it.
/// - Returns: False where nothing can be seen.
static bool mark_visible_bounds(GtkWidget *widget, GtkWidget *native, graphene_rect_t *bounds,
                                graphene_rect_t *visible) {
    if (!gtk.gtk_widget_get_mapped(widget)) return false;
    if (!gtk.gtk_widget_compute_bounds(widget, native, bounds)) return false;
    *visible = *bounds;
    GtkWidget *parent = widget == native ? NULL : gtk.gtk_widget_get_parent(widget);
    for (; parent && parent != native; parent = gtk.gtk_widget_get_parent(parent)) {
        graphene_rect_t outer;
        if (gtk.gtk_widget_get_overflow(parent) != GTK_OVERFLOW_HIDDEN) continue;
        if (gtk.gtk_widget_compute_bounds(parent, native, &outer) && !intersect(visible, &outer)) return false;
    }
    return visible->size.width > 0 && visible->size.height > 0;
}

static GdkRGBA faded(GdkRGBA color, float alpha) {
    color.alpha = alpha;
    return color;
}

static void draw_border(GtkSnapshot *snapshot, const graphene_rect_t *bounds, const graphene_rect_t *visible,
                        float strength) {
    const float widths[4] = {3, 3, 3, 3};
    GdkRGBA color = faded(red, strength);
    const GdkRGBA colors[4] = {color, color, color, color};
    GskRoundedRect outline = {.bounds = *bounds};
    gtk.gtk_snapshot_push_clip(snapshot, visible);
    gtk.gtk_snapshot_append_border(snapshot, &outline, widths, colors);
    gtk.gtk_snapshot_pop(snapshot);
}

static void make_digits(struct overlay *overlay) {
    static const char bytes[] = "0123456789";
    struct hud_texts *texts = hud_texts_new();
    struct crerender_hud_operation digit = {
        .kind = CRERENDER_TEXT,
        .height = count_height,
        .color = {1, 1, 1, 1},
        .bytes = 1,
        .size = 9,
        .weight = 700,
        .alignment = 1,
    };
    // As wide as the font's widest digit: a narrower one would be cut off.
    hud_texts_begin(texts, overlay->native);
    for (; digit.text < 10; digit.text++)
        digit.width = MAX(digit.width, hud_texts_width(texts, &digit, bytes + digit.text));
    overlay->digit_width = digit.width;
    for (digit.text = 0; digit.text < 10; digit.text++)
        overlay->digits[digit.text] = hud_draw(texts, overlay->native, &digit, 1, bytes);
    hud_texts_free(texts);
}

/// Draws a number at a point, white on black.
static void draw_count(struct overlay *overlay, GtkSnapshot *snapshot, uint64_t count, graphene_point_t origin) {
    char digits[20];
    size_t length = 0;
    do digits[length++] = (char)(count % 10);
    while ((count /= 10) > 0);
    if (!overlay->digits[0]) make_digits(overlay);
    const GdkRGBA black = {0, 0, 0, 0.75f};
    float width = overlay->digit_width;
    graphene_rect_t label = GRAPHENE_RECT_INIT(0, 0, (float)length * width + 4, count_height);
    gtk.gtk_snapshot_save(snapshot);
    gtk.gtk_snapshot_translate(snapshot, &origin);
    gtk.gtk_snapshot_append_color(snapshot, &black, &label);
    gtk.gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(2, 0));
    while (length > 0) {
        GskRenderNode *node = overlay->digits[(unsigned char)digits[--length]];
        if (node) gtk.gtk_snapshot_append_node(snapshot, node);
        gtk.gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(width, 0));
    }
    gtk.gtk_snapshot_restore(snapshot);
}

static void draw_flash(struct overlay *overlay, GtkSnapshot *snapshot, const struct mark *mark,
                       const graphene_rect_t *visible, float strength) {
    GdkRGBA color = faded(mark->is_wasted ? orange : red, 0.3f * strength);
    gtk.gtk_snapshot_append_color(snapshot, &color, visible);
    if (visible->size.width < 16 || visible->size.height < count_height) return;
    draw_count(overlay, snapshot, mark->count, visible->origin);
}

/// How many have no mark, at the lower left.
static void draw_left_out(struct overlay *overlay, GtkSnapshot *snapshot) {
    if (overlay->flashes.left_out_before == 0) return;
    float y = (float)gtk.gtk_widget_get_height(overlay->native) - count_height;
    draw_count(overlay, snapshot, overlay->flashes.left_out_before, GRAPHENE_POINT_INIT(0, y));
}

/// Widgets that are held while their marks are drawn.
struct held {
    GtkWidget *widgets[2 * most_marks];
    unsigned count;
};

/// Holds the widget of a mark, and tells whether something of it can be seen.
static bool is_seen(struct held *held, struct mark *mark, GtkWidget *native, graphene_rect_t *bounds,
                    graphene_rect_t *visible) {
    GtkWidget *widget = mark_hold(mark);
    if (!widget) return false;
    held->widgets[held->count++] = widget;
    return mark_visible_bounds(widget, native, bounds, visible);
}

static void draw(struct overlay *overlay, GtkSnapshot *snapshot, struct held *held) {
    int64_t now = overlay_time(overlay);
    graphene_rect_t bounds, visible;
    marks_begin(&overlay->flashes, now);
    marks_begin(&overlay->pulses, now);
    for (unsigned i = 0; i < overlay->flashes.count; i++) {
        struct mark *mark = overlay->flashes.items[i];
        if (!is_seen(held, mark, overlay->native, &bounds, &visible)) continue;
        draw_flash(overlay, snapshot, mark, &visible, mark_strength(mark, now, flash_time));
    }
    draw_left_out(overlay, snapshot);
    for (unsigned i = 0; i < overlay->pulses.count; i++) {
        struct mark *mark = overlay->pulses.items[i];
        if (!is_seen(held, mark, overlay->native, &bounds, &visible)) continue;
        draw_border(snapshot, &bounds, &visible, mark_strength(mark, now, pulse_time));
    }
}

/// Draws pulses and flashes into the snapshot of the overlay's window or popover.
static void marks_draw(struct overlay *overlay, GtkSnapshot *snapshot) {
    if (overlay->flashes.count == 0 && overlay->pulses.count == 0) return;
    struct held held;
    held.count = 0;
    draw(overlay, snapshot, &held);
    // Where another thread let go of a widget meanwhile, it ends here, and what it does then may end the overlay.
    for (unsigned i = 0; i < held.count; i++) gtk.g_object_unref(held.widgets[i]);
}

/// The overlay of the window or popover in which a widget can be seen; null where it cannot be.
static struct overlay *overlay_around(GtkWidget *widget) {
    graphene_rect_t bounds, visible;
    GtkWidget *native = (GtkWidget *)gtk.gtk_widget_get_native(widget);
    if (!native || !mark_visible_bounds(widget, native, &bounds, &visible)) return NULL;
    return overlay_of(native, true);
}

/// Pulses a widget, and returns whether it is shown.
static bool pulse(GtkWidget *widget) {
    struct overlay *overlay = overlay_around(widget);
    if (!overlay || !marks_add(&overlay->pulses, widget)) return false;
    overlay_animate(overlay);
    overlay_ask(overlay);
    return true;
}

size_t crerender_pulse(void *const *widgets, size_t count) {
    size_t shown = 0;
    for (size_t i = 0; hud_is_found && i < count; i++) shown += pulse(widgets[i]);
    return shown;
}

/// A view whose widgets are pulsed.
struct pulsed {
    const char *key;
    size_t instances, shown;
};

static void pulse_record(struct record *record, void *context) {
    struct pulsed *pulsed = context;
    if (!record->key || strcmp(record->key, pulsed->key) != 0) return;
    pulsed->instances++;
    pulsed->shown += pulse(record->widget);
}

size_t crerender_pulse_view(const char *key, size_t *instances) {
    struct pulsed pulsed = {.key = key};
    if (hud_is_found) records_each(pulse_record, &pulsed);
    *instances = pulsed.instances;
    return pulsed.shown;
}

/// Whether a widget draws views that flash themselves.
static bool draws_views(GtkWidget *widget) {
    for (; widget; widget = gtk.gtk_widget_get_parent(widget))
        if (gtk.g_object_get_data((GObject *)widget, "rerender-highlights-views")) return true;
    return false;
}

static void mark(GtkWidget *widget, uint64_t count, bool is_wasted) {
    if (!draws_views(widget)) crerender_highlight(widget, count, is_wasted);
}

void crerender_highlight_set(bool is_on) { drawing_mark = is_on && hud_is_found ? mark : NULL; }

void crerender_highlight(void *widget, uint64_t count, bool is_wasted) {
    GtkWidget *native = hud_is_found ? (GtkWidget *)gtk.gtk_widget_get_native(widget) : NULL;
    // A window draws again with each of its widgets.
    if (!native || native == widget) return;
    struct overlay *overlay = overlay_of(native, true);
    struct mark *mark = marks_add(&overlay->flashes, widget);
    if (!mark) return;
    mark->count = count;
    mark->is_wasted = is_wasted;
    overlay_animate(overlay);
}

void crerender_overlay_snapshot(void *native, void *snapshot) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    hud_choose(native);
    if (!overlay) return;
    overlay->has_asked = false;
    marks_draw(overlay, snapshot);
    hud_snapshot(native, snapshot);
    hud_follow_counts();
}

bool crerender_overlay_asked(void *native) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    return overlay && overlay->has_asked;
}
#endif

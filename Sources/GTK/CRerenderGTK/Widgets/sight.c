// SPDX-License-Identifier: MIT
// Finds what keeps a widget from being seen, from the widget outwards, by what GTK knows of it and by what was drawn.
#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LEVELS = 256 };

static GtkWidget *parent_of(GtkWidget *widget) { return gtk.gtk_widget_get_parent(widget); }

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/// A text with a type in it, kept for ever.
static const char *kept(const char *format, const char *type) {
    char text[160];
    snprintf(text, sizeof text, format, type);
    return texts_at(texts_number(text));
}

// MARK: Not mapped

/// What a widget is that shows one of those in it at a time.
static bool is_stack(const char *type) {
    return ends_with(type, "Stack") || ends_with(type, "Notebook") || ends_with(type, "Leaflet") ||
           ends_with(type, "Squeezer") || ends_with(type, "TabView") || ends_with(type, "NavigationView");
}

/// Why a widget in another one is not shown there.
static const char *unshown_in(GtkWidget *outer) {
    const char *type = type_name(outer);
    // A notebook has its pages in a stack of its own.
    GtkWidget *around = parent_of(outer);
    if (strcmp(type, "GtkStack") == 0 && around && strcmp(type_name(around), "GtkNotebook") == 0)
        type = type_name(around);
    if (strcmp(type, "GtkRevealer") == 0) return "the GtkRevealer around it is closed";
    return is_stack(type) ? kept("its page of %s is not shown", type) : kept("%s does not show it", type);
}

/// Why a widget that is not mapped is not.
static const char *unmapped(GtkWidget *widget) {
    GtkWidget *outer = widget;
    for (int level = 0; outer && level < MOST_LEVELS; level++) {
        GtkWidget *parent = parent_of(outer);
        if (!gtk.gtk_widget_get_visible(outer)) {
            if (outer == widget) return "it is hidden";
            return parent ? kept("the %s around it is hidden", type_name(outer)) : "its window is not shown";
        }
        if (parent && !gtk.gtk_widget_get_child_visible(outer)) return unshown_in(parent);
        outer = parent;
    }
    return gtk.gtk_widget_get_root(widget) ? NULL : "it is in no window";
}

// MARK: The window

static const char *of_window(GtkWidget *widget) {
    static GType toplevel;
    GtkNative *native = (GtkNative *)gtk.gtk_widget_get_root(widget);
    GdkSurface *surface = native ? gtk.gtk_native_get_surface(native) : NULL;
    if (!toplevel) toplevel = gtk.g_type_from_name("GdkToplevel");
    if (!surface || !toplevel || !gtk.g_type_check_instance_is_a((GTypeInstance *)surface, toplevel)) return NULL;
    // GDK_TOPLEVEL_STATE_SUSPENDED is one of GTK 4.12.
    enum { SUSPENDED = 1 << 16 };
    unsigned state = (unsigned)gtk.gdk_toplevel_get_state((GdkToplevel *)surface);
    if (state & GDK_TOPLEVEL_STATE_MINIMIZED) return "its window is minimised";
    return state & SUSPENDED ? "its window is suspended" : NULL;
}

// MARK: Opacity, and areas

static bool is_apart(const graphene_rect_t *one, float width, float height) {
    return one->origin.x >= width || one->origin.y >= height || one->origin.x + one->size.width <= 0 ||
           one->origin.y + one->size.height <= 0;
}

static const char *outside_of(GtkWidget *outer) {
    if (!parent_of(outer)) return "it is outside of its window";
    const char *type = type_name(outer);
    // The one in which it is scrolled is known better than its viewport.
    GtkWidget *around = parent_of(outer);
    if (strcmp(type, "GtkViewport") == 0 && around && strcmp(type_name(around), "GtkScrolledWindow") == 0)
        type = type_name(around);
    return kept("it is outside of the visible area of %s", type);
}

/// Whether a widget has a surface of its own, which may be outside of what it is in: a window, or a popover.
static bool is_native(GtkWidget *widget) {
    static GType native;
    if (!native) native = gtk.g_type_from_name("GtkNative");
    return native && gtk.g_type_check_instance_is_a((GTypeInstance *)widget, native);
}

/// Why nothing of a widget that is mapped is within what is around it.
static const char *without_area(GtkWidget *widget) {
    if (gtk.gtk_widget_get_width(widget) <= 0 || gtk.gtk_widget_get_height(widget) <= 0) return "it has no size";
    GtkWidget *outer = widget;
    for (int level = 0; outer && level < MOST_LEVELS; level++, outer = parent_of(outer)) {
        if (gtk.gtk_widget_get_opacity(outer) <= 0)
            return outer == widget ? "its opacity is 0" : kept("the opacity of %s is 0", part_key(outer));
        bool has_surface = is_native(outer);
        bool cuts = has_surface || gtk.gtk_widget_get_overflow(outer) == GTK_OVERFLOW_HIDDEN;
        float width = (float)gtk.gtk_widget_get_width(outer), height = (float)gtk.gtk_widget_get_height(outer);
        graphene_rect_t bounds;
        if (outer != widget && cuts && gtk.gtk_widget_compute_bounds(widget, outer, &bounds) &&
            is_apart(&bounds, width, height))
            return outside_of(outer);
        if (has_surface) break;
    }
    return NULL;
}

// MARK: Covered

/// A search for a widget's node in what was drawn around it, and behind it for one that covers the widget.
struct search {
    const GskRenderNode *own;
    /// The widget, where the search is.
    graphene_rect_t bounds;
    bool is_behind;
    int left;
};

static bool contains(const graphene_rect_t *outer, const graphene_rect_t *inner) {
    // Places of what is turned are rounded.
    const float slack = 0.5f;
    return outer->origin.x - slack <= inner->origin.x && outer->origin.y - slack <= inner->origin.y &&
           outer->origin.x + outer->size.width + slack >= inner->origin.x + inner->size.width &&
           outer->origin.y + outer->size.height + slack >= inner->origin.y + inner->size.height;
}

static bool covers(GskRenderNode *node, struct search *search);

static bool any_covers(GskRenderNode *container, struct search *search) {
    guint count = gtk.gsk_container_node_get_n_children(container);
    for (guint index = 0; index < count; index++)
        if (covers(gtk.gsk_container_node_get_child(container, index), search)) return true;
    return false;
}

/// Of a node that moves what is in it; one that does anything else to it covers nothing that is known.
static bool moved_covers(GskRenderNode *node, struct search *search) {
    GskTransform *transform = gtk.gsk_transform_node_get_transform(node);
    bool is_moved = gtk.gsk_transform_get_category(transform) >= GSK_TRANSFORM_CATEGORY_2D_TRANSLATE;
    if (!is_moved && search->is_behind) return false;
    float x = 0, y = 0;
    if (is_moved) gtk.gsk_transform_to_translate(transform, &x, &y);
    search->bounds.origin.x -= x;
    search->bounds.origin.y -= y;
    bool is_covered = covers(gtk.gsk_transform_node_get_child(node), search);
    search->bounds.origin.x += x;
    search->bounds.origin.y += y;
    // Where the widget is in what is turned, that was found without a place.
    return is_covered && is_moved;
}

/// Whether a node, or one in it, covers the widget with one colour. Nodes are drawn in this order.
static bool covers(GskRenderNode *node, struct search *search) {
    if (!node || --search->left < 0) return false;
    if (node == search->own) {
        search->is_behind = true;
        return false;
    }
    switch (gtk.gsk_render_node_get_node_type(node)) {
    case GSK_CONTAINER_NODE: return any_covers(node, search);
    case GSK_TRANSFORM_NODE: return moved_covers(node, search);
    case GSK_DEBUG_NODE: return covers(gtk.gsk_debug_node_get_child(node), search);
    case GSK_CLIP_NODE:
        if (search->is_behind && !contains(gtk.gsk_clip_node_get_clip(node), &search->bounds)) return false;
        return covers(gtk.gsk_clip_node_get_child(node), search);
    // What is in one of these together with the widget is drawn as the widget is.
    case GSK_ROUNDED_CLIP_NODE: return !search->is_behind && covers(gtk.gsk_rounded_clip_node_get_child(node), search);
    case GSK_OPACITY_NODE: return !search->is_behind && covers(gtk.gsk_opacity_node_get_child(node), search);
    case GSK_COLOR_NODE: {
        graphene_rect_t bounds;
        if (!search->is_behind || gtk.gsk_color_node_get_color(node)->alpha < 1) return false;
        gtk.gsk_render_node_get_bounds(node, &bounds);
        return contains(&bounds, &search->bounds);
    }
    default: return false;
    }
}

/// Where a widget draws in one around it. A spinner is a circle that is turned: its bounds grow and shrink with its corners, which are empty.
static bool drawn_bounds(GtkWidget *widget, GtkWidget *outer, graphene_rect_t *bounds) {
    if (!gtk.gtk_widget_compute_bounds(widget, outer, bounds)) return false;
    if (!ends_with(type_name(widget), "Spinner")) return true;
    int width = gtk.gtk_widget_get_width(widget), height = gtk.gtk_widget_get_height(widget);
    float side = (float)(width < height ? width : height);
    bounds->origin.x += (bounds->size.width - side) / 2;
    bounds->origin.y += (bounds->size.height - side) / 2;
    bounds->size.width = bounds->size.height = side;
    return true;
}

/// Whether what was drawn behind a widget covers it, in the contents that are kept of the widgets around it.
static bool is_covered(const struct record *record) {
    if (!record->node) return false;
    GtkWidget *outer = parent_of(record->widget);
    for (int level = 0; outer && level < MOST_LEVELS; level++, outer = parent_of(outer)) {
        const struct record *around = drawn_record_of(outer);
        struct search search = {.own = record->node, .left = 512};
        if (!around || !around->node) continue;
        if (!drawn_bounds(record->widget, outer, &search.bounds)) return false;
        if (covers(around->node, &search)) return true;
    }
    return false;
}

const char *sight_obstacle(const struct record *record) {
    GtkWidget *widget = record->widget;
    if (!gtk.gtk_widget_get_mapped(widget)) return unmapped(widget);
    const char *obstacle = of_window(widget);
    if (!obstacle) obstacle = without_area(widget);
    return obstacle || !is_covered(record) ? obstacle : "something opaque covers it";
}
#endif

// Tells whether a widget and those in it are where they were: by a number for their places and sizes.

#ifdef RERENDER_GTK

#include <string.h>

enum { BASIS = 1469598103 };

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t index = 0; index + sizeof(uint32_t) <= size; index += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, at + index, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

/// Takes in where a widget is in the one around it, and how large it is.
static bool mix_place(uint64_t *hash, GtkWidget *widget, GtkWidget *outer) {
    graphene_matrix_t place;
    if (!gtk.gtk_widget_compute_transform(widget, outer, &place)) return false;
    const int size[] = {gtk.gtk_widget_get_width(widget), gtk.gtk_widget_get_height(widget)};
    *hash = mix(mix(*hash, &place, sizeof place), size, sizeof size);
    return true;
}

uint64_t places_of(GtkWidget *widget, uint64_t most) {
    uint64_t hash = BASIS;
    // A window is in nothing.
    GtkWidget *outer = gtk.gtk_widget_get_parent(widget);
    if (most == 0 || (outer && !mix_place(&hash, widget, outer))) return 0;
    for (GtkWidget *inner = gtk.gtk_widget_get_first_child(widget); inner;
         inner = gtk.gtk_widget_get_next_sibling(inner)) {
        if (most-- == 0 || !mix_place(&hash, inner, widget)) return 0;
        const bool is_shown = gtk.gtk_widget_get_mapped(inner);
        hash = mix(hash, &(const uint32_t){is_shown}, sizeof(uint32_t));
    }
    return hash ? hash : 1;
}

/// With more, the places count as unknown.
enum { MOST_PLACES = 1024 };

bool places_stay(struct record *record) {
    uint64_t before = record->places;
    record->places = places_of(record->widget, MOST_PLACES);
    return before != 0 && record->places == before;
}
#endif

// SPDX-License-Identifier: MIT
// The widgets of a screen: canvases that put others at places, the looks of texts, and what tells the program of a user's doing.

#include "parts.h"

#ifdef RERENDER_GTK
#include <math.h>

static void on_clicked(GtkWidget *button) { render_loop_tell(button, RENDER_LOOP_TAP, 0, NULL); }

static void on_changed(GtkWidget *entry) {
    render_loop_tell(entry, RENDER_LOOP_TEXT, 0, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void on_value(GtkWidget *scale) {
    render_loop_tell(scale, RENDER_LOOP_VALUE, gtk_range_get_value(GTK_RANGE(scale)), NULL);
}

/// Ours until it is removed, also where its canvas goes first.
static void *kept(GtkWidget *widget) { return g_object_ref_sink(widget); }

void *render_loop_make_label(void) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_widget_set_can_target(label, false);
    return kept(label);
}

void *render_loop_make_button(uint64_t number) {
    GtkWidget *button = gtk_button_new(), *canvas = render_loop_new_canvas();
    gtk_widget_set_halign(canvas, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(canvas, GTK_ALIGN_CENTER);
    gtk_button_set_child(GTK_BUTTON(button), canvas);
    render_loop_number(button, number);
    g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), NULL);
    return kept(button);
}

void *render_loop_button_canvas(void *button) { return gtk_button_get_child(GTK_BUTTON(button)); }

void *render_loop_make_entry(uint64_t number) {
    GtkWidget *entry = gtk_entry_new();
    // Smaller than GTK's own least width: the layout decides.
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), 0);
    render_loop_number(entry, number);
    g_signal_connect(entry, "changed", G_CALLBACK(on_changed), NULL);
    return kept(entry);
}

void *render_loop_make_scale(uint64_t number) {
    GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.1);
    gtk_range_set_round_digits(GTK_RANGE(scale), -1);
    render_loop_number(scale, number);
    g_signal_connect(scale, "value-changed", G_CALLBACK(on_value), NULL);
    return kept(scale);
}

void render_loop_set_opacity(void *widget, float opacity) { gtk_widget_set_opacity(widget, (double)opacity); }

void render_loop_set_name(void *widget, const char *name) { gtk_widget_set_name(widget, name); }

void render_loop_set_label(void *label, const char *text, const struct render_loop_look *look, bool is_centred) {
    PangoAttrList *attributes = render_loop_attributes(look);
    gtk_label_set_attributes(label, attributes);
    pango_attr_list_unref(attributes);
    gtk_label_set_text(label, text);
    gtk_label_set_xalign(label, is_centred ? 0.5F : 0);
    render_loop_set_opacity(label, look->opacity);
}

void render_loop_set_text(void *entry, const char *text, const char *placeholder) {
    gtk_entry_set_placeholder_text(entry, placeholder);
    if (g_strcmp0(gtk_editable_get_text(entry), text) == 0) return;
    int place = gtk_editable_get_position(entry);
    bool is_at_end = place == gtk_entry_get_text_length(entry);
    render_loop_sets = true;
    gtk_editable_set_text(entry, text);
    render_loop_sets = false;
    gtk_editable_set_position(entry, is_at_end ? -1 : place);
}

void render_loop_set_value(void *widget, double value) {
    render_loop_sets = true;
    if (fabs(gtk_range_get_value(widget) - value) > 1e-9) gtk_range_set_value(widget, value);
    render_loop_sets = false;
}

typedef struct {
    GtkWidget widget;
    struct render_loop_paint paint;
    int width, height;
    bool tells;
} RenderLoopCanvas;

typedef struct {
    GtkWidgetClass parent;
} RenderLoopCanvasClass;

G_DEFINE_TYPE(RenderLoopCanvas, render_loop_canvas_widget, GTK_TYPE_WIDGET)

struct place {
    int x, y, width, height;
};

static struct place *place_of(GtkWidget *widget) { return g_object_get_data(G_OBJECT(widget), "render-loop-place"); }

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline) {
    (void)for_size;
    RenderLoopCanvas *canvas = (RenderLoopCanvas *)widget;
    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? canvas->width : canvas->height;
    *minimum_baseline = *natural_baseline = -1;
}

static void allocate_child(GtkWidget *child) {
    struct place *place = place_of(child);
    if (!place) return;
    int least_width, least_height;
    // GTK wants to be asked before, and gives nothing less than its least.
    gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
    int width = MAX(place->width, least_width);
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least_height, NULL, NULL, NULL);
    int height = MAX(place->height, least_height);
    // What is higher than its place is in the middle of it.
    int above = (height - place->height) / 2;
    GskTransform *transform = gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT(place->x, place->y - above));
    gtk_widget_allocate(child, width, height, -1, transform);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)baseline;
    RenderLoopCanvas *canvas = (RenderLoopCanvas *)widget;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
        allocate_child(child);
    }
    if (canvas->tells) render_loop_told.resized(render_loop_told.context, width, height);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    const struct render_loop_paint *paint = &((RenderLoopCanvas *)widget)->paint;
    GskRoundedRect shape;
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gsk_rounded_rect_init_from_rect(&shape, &bounds, 0);
    if (paint->clips) gtk_snapshot_push_clip(snapshot, &bounds);
    GdkRGBA fill = {paint->fill[0], paint->fill[1], paint->fill[2], paint->fill[3]};
    if (fill.alpha > 0) gtk_snapshot_append_color(snapshot, &fill, &bounds);
    GTK_WIDGET_CLASS(render_loop_canvas_widget_parent_class)->snapshot(widget, snapshot);
    if (paint->clips) gtk_snapshot_pop(snapshot);
    if (paint->line <= 0) return;
    GdkRGBA line = {paint->border[0], paint->border[1], paint->border[2], paint->border[3]};
    gtk_snapshot_append_border(snapshot, &shape, (float[4]){paint->line, paint->line, paint->line, paint->line},
                               (GdkRGBA[4]){line, line, line, line});
}

static void dispose(GObject *object) {
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
    G_OBJECT_CLASS(render_loop_canvas_widget_parent_class)->dispose(object);
}

static void render_loop_canvas_widget_class_init(RenderLoopCanvasClass *class) {
    G_OBJECT_CLASS(class)->dispose = dispose;
    GTK_WIDGET_CLASS(class)->measure = measure;
    GTK_WIDGET_CLASS(class)->size_allocate = size_allocate;
    GTK_WIDGET_CLASS(class)->snapshot = snapshot;
}

static void render_loop_canvas_widget_init(RenderLoopCanvas *canvas) { (void)canvas; }

GtkWidget *render_loop_new_canvas(void) { return g_object_new(render_loop_canvas_widget_get_type(), NULL); }

void *render_loop_make_canvas(void) { return g_object_ref_sink(render_loop_new_canvas()); }

void render_loop_canvas_tells(GtkWidget *canvas) { ((RenderLoopCanvas *)canvas)->tells = true; }

void render_loop_place(void *canvas, void *widget, void *after, int x, int y, int width, int height) {
    struct place *place = place_of(widget);
    if (!place) {
        place = g_new0(struct place, 1);
        g_object_set_data_full(G_OBJECT(widget), "render-loop-place", place, g_free);
    }
    *place = (struct place){x, y, width, height};
    // In its parent already, it keeps the focus.
    if (gtk_widget_get_parent(widget) != canvas || gtk_widget_get_prev_sibling(widget) != after) {
        gtk_widget_insert_after(widget, canvas, after);
    }
    gtk_widget_queue_allocate(canvas);
}

void render_loop_remove(void *widget) {
    // Without a parent it is where its canvas went first.
    if (gtk_widget_get_parent(widget)) gtk_widget_unparent(widget);
    g_object_unref(widget);
}

void render_loop_paint(void *widget, const struct render_loop_paint *paint) {
    ((RenderLoopCanvas *)widget)->paint = *paint;
    gtk_widget_set_can_target(widget, !paint->lets_clicks_through);
    gtk_widget_queue_draw(widget);
}

void render_loop_set_size(void *widget, int width, int height) {
    RenderLoopCanvas *canvas = widget;
    if (canvas->width == width && canvas->height == height) return;
    canvas->width = width;
    canvas->height = height;
    gtk_widget_queue_resize(widget);
}

static guint16 channel(float part) { return (guint16)(CLAMP(part, 0, 1) * 65535); }

PangoAttrList *render_loop_attributes(const struct render_loop_look *look) {
    PangoAttrList *list = pango_attr_list_new();
    if (look->points > 0) pango_attr_list_insert(list, pango_attr_size_new((int)(look->points * PANGO_SCALE)));
    if (look->points <= 0 && look->scale != 1) pango_attr_list_insert(list, pango_attr_scale_new(look->scale));
    if (look->weight > 0) pango_attr_list_insert(list, pango_attr_weight_new((PangoWeight)look->weight));
    if (look->is_monospaced) pango_attr_list_insert(list, pango_attr_family_new("monospace"));
    // Digits of one width: a number that counts does not move what follows it.
    pango_attr_list_insert(list, pango_attr_font_features_new("tnum=1"));
    if (look->has_color) {
        pango_attr_list_insert(
            list, pango_attr_foreground_new(channel(look->red), channel(look->green), channel(look->blue)));
    }
    return list;
}

struct render_loop_host render_loop_told;
bool render_loop_sets;

void render_loop_number(GtkWidget *widget, uint64_t number) {
    g_object_set_data(G_OBJECT(widget), "render-loop-number", GSIZE_TO_POINTER(number));
}

void render_loop_tell(GtkWidget *widget, int32_t kind, double value, const char *text) {
    if (render_loop_sets) return;
    struct render_loop_input input = {
        .kind = kind,
        .widget = GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(widget), "render-loop-number")),
        .value = value,
        .text = text,
    };
    render_loop_told.input(render_loop_told.context, &input);
}
#endif

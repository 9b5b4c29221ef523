// SPDX-License-Identifier: MIT
// A widget that puts others at the places where a layout wants them, and paints a rectangle.

#include "parts.h"

#ifdef RERENDER_GTK
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
#endif

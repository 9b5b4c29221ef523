// SPDX-License-Identifier: MIT
// A meter of GTK 4 in C, with a widget of its own. Its file is stripped, and its debug information lies beside it. Comments as in clock.c.

#include <gtk/gtk.h>

enum { LIFE = 4500, SAMPLE = 50, HOLD = 500, SUM = 1000, SUMMING = 400000 };

static GMainLoop *loop;
static GtkWidget *graph;
static unsigned samples;

// MARK: The widget

#define METER_TYPE meter_get_type()
G_DECLARE_FINAL_TYPE(Meter, meter, METER, WIDGET, GtkWidget)

struct _Meter {
    GtkWidget parent;
    unsigned level;
};

G_DEFINE_TYPE(Meter, meter, GTK_TYPE_WIDGET)

static GParamSpec *level_property;
static Meter *meter;

static void meter_set_level(Meter *self, unsigned level) {
    self->level = level;
    gtk_widget_queue_draw(GTK_WIDGET(self));
    g_object_notify_by_pspec(G_OBJECT(self), level_property);
}

static void meter_set_property(GObject *object, guint number, const GValue *value, GParamSpec *property) {
    (void)number, (void)property;
    meter_set_level(METER_WIDGET(object), g_value_get_uint(value));
}

static void meter_get_property(GObject *object, guint number, GValue *value, GParamSpec *property) {
    (void)number, (void)property;
    g_value_set_uint(value, METER_WIDGET(object)->level);
}

static void meter_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    const GdkRGBA color = {0, 0.5f, 0, 1};
    float width = (float)(METER_WIDGET(widget)->level % 100);
    gtk_snapshot_append_color(snapshot, &color, &GRAPHENE_RECT_INIT(0, 0, width, 20));
}

static void meter_class_init(MeterClass *class) {
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    object_class->set_property = meter_set_property;
    object_class->get_property = meter_get_property;
    GTK_WIDGET_CLASS(class)->snapshot = meter_snapshot;
    level_property = g_param_spec_uint("level", NULL, NULL, 0, 1000, 0, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
    g_object_class_install_property(object_class, 1, level_property);
}

static void meter_init(Meter *self) { gtk_widget_set_size_request(GTK_WIDGET(self), 100, 20); }

// MARK: What it does

static void draw_graph(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer context) {
    (void)area, (void)context;
    cairo_rectangle(cairo, samples % 100, 0, width / 10.0, height);
    cairo_fill(cairo);
}

static void redraw_graph(void) {
    gtk_widget_queue_draw(graph); // names: writer GtkDrawingArea#graph queue_draw -> redraw_graph()
}

static gboolean collect(gpointer context) { // names: source idle function -> collect()
    (void)context;
    redraw_graph();
    return G_SOURCE_REMOVE;
}

static gboolean sample(gpointer context) {
    (void)context;
    samples++;
    // GObject notifies once the setter has returned.
    g_object_set(meter, "level", samples, NULL); // names: writer Meter#level property level -> sample()
    g_idle_add(collect, NULL);
    return G_SOURCE_CONTINUE;
}

static void on_hold(GtkToggleButton *hold, gpointer at) { // names: handler GtkToggleButton#hold: toggled -> on_hold()
    gtk_label_set_text(at, gtk_toggle_button_get_active(hold) ? "held" : "runs");
}

static gboolean press(gpointer context) {
    GtkToggleButton *button = context;
    gtk_toggle_button_set_active(button, !gtk_toggle_button_get_active(button));
    return G_SOURCE_CONTINUE;
}

static gboolean sum_up(gpointer context) {
    volatile unsigned long *sum = context;
    gint64 until = g_get_monotonic_time() + SUMMING;
    while (g_get_monotonic_time() < until) *sum += 1; // names: hang -> sum_up()
    return G_SOURCE_CONTINUE;
}

// MARK: The program

static GtkWidget *added(GtkWidget *box, GtkWidget *widget, const char *name) {
    gtk_widget_set_name(widget, name);
    gtk_box_append(GTK_BOX(box), widget);
    return widget;
}

static gboolean end(gpointer context) {
    (void)context;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(void) {
    static unsigned long sum;
    gtk_init();
    loop = g_main_loop_new(NULL, FALSE);
    GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_window_set_child(GTK_WINDOW(window), box);
    meter = METER_WIDGET(added(box, g_object_new(METER_TYPE, NULL), "level"));
    graph = added(box, gtk_drawing_area_new(), "graph");
    gtk_widget_set_size_request(graph, 100, 50);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(graph), draw_graph, NULL, NULL);
    GtkWidget *hold = added(box, gtk_toggle_button_new_with_label("Hold"), "hold");
    g_signal_connect(hold, "toggled", G_CALLBACK(on_hold), added(box, gtk_label_new("runs"), "held"));
    gtk_window_present(GTK_WINDOW(window));
    g_timeout_add(SAMPLE, sample, NULL);
    g_timeout_add(HOLD, press, hold);
    g_timeout_add(SUM, sum_up, &sum);
    g_timeout_add(LIFE, end, NULL);
    g_main_loop_run(loop);
    return 0;
}

// SPDX-License-Identifier: MIT
// A program of GTK 4 in which a widget has itself laid out or drawn again, or does not. It knows nothing of Rerender.
//
// cycles WHAT: shows a window, says "shown", and goes on until its input ends:
//
//   windows   a widget's snapshot has one of another window drawn again, whose snapshot has the first one drawn again
//   resize    a widget's size_allocate adds an idle function that has the widget measured anew
//   label     a widget's size_allocate adds an idle function that writes a label beside it
//   settle    as resize, where the size is another one; a timer resizes the window five times a second
//   private   a widget's size_allocate adds an idle function; a timer runs a source of another context, whose number is that
//             of the idle function, and which has the widget measured anew
//   once      a widget's size_allocate adds an idle function that writes a property, three times

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

static const char *what;
static GtkWidget *first, *second, *label, *window;
static unsigned draws, allocations;

static gboolean is(const char *name) { return strcmp(what, name) == 0; }

// MARK: A widget

typedef struct {
    GtkWidget parent;
    int width;
} Pane;
typedef struct {
    GtkWidgetClass parent_class;
} PaneClass;
static GType pane_get_type(void);
G_DEFINE_TYPE(Pane, pane, GTK_TYPE_WIDGET)

static void pane_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    GdkRGBA color = {(float)(++draws % 100) / 100, 0.5f, 0.5f, 1};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &color, &bounds);
    if (is("windows")) gtk_widget_queue_draw(widget == first ? second : first);
}

static void pane_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline) {
    (void)widget, (void)orientation, (void)for_size;
    *minimum = *natural = 50;
    *minimum_baseline = *natural_baseline = -1;
}

static gboolean measure_anew(gpointer pane) {
    gtk_widget_queue_resize(pane);
    return G_SOURCE_REMOVE;
}

/// Another change of the label, before that of its text.
static void __attribute__((noinline)) fade_label(void) {
    gtk_widget_set_opacity(label, gtk_widget_get_opacity(label) > 0.8 ? 0.7 : 0.9);
}

static gboolean write_label(gpointer pane) {
    static unsigned writes;
    (void)pane;
    fade_label();
    gtk_label_set_text(GTK_LABEL(label), writes++ % 2 ? "narrow" : "a wider text");
    return G_SOURCE_REMOVE;
}

static gboolean write_name(gpointer pane) {
    gtk_widget_set_opacity(pane, allocations % 2 ? 0.5 : 0.6);
    return G_SOURCE_REMOVE;
}

static guint idle;

static gboolean do_nothing(gpointer pane) { return (void)pane, G_SOURCE_REMOVE; }

static gboolean run_private(gpointer context) {
    for (guint number = 0; number < idle;) {
        GSource *source = g_idle_source_new();
        g_source_set_callback(source, measure_anew, first, NULL);
        number = g_source_attach(source, context);
        if (number != idle) g_source_destroy(source);
        g_source_unref(source);
    }
    g_main_context_iteration(context, FALSE);
    return G_SOURCE_CONTINUE;
}

static void pane_allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)height, (void)baseline;
    Pane *self = (Pane *)widget;
    gboolean is_new = self->width != width;
    self->width = width;
    allocations++;
    if (is("resize") || (is("settle") && is_new)) g_idle_add(measure_anew, widget);
    if (is("private")) idle = g_idle_add(do_nothing, widget);
    if (is("label")) g_idle_add(write_label, widget);
    if (is("once") && allocations <= 3) g_idle_add(write_name, widget);
}

static void pane_class_init(PaneClass *class) {
    ((GtkWidgetClass *)class)->snapshot = pane_snapshot;
    ((GtkWidgetClass *)class)->measure = pane_measure;
    ((GtkWidgetClass *)class)->size_allocate = pane_allocate;
}
static void pane_init(Pane *pane) { (void)pane; }

// MARK: The program

static GtkWidget *show(GtkWidget *content) {
    GtkWidget *made = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(made), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(made), 300, 200);
    gtk_window_set_child(GTK_WINDOW(made), content);
    gtk_window_present(GTK_WINDOW(made));
    return made;
}

static gboolean resize_window(gpointer context) {
    static int width = 300;
    (void)context;
    width = width == 300 ? 320 : 300;
    gtk_window_set_default_size(GTK_WINDOW(window), width, 200);
    return G_SOURCE_CONTINUE;
}

static gboolean input_ended(GIOChannel *channel, GIOCondition condition, gpointer context) {
    (void)channel, (void)condition;
    *(gboolean *)context = TRUE;
    return G_SOURCE_REMOVE;
}

int main(int count, char **arguments) {
    gboolean has_ended = FALSE;
    gtk_init();
    what = count > 1 ? arguments[1] : "once";
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    label = gtk_label_new("narrow");
    first = g_object_new(pane_get_type(), "name", "first", "hexpand", TRUE, NULL);
    gtk_box_append(GTK_BOX(box), label);
    gtk_box_append(GTK_BOX(box), first);
    if (is("windows")) {
        second = g_object_new(pane_get_type(), "name", "second", NULL);
        show(second);
    }
    window = show(box);
    if (is("settle")) g_timeout_add(200, resize_window, NULL);
    if (is("private")) g_timeout_add(20, run_private, g_main_context_new());
    while (draws == 0) g_main_context_iteration(NULL, TRUE);
    GIOChannel *input = g_io_channel_unix_new(0);
    g_io_add_watch(input, G_IO_IN | G_IO_HUP, input_ended, &has_ended);
    puts("shown");
    fflush(stdout);
    while (!has_ended) g_main_context_iteration(NULL, TRUE);
    g_io_channel_unref(input);
    printf("draws\t%u\nallocations\t%u\n", draws, allocations);
    return 0;
}

// SPDX-License-Identifier: MIT
// The window: a sidebar, a description and the canvas; and what GLib's main loop calls at a time.

#include "parts.h"

#ifdef RERENDER_GTK
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <glib-unix.h>
#pragma clang diagnostic pop

static struct {
    GtkWidget *window, *sidebar, *rows, *title, *text, *canvas;
    GMainLoop *loop;
    /// The row that was chosen last; GTK selects it again when the window gets the focus.
    int row;
    /// Where the pointer is in the canvas: scrolling does not say it.
    double x, y;
} shown = {.row = -1};

static const char style[] =
    "window .sidebar-heading { font-weight: bold; font-size: 85%; opacity: 0.55; padding: 14px 12px 4px 12px; }"
    "window .screen-title { font-weight: 800; font-size: 160%; }"
    "window .screen-text { opacity: 0.65; }"
    "window .screen-header { padding: 26px 36px 18px 36px; }";

void render_loop_highlights_views(bool is_on) {
    // Rerender's part for GTK looks for it.
    g_object_set_data(G_OBJECT(shown.canvas), "rerender-highlights-views", is_on ? shown.canvas : NULL);
}

bool render_loop_start(void) { return gtk_init_check(); }

static gboolean on_end(gpointer data) {
    (void)data;
    g_main_loop_quit(shown.loop);
    return G_SOURCE_CONTINUE;
}

static gboolean on_close(void) {
    g_main_loop_quit(shown.loop);
    // The program ends the window with itself.
    return true;
}

static GtkWidget *text_label(const char *class) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), true);
    gtk_widget_add_css_class(label, class);
    return label;
}

/// Puts the headings above their rows.
static void add_heading(GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
    (void)before;
    (void)data;
    const char *heading = g_object_get_data(G_OBJECT(row), "render-loop-heading");
    if (!heading || gtk_list_box_row_get_header(row)) return;
    GtkWidget *label = text_label("sidebar-heading");
    gtk_label_set_text(GTK_LABEL(label), heading);
    gtk_list_box_row_set_header(row, label);
}

static void on_row(GtkListBox *rows, GtkListBoxRow *row) {
    (void)rows;
    if (!row || gtk_list_box_row_get_index(row) == shown.row) return;
    shown.row = gtk_list_box_row_get_index(row);
    render_loop_told.chosen(render_loop_told.context, shown.row);
}

static void on_tap(GtkGestureClick *gesture, int count, double x, double y) {
    (void)gesture;
    (void)count;
    struct render_loop_input input = {.kind = RENDER_LOOP_TAP, .x = x, .y = y};
    render_loop_told.input(render_loop_told.context, &input);
}

static void on_motion(GtkEventControllerMotion *controller, double x, double y) {
    (void)controller;
    shown.x = x;
    shown.y = y;
}

static gboolean on_scroll(GtkEventControllerScroll *controller, double dx, double dy) {
    (void)controller;
    (void)dx;
    struct render_loop_input input = {.kind = RENDER_LOOP_SCROLL, .value = dy, .x = shown.x, .y = shown.y};
    render_loop_told.input(render_loop_told.context, &input);
    return true;
}

static GtkWidget *sidebar(void) {
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    shown.rows = gtk_list_box_new();
    gtk_widget_add_css_class(shown.rows, "navigation-sidebar");
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(shown.rows), GTK_SELECTION_BROWSE);
    gtk_list_box_set_header_func(GTK_LIST_BOX(shown.rows), add_heading, NULL, NULL);
    g_signal_connect(shown.rows, "row-selected", G_CALLBACK(on_row), NULL);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), shown.rows);
    gtk_widget_set_size_request(scrolled, 210, -1);
    shown.sidebar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_box_append(GTK_BOX(shown.sidebar), scrolled);
    gtk_box_append(GTK_BOX(shown.sidebar), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    gtk_widget_set_visible(shown.sidebar, false);
    return shown.sidebar;
}

/// Listens for clicks and scrolling where no widget takes them.
static void follow_input(GtkWidget *canvas) {
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_tap), NULL);
    gtk_widget_add_controller(canvas, GTK_EVENT_CONTROLLER(click));
    GtkEventController *motion = gtk_event_controller_motion_new();
    gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE);
    g_signal_connect(motion, "enter", G_CALLBACK(on_motion), NULL);
    g_signal_connect(motion, "motion", G_CALLBACK(on_motion), NULL);
    gtk_widget_add_controller(canvas, motion);
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL | GTK_EVENT_CONTROLLER_SCROLL_DISCRETE);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), NULL);
    gtk_widget_add_controller(canvas, scroll);
}

static GtkWidget *screen(void) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *header = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    shown.title = text_label("screen-title");
    shown.text = text_label("screen-text");
    gtk_box_append(GTK_BOX(header), shown.title);
    gtk_box_append(GTK_BOX(header), shown.text);
    gtk_widget_add_css_class(header, "screen-header");
    gtk_box_append(GTK_BOX(box), header);
    shown.canvas = render_loop_new_canvas();
    render_loop_canvas_tells(shown.canvas);
    gtk_widget_set_hexpand(shown.canvas, true);
    gtk_widget_set_vexpand(shown.canvas, true);
    gtk_widget_set_margin_start(shown.canvas, 36);
    gtk_widget_set_margin_end(shown.canvas, 36);
    gtk_widget_set_margin_bottom(shown.canvas, 24);
    gtk_box_append(GTK_BOX(box), shown.canvas);
    follow_input(shown.canvas);
    return box;
}

static void add_style(void) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, style, -1);
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}

void *render_loop_window(const char *title, int width, int height, const struct render_loop_host *host) {
    render_loop_told = *host;
    shown.loop = g_main_loop_new(NULL, false);
    shown.window = gtk_window_new();
    add_style();
    gtk_window_set_title(GTK_WINDOW(shown.window), title);
    gtk_window_set_default_size(GTK_WINDOW(shown.window), width, height);
    gtk_window_set_titlebar(GTK_WINDOW(shown.window), gtk_header_bar_new());
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_box_append(GTK_BOX(box), sidebar());
    gtk_box_append(GTK_BOX(box), screen());
    gtk_window_set_child(GTK_WINDOW(shown.window), box);
    g_signal_connect(shown.window, "close-request", G_CALLBACK(on_close), NULL);
    g_unix_signal_add(SIGINT, on_end, NULL);
    g_unix_signal_add(SIGTERM, on_end, NULL);
    return shown.window;
}

void render_loop_add_row(const char *heading, const char *title) {
    GtkWidget *row = gtk_list_box_row_new(), *label = gtk_label_new(title);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), label);
    gtk_widget_set_name(row, title);
    g_object_set_data_full(G_OBJECT(row), "render-loop-heading", g_strdup(heading), g_free);
    gtk_list_box_append(GTK_LIST_BOX(shown.rows), row);
    gtk_widget_set_visible(shown.sidebar, true);
}

void render_loop_choose(int row) {
    GtkListBox *rows = GTK_LIST_BOX(shown.rows);
    gtk_list_box_select_row(rows, gtk_list_box_get_row_at_index(rows, row));
}

void render_loop_describe(const char *title, const char *text) {
    gtk_label_set_text(GTK_LABEL(shown.title), title);
    gtk_label_set_text(GTK_LABEL(shown.text), text);
}

static GtkWidget *named(GtkWidget *widget, const char *name) {
    if (strcmp(gtk_widget_get_name(widget), name) == 0) return widget;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
         child = gtk_widget_get_next_sibling(child)) {
        found = named(child, name);
    }
    return found;
}

bool render_loop_bounds(const char *name, double bounds[4]) {
    graphene_rect_t rect;
    GtkWidget *widget = named(shown.window, name);
    if (!widget || gtk_widget_get_width(widget) == 0 || !gtk_widget_compute_bounds(widget, shown.window, &rect))
        return false;
    double left, top;
    gtk_native_get_surface_transform(GTK_NATIVE(shown.window), &left, &top);
    bounds[0] = (double)rect.origin.x + left;
    bounds[1] = (double)rect.origin.y + top;
    bounds[2] = (double)rect.size.width;
    bounds[3] = (double)rect.size.height;
    return true;
}

void *render_loop_canvas(void) { return shown.canvas; }

void render_loop_measure(const char *text, const struct render_loop_look *look, int *width, int *height) {
    // Of the canvas, so that it has the theme's font. Its own, because a layout is changed by it.
    PangoLayout *layout = gtk_widget_create_pango_layout(shown.canvas, text);
    PangoAttrList *attributes = render_loop_attributes(look);
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
    pango_layout_get_pixel_size(layout, width, height);
    g_object_unref(layout);
}

void render_loop_run(void) {
    gtk_window_present(GTK_WINDOW(shown.window));
    g_main_loop_run(shown.loop);
}

struct timed {
    GSource source;
    void (*fire)(void *context);
    void *context;
};

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    (void)callback;
    (void)data;
    struct timed *timed = (struct timed *)source;
    // First: it may be set again by what is called.
    g_source_set_ready_time(source, -1);
    timed->fire(timed->context);
    return G_SOURCE_CONTINUE;
}

int64_t render_loop_now(void) { return g_get_monotonic_time(); }

void *render_loop_source(bool is_before_drawing, void (*fire)(void *context), void *context) {
    static GSourceFuncs functions = {.dispatch = dispatch};
    GSource *source = g_source_new(&functions, sizeof(struct timed));
    struct timed *timed = (struct timed *)source;
    timed->fire = fire;
    timed->context = context;
    g_source_set_priority(source, is_before_drawing ? GDK_PRIORITY_REDRAW - 1 : G_PRIORITY_DEFAULT);
    g_source_attach(source, NULL);
    return source;
}

void render_loop_set_time(void *source, int64_t microseconds) { g_source_set_ready_time(source, microseconds); }

void render_loop_end_source(void *source) {
    g_source_destroy(source);
    g_source_unref(source);
}
#endif

// SPDX-License-Identifier: MIT
// A window of GTK 4 of a class that draws above it, as the injected part does.

#include "hud_host.h"

#ifdef RERENDER_GTK
#include "crerender_hud.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <glib-unix.h>
#include <gtk/gtk.h>
#pragma clang diagnostic pop

static struct {
    const struct hud_host_listener *listener;
    GMainLoop *loop;
    GtkWidget *window;
    uint64_t snapshots;
    /// A widget that draws again in this frame is marked in it, as the hook of its class would.
    GtkWidget *marked;
    uint64_t count;
    bool is_wasted;
    /// The widgets in it are marked in this frame, too.
    GtkWidget *crowd;
    bool is_crowd_marked;
    /// It asks for its widgets to be counted, as a program does that links the library: then their classes are hooked.
    bool is_linked;
    /// Where the lines come from.
    GIOChannel *input;
    /// Whether the program waits behind each frame, and the window's snapshots when it last waited.
    bool is_stepping;
    uint64_t stepped;
} host;

/// The next line of the input; null at its end.
static char *next_line(void) {
    char *line = NULL;
    gsize end = 0;
    if (g_io_channel_read_line(host.input, &line, NULL, &end, NULL) != G_IO_STATUS_NORMAL) return NULL;
    line[end] = 0;
    return line;
}

/// Has the display server show the frame, prints the frame's time, and waits until a line says how to go on.
static void on_painted(GdkFrameClock *clock) {
    if (!host.is_stepping || host.snapshots == host.stepped) return;
    host.stepped = host.snapshots;
    gdk_display_sync(gdk_display_get_default());
    g_print("drawn %" G_GINT64_FORMAT "\n", gdk_frame_clock_get_frame_time(clock));
    char *line = next_line();
    host.is_stepping = g_strcmp0(line, "next") == 0;
    if (!host.is_stepping) g_print("done\n");
    g_free(line);
}

void hud_host_step(void) {
    host.is_stepping = true;
    host.stepped = host.snapshots;
}

static gboolean on_shown(gpointer window) {
    g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(on_painted), NULL);
    host.listener->ready(window);
    return G_SOURCE_REMOVE;
}

static void mark_crowd(void) {
    host.is_crowd_marked = false;
    GtkWidget *widget = gtk_widget_get_first_child(host.crowd);
    for (; widget; widget = gtk_widget_get_next_sibling(widget)) crerender_highlight(widget, 1, false);
}

static void snapshot_window(GtkWidget *window, GtkSnapshot *snapshot) {
    if (host.snapshots++ == 0) g_idle_add(on_shown, window);
    GTK_WIDGET_CLASS(g_type_class_peek(GTK_TYPE_WINDOW))->snapshot(window, snapshot);
    if (host.marked) crerender_highlight(host.marked, host.count, host.is_wasted);
    host.marked = NULL;
    if (host.is_crowd_marked) mark_crowd();
    if (!host.is_linked) crerender_overlay_snapshot(window, snapshot);
}

static void init_class(gpointer class, gpointer data) {
    (void)data;
    GTK_WIDGET_CLASS(class)->snapshot = snapshot_window;
}

static GtkWidget *new_window(void) {
    host.is_linked = g_getenv("HUD_HOST_LINKED") != NULL;
    GType type = g_type_register_static_simple(GTK_TYPE_WINDOW, "HostWindow", sizeof(GtkWindowClass), init_class,
                                               sizeof(GtkWindow), NULL, 0);
    return g_object_new(type, NULL);
}

void hud_host_redraw_window(void) { gtk_widget_queue_draw(host.window); }

static void say(const char *what, const char *name) { g_print("%s %s\n", what, name); }

static void on_clicked(GtkButton *button) { say("clicked", gtk_widget_get_name(GTK_WIDGET(button))); }

static gboolean on_scroll(void) {
    say("scrolled", "beneath");
    return false;
}

static void on_text(GtkEditable *entry) { say("text", gtk_editable_get_text(entry)); }

static const char *focus(void) {
    GtkWidget *widget = gtk_window_get_focus(GTK_WINDOW(host.window));
    // The focus is in the entry's text.
    return widget ? gtk_widget_get_name(GTK_IS_TEXT(widget) ? gtk_widget_get_parent(widget) : widget) : "nothing";
}

static void on_focus(void) { say("focus", focus()); }

static GtkWidget *button(const char *name) {
    GtkWidget *button = gtk_button_new();
    gtk_widget_set_name(button, name);
    gtk_widget_set_can_focus(button, false);
    g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), NULL);
    return button;
}

static GtkWidget *content(void) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *entry = gtk_entry_new(), *beneath = button("beneath"), *target = button("target");
    GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    gtk_widget_set_name(entry, "entry");
    g_signal_connect(entry, "changed", G_CALLBACK(on_text), NULL);
    gtk_widget_set_vexpand(beneath, true);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), NULL);
    gtk_widget_add_controller(beneath, scroll);
    gtk_widget_set_size_request(target, 120, 40);
    gtk_widget_set_halign(target, GTK_ALIGN_START);
    gtk_box_append(GTK_BOX(box), entry);
    gtk_box_append(GTK_BOX(box), beneath);
    gtk_box_append(GTK_BOX(box), target);
    return box;
}

static const char *css =
    "window { background: #ffffff; } entry { background: #eeeeee; color: #000; caret-color: #eee; }"
    "button { background: #ffffff; border: none; box-shadow: none; outline: none; padding: 0; margin: 0;"
    " border-radius: 0; transition: none; }";

static void style(void) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, css, -1);
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_USER);
    g_object_unref(provider);
    g_object_set(gtk_settings_get_default(), "gtk-cursor-blink", FALSE, "gtk-enable-animations", FALSE, NULL);
}

static gboolean on_line(GIOChannel *channel, GIOCondition condition, gpointer data) {
    (void)channel, (void)condition, (void)data;
    char *line = next_line();
    if (!line) {
        hud_host_quit();
        return G_SOURCE_REMOVE;
    }
    host.listener->line(line);
    g_free(line);
    return G_SOURCE_CONTINUE;
}

static void make_window(void) {
    host.window = new_window();
    gtk_widget_set_name(host.window, "window");
    gtk_window_set_title(GTK_WINDOW(host.window), "HUD host");
    gtk_window_set_default_size(GTK_WINDOW(host.window), 700, 500);
    gtk_window_set_decorated(GTK_WINDOW(host.window), g_getenv("HUD_HOST_DECORATED") != NULL);
    if (g_getenv("HUD_HOST_HEADER")) gtk_window_set_titlebar(GTK_WINDOW(host.window), gtk_header_bar_new());
    gtk_window_set_child(GTK_WINDOW(host.window), content());
    g_signal_connect(host.window, "notify::focus-widget", G_CALLBACK(on_focus), NULL);
    g_signal_connect_swapped(host.window, "destroy", G_CALLBACK(hud_host_quit), NULL);
}

int hud_host_run(const struct hud_host_listener *listener) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!gtk_init_check()) return -1;
    host.listener = listener;
    host.loop = g_main_loop_new(NULL, false);
    style();
    make_window();
    host.input = g_io_channel_unix_new(0);
    // One line for each look: none may wait in a buffer while nobody looks.
    g_io_add_watch(host.input, G_IO_IN | G_IO_HUP, on_line, NULL);
    gtk_window_present(GTK_WINDOW(host.window));
    g_main_loop_run(host.loop);
    return 0;
}

void hud_host_quit(void) { g_main_loop_quit(host.loop); }

static GtkWidget *found(GtkWidget *widget, const char *name) {
    if (g_strcmp0(gtk_widget_get_name(widget), name) == 0) return widget;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
        GtkWidget *result = found(child, name);
        if (result) return result;
    }
    return NULL;
}

void *hud_host_widget(const char *name) { return found(host.window, name); }

uint64_t hud_host_snapshots(void) { return host.snapshots; }

void hud_host_redraw(const char *name, uint64_t count, int is_wasted) {
    host.marked = found(host.window, name);
    host.count = count;
    host.is_wasted = is_wasted;
    if (host.marked) gtk_widget_queue_draw(host.marked);
}

void hud_host_crowd(int count) {
    const int columns = 25;
    GtkWidget *box = gtk_window_get_child(GTK_WINDOW(host.window));
    host.crowd = gtk_grid_new();
    for (int index = 0; index < count; index++) {
        GtkWidget *widget = gtk_drawing_area_new();
        char name[32];
        g_snprintf(name, sizeof name, "crowd%d", index);
        gtk_widget_set_name(widget, name);
        gtk_widget_set_size_request(widget, 10, 10);
        gtk_grid_attach(GTK_GRID(host.crowd), widget, index % columns, index / columns, 1, 1);
    }
    gtk_box_append(GTK_BOX(box), host.crowd);
}

void hud_host_redraw_crowd(void) {
    host.is_crowd_marked = host.crowd != NULL;
    gtk_widget_queue_draw(host.window);
}

void hud_host_print_bounds(const char *name) {
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, 0, 0);
    double x = 0, y = 0;
    GtkWidget *widget = found(host.window, name);
    if (widget && !gtk_widget_compute_bounds(widget, host.window, &bounds)) g_print("no ");
    gtk_native_get_surface_transform(GTK_NATIVE(host.window), &x, &y);
    g_print("bounds %s %g %g %g %g\n", name, bounds.origin.x + x, bounds.origin.y + y, bounds.size.width,
            bounds.size.height);
}

void hud_host_print_window(void) {
    GListModel *controllers = gtk_widget_observe_controllers(host.window);
    double x = 0, y = 0;
    gtk_native_get_surface_transform(GTK_NATIVE(host.window), &x, &y);
    GskRenderer *renderer = gtk_native_get_renderer(GTK_NATIVE(host.window));
    g_print("window %d %d %s %u %g %g %s\n", gtk_widget_get_width(host.window), gtk_widget_get_height(host.window),
            focus(), g_list_model_get_n_items(controllers), x, y, G_OBJECT_TYPE_NAME(renderer));
    g_object_unref(controllers);
}

static unsigned shown_popovers(GtkWidget *widget) {
    unsigned count = GTK_IS_POPOVER(widget) && gtk_widget_get_mapped(widget);
    GtkWidget *child = gtk_widget_get_first_child(widget);
    for (; child; child = gtk_widget_get_next_sibling(child)) count += shown_popovers(child);
    return count;
}

void hud_host_print_popovers(void) {
    // So that the display server has it, too.
    gdk_display_sync(gdk_display_get_default());
    g_print("popovers %u\n", shown_popovers(host.window));
}

void hud_host_resize(int width, int height) { gtk_window_set_default_size(GTK_WINDOW(host.window), width, height); }

void hud_host_show_modal(void) {
    GtkWidget *modal = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(modal), false);
    gtk_window_set_default_size(GTK_WINDOW(modal), 120, 60);
    gtk_window_set_transient_for(GTK_WINDOW(modal), GTK_WINDOW(host.window));
    gtk_window_set_modal(GTK_WINDOW(modal), true);
    gtk_window_set_child(GTK_WINDOW(modal), button("modal"));
    gtk_window_present(GTK_WINDOW(modal));
}

void hud_host_destroy(const char *name) {
    GtkWidget *widget = found(host.window, name);
    if (widget == host.window) {
        gtk_window_destroy(GTK_WINDOW(widget));
    } else if (widget) {
        gtk_box_remove(GTK_BOX(gtk_widget_get_parent(widget)), widget);
    }
}
#else
int hud_host_run(const struct hud_host_listener *listener) { return (void)listener, -1; }
void hud_host_quit(void) {}
void *hud_host_widget(const char *name) { return (void)name, (void *)0; }
uint64_t hud_host_snapshots(void) { return 0; }
void hud_host_redraw(const char *name, uint64_t count, int is_wasted) { (void)name, (void)count, (void)is_wasted; }
void hud_host_crowd(int count) { (void)count; }
void hud_host_redraw_crowd(void) {}
void hud_host_print_bounds(const char *name) { (void)name; }
void hud_host_print_window(void) {}
void hud_host_print_popovers(void) {}
void hud_host_redraw_window(void) {}
void hud_host_step(void) {}
void hud_host_resize(int width, int height) { (void)width, (void)height; }
void hud_host_show_modal(void) {}
void hud_host_destroy(const char *name) { (void)name; }
#endif

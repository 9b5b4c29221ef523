// SPDX-License-Identifier: MIT
// A chart of GTK 4 in C++, optimised, with debug information: functions in a namespace, inlined ones, and a lambda. Comments as in clock.c.
//
// Each function does something after the call that is to be named: a call that is the last thing leaves no frame of the function behind.

#include <gtk/gtk.h>
#include <string>

namespace chart {

enum { LIFE = 4500, GROW = 55, LOAD = 1000, LOADING = 400000 };

GtkWidget *added(GtkWidget *box, GtkWidget *widget, const char *name) {
    gtk_widget_set_name(widget, name);
    gtk_box_append(GTK_BOX(box), widget);
    return widget;
}

struct Plot {
    GtkWidget *area, *label;
    unsigned points, drawn;

    void refresh() {
        gtk_widget_queue_draw(area); // names: writer GtkDrawingArea#plot queue_draw -> chart::Plot::refresh()
        drawn++;
    }

    void publish() {
        auto *at = GTK_LABEL(label);
        std::string text = std::to_string(points);
        gtk_label_set_text(at, text.c_str()); // names: writer GtkLabel#total property label -> chart::Plot::publish()
        drawn++;
    }

    gboolean grow();
};

Plot plot;

void draw(GtkDrawingArea *, cairo_t *cairo, int width, int height, gpointer) {
    cairo_rectangle(cairo, plot.points % 100, 0, width / 10.0, height);
    cairo_fill(cairo);
}

gboolean settle(gpointer self) { // names: source idle function -> chart::settle()
    static_cast<Plot *>(self)->refresh();
    return G_SOURCE_REMOVE;
}

gboolean Plot::grow() {
    points++;
    publish();
    g_idle_add(settle, this);
    return G_SOURCE_CONTINUE;
}

gboolean load(gpointer self) {
    g_usleep(LOADING); // names: hang -> chart::load()
    static_cast<Plot *>(self)->points++;
    return G_SOURCE_CONTINUE;
}

gboolean end(gpointer loop) {
    g_main_loop_quit(static_cast<GMainLoop *>(loop));
    return G_SOURCE_REMOVE;
}

} // namespace chart

int main() {
    using namespace chart;
    gtk_init();
    GMainLoop *loop = g_main_loop_new(nullptr, FALSE);
    GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_window_set_child(GTK_WINDOW(window), box);
    plot.area = added(box, gtk_drawing_area_new(), "plot");
    plot.label = added(box, gtk_label_new("0"), "total");
    gtk_widget_set_size_request(plot.area, 100, 50);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(plot.area), draw, nullptr, nullptr);
    gtk_window_present(GTK_WINDOW(window));
    gboolean (*grow)(gpointer);
    grow = [](gpointer self) { return static_cast<Plot *>(self)->grow(); }; // names: source timer 55 ms -> lambda
    g_timeout_add(GROW, grow, &plot);
    g_timeout_add(LOAD, load, &plot);
    g_timeout_add(LIFE, end, loop);
    g_main_loop_run(loop);
    return 0;
}

// SPDX-License-Identifier: MIT
// A program of GTK 4 that goes on by itself, or does not. It knows nothing of Rerender.
//
// idle WHAT: shows a window, says "shown", and goes on until its input ends:
//
//   nothing   has a label and does nothing
//   spinner   has a GtkSpinner that spins
//   clock     writes a label every 50 ms, in a timer's callback, by a function of its own
//   idle      writes a label again and again in an idle function, 20 ms after it was drawn
//   tick      has a widget that is drawn again by a tick callback
//   pointer   has a label that is written whenever the pointer moves

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

static GtkWidget *window, *content;
static unsigned count;

static void show_count(void) {
    char text[32];
    snprintf(text, sizeof text, "%03u", ++count % 1000);
    gtk_label_set_text(GTK_LABEL(content), text);
}

static gboolean update_clock(gpointer context) {
    (void)context;
    show_count();
    return G_SOURCE_CONTINUE;
}

static gboolean work(gpointer context) {
    (void)context;
    gtk_label_set_text(GTK_LABEL(content), ++count % 2 ? "even" : "odd");
    g_usleep(20000);
    return G_SOURCE_CONTINUE;
}

static gboolean ticked(GtkWidget *widget, GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    gtk_widget_queue_draw(widget);
    return G_SOURCE_CONTINUE;
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer context) {
    (void)area, (void)context;
    cairo_set_source_rgb(cairo, (double)(++count % 100) / 100, 0, 0);
    cairo_rectangle(cairo, 0, 0, width, height);
    cairo_fill(cairo);
}

static void moved(GtkEventControllerMotion *controller, double x, double y, gpointer context) {
    (void)controller, (void)x, (void)y, (void)context;
    show_count();
}

static void make_content(const char *what) {
    if (strcmp(what, "spinner") == 0) {
        content = gtk_spinner_new();
        gtk_spinner_start(GTK_SPINNER(content));
        return;
    }
    if (strcmp(what, "tick") == 0) {
        content = gtk_drawing_area_new();
        gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(content), draw, NULL, NULL);
        gtk_widget_add_tick_callback(content, ticked, NULL, NULL);
        return;
    }
    content = gtk_label_new("000");
    if (strcmp(what, "clock") == 0) g_timeout_add(50, update_clock, NULL);
    if (strcmp(what, "idle") == 0) g_idle_add_full(G_PRIORITY_LOW, work, NULL, NULL);
    if (strcmp(what, "pointer") == 0) {
        GtkEventController *controller = gtk_event_controller_motion_new();
        g_signal_connect(controller, "motion", (GCallback)moved, NULL);
        gtk_widget_add_controller(window, controller);
    }
}

static gboolean input_ended(GIOChannel *channel, GIOCondition condition, gpointer context) {
    (void)channel, (void)condition;
    *(gboolean *)context = TRUE;
    return G_SOURCE_REMOVE;
}

int main(int arguments_count, char **arguments) {
    gboolean has_ended = FALSE;
    gtk_init();
    window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    make_content(arguments_count > 1 ? arguments[1] : "nothing");
    gtk_window_set_child(GTK_WINDOW(window), content);
    gtk_window_present(GTK_WINDOW(window));
    while (!gtk_widget_get_mapped(content)) g_main_context_iteration(NULL, TRUE);
    GIOChannel *input = g_io_channel_unix_new(0);
    g_io_add_watch(input, G_IO_IN | G_IO_HUP, input_ended, &has_ended);
    puts("shown");
    fflush(stdout);
    while (!has_ended) g_main_context_iteration(NULL, TRUE);
    g_io_channel_unref(input);
    return 0;
}

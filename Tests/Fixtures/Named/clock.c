// SPDX-License-Identifier: MIT
// A clock of GTK 4 in C, with debug information. It ends by itself.
//
// A comment "names: WHAT -> NAME" is in the line that is the place of what Rerender has to name NAME, and NamedLabel.swift reads it. Of changes
// and hangs that is the line of the call; of timers, idle functions and handlers it is the first line of the function.

#include <gtk/gtk.h>

enum { LIFE = 4500, TICK = 40, PRESS = 900, WRITING = 400000 };

static GMainLoop *loop;
static GtkWidget *clock_label, *state_label, *button;
static unsigned ticks;

static GtkWidget *added(GtkWidget *box, GtkWidget *widget, const char *name) {
    gtk_widget_set_name(widget, name);
    gtk_box_append(GTK_BOX(box), widget);
    return widget;
}

static void update_clock(void) {
    char text[32];
    g_snprintf(text, sizeof text, "%02u:%02u", ticks / 60, ticks % 60);
    gtk_label_set_text(GTK_LABEL(clock_label), text); // names: writer GtkLabel#clock property label -> update_clock()
}

static gboolean tick(gpointer context) { // names: source timer 40 ms -> tick()
    (void)context;
    ticks++;
    update_clock();
    return G_SOURCE_CONTINUE;
}

/// For `notify::label` of the clock.
static void on_changed(GObject *object, GParamSpec *property, gpointer context) {
    (void)object, (void)property, (void)context;
    const char *odd[] = {"error", NULL}, *even[] = {"success", NULL}, **names = ticks % 2 ? odd : even;
    gtk_widget_set_css_classes(state_label, names); // names: writer GtkLabel#state CSS class -> on_changed()
}

static void write_file(void) {
    g_usleep(WRITING); // names: hang -> write_file()
}

static void on_save(GtkButton *pressed, gpointer context) { // names: handler GtkButton#save: clicked -> on_save()
    (void)pressed, (void)context;
    write_file();
}

static gboolean press(gpointer context) {
    (void)context;
    gtk_widget_activate(button);
    return G_SOURCE_CONTINUE;
}

static gboolean end(gpointer context) {
    (void)context;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(void) {
    gtk_init();
    loop = g_main_loop_new(NULL, FALSE);
    GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_window_set_child(GTK_WINDOW(window), box);
    clock_label = added(box, gtk_label_new("00:00"), "clock");
    state_label = added(box, gtk_label_new("runs"), "state");
    button = added(box, gtk_button_new_with_label("Save"), "save");
    g_signal_connect(clock_label, "notify::label", G_CALLBACK(on_changed), NULL);
    g_signal_connect(button, "clicked", G_CALLBACK(on_save), NULL);
    gtk_window_present(GTK_WINDOW(window));
    g_timeout_add(TICK, tick, NULL);
    g_timeout_add(PRESS, press, NULL);
    g_timeout_add(LIFE, end, NULL);
    g_main_loop_run(loop);
    return 0;
}

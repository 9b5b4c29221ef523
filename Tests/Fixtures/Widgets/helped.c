// SPDX-License-Identifier: MIT
// A program whose timer writes a label through a library of its own, and that library. Neither knows anything of Rerender.
//
//   -DLIBRARY  the library

#include <gtk/gtk.h>

void helper_set_number(GtkWidget *label, unsigned number);

#ifdef LIBRARY
void helper_set_number(GtkWidget *label, unsigned number) {
    char text[16];
    g_snprintf(text, sizeof text, "%u", number);
    gtk_label_set_text(GTK_LABEL(label), text); // place: helper_set_number
}
#else
static GMainLoop *loop;
static GtkWidget *label;

static gboolean on_timer(gpointer data) {
    static unsigned count;
    (void)data;
    helper_set_number(label, ++count); // place: on_timer
    if (count < 20) return G_SOURCE_CONTINUE;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(void) {
    gtk_init();
    loop = g_main_loop_new(NULL, FALSE);
    GtkWidget *window = gtk_window_new();
    label = gtk_label_new("0");
    gtk_widget_set_name(label, "number");
    gtk_window_set_child(GTK_WINDOW(window), label);
    gtk_window_present(GTK_WINDOW(window));
    g_timeout_add(100, on_timer, NULL);
    g_main_loop_run(loop);
    return 0;
}
#endif

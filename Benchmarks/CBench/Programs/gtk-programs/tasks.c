// SPDX-License-Identifier: MIT
// A list of tasks: a program of GTK 4 as people write them, which knows nothing of Rerender. Scripts/watch-cycles uses it.
#include <gtk/gtk.h>

/// More tasks than these push the oldest out, as nobody ever ends the program's use.
enum { MOST_TASKS = 40 };

static GtkWidget *list, *entry, *progress, *clock_label;
static int number;

static void delete_task(GtkButton *button, GtkWidget *row) {
    (void)button;
    gtk_list_box_remove(GTK_LIST_BOX(list), row);
}

static GtkWidget *task_row(const char *title) {
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *button = gtk_button_new_from_icon_name("edit-delete-symbolic");
    gtk_box_append(GTK_BOX(content), gtk_check_button_new_with_label(title));
    gtk_box_append(GTK_BOX(content), button);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), content);
    g_signal_connect(button, "clicked", G_CALLBACK(delete_task), row);
    return row;
}

static void add_task(void) {
    char *title = g_strdup_printf("%s %d", gtk_editable_get_text(GTK_EDITABLE(entry)), number++);
    gtk_list_box_append(GTK_LIST_BOX(list), task_row(title));
    g_free(title);
    gtk_editable_set_text(GTK_EDITABLE(entry), "");
    GtkListBoxRow *oldest = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), 0);
    if (gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), MOST_TASKS))
        gtk_list_box_remove(GTK_LIST_BOX(list), GTK_WIDGET(oldest));
}

static gboolean show_time(gpointer unused) {
    (void)unused;
    GDateTime *now = g_date_time_new_now_local();
    char *text = g_date_time_format(now, "%T");
    gtk_label_set_text(GTK_LABEL(clock_label), text);
    gtk_progress_bar_pulse(GTK_PROGRESS_BAR(progress));
    g_free(text);
    g_date_time_unref(now);
    return G_SOURCE_CONTINUE;
}

static void activate(GtkApplication *application) {
    GtkWidget *window = gtk_application_window_new(application);
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    GtkWidget *button = gtk_button_new_with_label("Add");
    entry = gtk_entry_new();
    list = gtk_list_box_new();
    progress = gtk_progress_bar_new();
    clock_label = gtk_label_new("");
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    GtkWidget *parts[] = {entry, button, scrolled, progress, clock_label};
    for (unsigned part = 0; part < G_N_ELEMENTS(parts); part++) gtk_box_append(GTK_BOX(content), parts[part]);
    g_signal_connect(button, "clicked", G_CALLBACK(add_task), NULL);
    g_signal_connect(entry, "activate", G_CALLBACK(add_task), NULL);
    for (int task = 0; task < 3; task++) add_task();
    g_timeout_add(1000, show_time, NULL);
    gtk_window_set_child(GTK_WINDOW(window), content);
    gtk_window_set_default_size(GTK_WINDOW(window), 900, 700);
    gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **arguments) {
    GtkApplication *application = gtk_application_new("org.example.Tasks", G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
    return g_application_run(G_APPLICATION(application), count, arguments);
}

// SPDX-License-Identifier: MIT
// A window of 200 widgets that is idle, to measure how often watching it wakes it.
//
//   widgets idle S     does nothing for S seconds, and prints how often a thread of it was switched to
#include <dirent.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDGETS = 200, COLUMNS = 10, SETTLING_SECONDS = 4 };

/// How often a thread was switched to by a time: whoever is woken is.
struct switches {
    char thread[16];
    unsigned long number;
};
enum { MOST_THREADS = 256 };

/// The switches of all threads so far; returns how many threads there are.
static int read_switches(struct switches *all) {
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && count < MOST_THREADS && (thread = readdir(threads));) {
        char path[300], line[200];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", thread->d_name);
        FILE *status = fopen(path, "r");
        if (!status) continue;
        snprintf(all[count].thread, sizeof all[count].thread, "%.15s", thread->d_name);
        while (fgets(line, sizeof line, status))
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &all[count].number) == 1) {
                count++;
                break;
            }
        fclose(status);
    }
    if (threads) closedir(threads);
    return count;
}

/// The switches between two times, without those of threads that have ended.
static unsigned long difference(const struct switches *before, int count, const struct switches *after, int later) {
    unsigned long sum = 0;
    for (int thread = 0; thread < later; thread++) {
        sum += after[thread].number;
        for (int known = 0; known < count; known++)
            if (strcmp(before[known].thread, after[thread].thread) == 0) sum -= before[known].number;
    }
    return sum;
}

static gboolean end_wait(gpointer is_over) {
    *(gboolean *)is_over = TRUE;
    return G_SOURCE_REMOVE;
}

static void idle(unsigned seconds) {
    gboolean is_over = FALSE;
    g_timeout_add_seconds(seconds, end_wait, &is_over);
    while (!is_over) g_main_context_iteration(NULL, TRUE);
}

int main(int argument_count, char **arguments) {
    gboolean is_known = argument_count == 3 && strcmp(arguments[1], "idle") == 0;
    unsigned number = is_known ? (unsigned)strtoul(arguments[2], NULL, 10) : 0;
    if (number == 0) return 64;
    gtk_init();
    GtkWidget *window = gtk_window_new(), *grid = gtk_grid_new();
    for (int index = 0; index < WIDGETS; index++) {
        char text[32];
        snprintf(text, sizeof text, "Item %d", index);
        GtkWidget *widget = index % 3 == 0   ? gtk_button_new_with_label(text)
                            : index % 3 == 1 ? gtk_label_new(text)
                                             : gtk_check_button_new_with_label(text);
        gtk_grid_attach(GTK_GRID(grid), widget, index % COLUMNS, index / COLUMNS, 1, 1);
    }
    gtk_window_set_child(GTK_WINDOW(window), grid);
    gtk_window_present(GTK_WINDOW(window));
    idle(SETTLING_SECONDS);
    static struct switches before[MOST_THREADS], after[MOST_THREADS];
    int count = read_switches(before);
    idle(number);
    printf("%lu\n", difference(before, count, after, read_switches(after)));
    return 0;
}

// SPDX-License-Identifier: MIT
// A window of 200 widgets, to measure what watching them costs.
//
//   widgets frames N   draws all widgets again in N frames, and prints the processor time of one in nanoseconds
//   widgets idle S     does nothing for S seconds, and prints how often a thread of it was switched to
#include <dirent.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDGETS = 200, COLUMNS = 10, SETTLING_FRAMES = 5, SETTLING_SECONDS = 4 };

static unsigned painted;

static void paint(GdkFrameClock *clock, gpointer data) {
    (void)clock, (void)data;
    painted++;
}

static void draw_all(GtkWidget *widget) {
    gtk_widget_queue_draw(widget);
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
        draw_all(child);
    }
}

static void draw_frame(GtkWidget *window) {
    unsigned before = painted;
    draw_all(window);
    while (painted == before) g_main_context_iteration(NULL, TRUE);
}

static double processor_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void draw_frames(GtkWidget *window, unsigned frames) {
    for (unsigned frame = 0; frame < SETTLING_FRAMES; frame++) draw_frame(window);
    double began = processor_nanoseconds();
    for (unsigned frame = 0; frame < frames; frame++) draw_frame(window);
    printf("%.0f\n", (processor_nanoseconds() - began) / frames);
}

/// Context switches of all threads so far: whoever is woken is switched to.
static unsigned long switches(void) {
    unsigned long sum = 0, number;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        char path[300], line[200];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", thread->d_name);
        FILE *status = fopen(path, "r");
        if (!status) continue;
        while (fgets(line, sizeof line, status)) {
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &number) == 1) sum += number;
        }
        fclose(status);
    }
    if (threads) closedir(threads);
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

int main(int count, char **arguments) {
    unsigned number = count == 3 ? (unsigned)strtoul(arguments[2], NULL, 10) : 0;
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
    gtk_widget_realize(window);
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    g_signal_connect(gdk_surface_get_frame_clock(surface), "paint", G_CALLBACK(paint), NULL);
    gtk_window_present(GTK_WINDOW(window));
    if (strcmp(arguments[1], "idle") == 0) {
        idle(SETTLING_SECONDS);
        unsigned long before = switches();
        idle(number);
        printf("%lu\n", switches() - before);
    } else {
        draw_frames(window, number);
    }
    return 0;
}

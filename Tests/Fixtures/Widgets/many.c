// SPDX-License-Identifier: MIT
// A window with thousands of widgets that all draw again in each frame. It knows nothing of Rerender.
//
// many WIDGETS FRAMES...: draws so many frames, and prints at each of these numbers, in kilobytes, the memory that is the process's alone
// ("memory20"), and what is allocated of it ("heap20").

#include <gtk/gtk.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    GtkWidget parent;
} Cell;
typedef struct {
    GtkWidgetClass parent_class;
} CellClass;
static GType cell_get_type(void);
G_DEFINE_TYPE(Cell, cell, GTK_TYPE_WIDGET)

static unsigned long snapshots;

static void cell_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    GdkRGBA color = {(float)(snapshots++ % 251) / 251, 0.5f, 0.5f, 1};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &color, &bounds);
}

static void cell_class_init(CellClass *class) { ((GtkWidgetClass *)class)->snapshot = cell_snapshot; }
static void cell_init(Cell *cell) { (void)cell; }

// MARK: Drawing

static GtkWidget **cells;
static unsigned long count;

static void draw_frame(void) {
    unsigned long before = snapshots;
    for (unsigned long index = 0; index < count; index++) gtk_widget_queue_draw(cells[index]);
    while (snapshots < before + count) g_main_context_iteration(NULL, TRUE);
}

/// What /proc tells of the memory that no other process has, and of what is in the swap.
static unsigned long memory(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    unsigned long sum = 0, part;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Private_Dirty: %lu", &part) == 1 || sscanf(line, "Swap: %lu", &part) == 1) sum += part;
    if (file) fclose(file);
    return sum;
}

/// What all threads have allocated and not freed.
static unsigned long heap(void) {
    struct mallinfo2 info = mallinfo2();
    return (info.uordblks + info.hblkhd) / 1024;
}

int main(int arguments_count, char **arguments) {
    gtk_init();
    count = strtoul(arguments[1], NULL, 10);
    cells = g_new(GtkWidget *, count);
    GtkWidget *window = gtk_window_new(), *grid = gtk_grid_new();
    for (unsigned long index = 0; index < count; index++) {
        cells[index] = g_object_new(cell_get_type(), NULL);
        gtk_widget_set_size_request(cells[index], 8, 8);
        gtk_grid_attach(GTK_GRID(grid), cells[index], (int)(index % 125), (int)(index / 125), 1, 1);
    }
    gtk_window_set_child(GTK_WINDOW(window), grid);
    gtk_window_present(GTK_WINDOW(window));
    unsigned long frames = 0;
    for (int argument = 2; argument < arguments_count; argument++) {
        while (frames < strtoul(arguments[argument], NULL, 10)) {
            draw_frame();
            frames++;
        }
        printf("memory%s\t%lu\n", arguments[argument], memory());
        printf("heap%s\t%lu\n", arguments[argument], heap());
    }
    printf("Cell\t%lu\n", snapshots);
    gtk_window_destroy(GTK_WINDOW(window));
    return 0;
}

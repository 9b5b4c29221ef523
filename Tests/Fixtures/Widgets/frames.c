// SPDX-License-Identifier: MIT
// A program of GTK 4 that counts its own frames and takes long on purpose. It knows nothing of Rerender.
//
// frames STEP=MILLISECONDS...: shows a window, does each step, in which one function is busy for so long, and prints at the end how
// many times its frame clock painted. With "stay" as the last step it goes on until its input ends.
//
//   draw=0       draws a frame for each of five times, and is busy in none of them
//   snapshot=N   the snapshot of Slow, three times
//   measure=N    its measure, in a layout, once
//   allocate=N    its size_allocate, once
//   tick=N       a callback of the frame clock, three times
//   handler=N    a handler of the button's clicked, by a click of the pointer
//   jump=0       leaves Slow's measure by a jump, three times
//   drop=0       leaves Slow's snapshot by a jump, three times: it goes on outside of every snapshot
//   catch=0      the same within the snapshot of Slow's box, which goes on
//   retry=0      the same, and the box draws Slow again from a function that lies deeper, into another snapshot
//   fork=N       forks N children one after the other, with a frame between two; each ends by exit. Prints how many ended well

#include <gtk/gtk.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned paints, clicks, slow_snapshots, slow_measures;
/// How often one of Slow's functions took a fifth of a frame that it was not told to take: the machine was busy.
static unsigned stretches;
static int snapshot_busy, measure_busy, allocate_busy, tick_busy, handler_busy;

/// Where what is left by a jump goes on, and whether it is.
static jmp_buf outside;
static gboolean is_leaving, is_catching, is_retrying;

static void be_busy(int milliseconds) {
    gint64 end = g_get_monotonic_time() + milliseconds * 1000;
    while (g_get_monotonic_time() < end) {
    }
}

/// Is busy, as what began at `start` was told to be.
static void be_slow(gint64 start, int milliseconds) {
    be_busy(milliseconds);
    if (milliseconds == 0 && g_get_monotonic_time() - start > 3000) stretches++;
}

// MARK: A widget

typedef struct {
    GtkWidget parent;
} Slow;
typedef struct {
    GtkWidgetClass parent_class;
} SlowClass;
static GType slow_get_type(void);
G_DEFINE_TYPE(Slow, slow, GTK_TYPE_WIDGET)

static void slow_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    gint64 start = g_get_monotonic_time();
    GdkRGBA color = {(float)(slow_snapshots % 100) / 100, 0.5f, 0.5f, 1};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &color, &bounds);
    be_slow(start, snapshot_busy);
    slow_snapshots++;
    if (is_leaving) longjmp(outside, 1);
}

static void slow_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline) {
    gint64 start = g_get_monotonic_time();
    (void)widget, (void)orientation, (void)for_size;
    *minimum = *natural = 100;
    *minimum_baseline = *natural_baseline = -1;
    if (is_leaving) longjmp(outside, 1);
    be_slow(start, measure_busy);
    measure_busy = 0;
    slow_measures++;
}

static void slow_allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)widget, (void)width, (void)height, (void)baseline;
    be_slow(g_get_monotonic_time(), allocate_busy);
    allocate_busy = 0;
}

static void slow_class_init(SlowClass *class) {
    ((GtkWidgetClass *)class)->snapshot = slow_snapshot;
    ((GtkWidgetClass *)class)->measure = slow_measure;
    ((GtkWidgetClass *)class)->size_allocate = slow_allocate;
}
static void slow_init(Slow *slow) { (void)slow; }

// MARK: Steps

static GtkWidget *window, *catcher, *slow, *button;

static void run_until(const unsigned *count, unsigned value) {
    while (*count < value) g_main_context_iteration(NULL, TRUE);
}

/// Has Slow drawn again, and waits until the frame is over.
static void draw(void) {
    unsigned snapshots = slow_snapshots + 1, frames = paints + 1;
    gtk_widget_queue_draw(slow);
    run_until(&slow_snapshots, snapshots);
    run_until(&paints, frames);
}

/// Writes over what calls that have ended left on the stack.
static void overwrite(int depth) {
    volatile char bytes[4096];
    memset((void *)bytes, 0x41, sizeof bytes);
    if (depth > 0) overwrite(depth - 1);
}

/// Has Slow drawn into a snapshot that nobody finishes, and leaves that by a jump.
static void drop_snapshot(void) {
    GtkSnapshot *unfinished = gtk_snapshot_new();
    gtk_widget_queue_draw(slow);
    is_leaving = TRUE;
    if (setjmp(outside) == 0) gtk_widget_snapshot_child(catcher, slow, unfinished);
    is_leaving = FALSE;
    overwrite(40);
}

// A box that catches what its children leave.
typedef struct {
    GtkBox parent;
} Catcher;
typedef struct {
    GtkBoxClass parent_class;
} CatcherClass;
static GType catcher_get_type(void);
G_DEFINE_TYPE(Catcher, catcher, GTK_TYPE_BOX)

static unsigned catcher_snapshots;

/// Draws Slow into a snapshot of its own, from a frame that lies deeper than the caller's.
static void draw_deeper(int depth) {
    volatile char bytes[512];
    memset((void *)bytes, 0x42, sizeof bytes);
    if (depth > 0) return draw_deeper(depth - 1);
    GtkSnapshot *whole = gtk_snapshot_new();
    gtk_widget_queue_draw(slow);
    GTK_WIDGET_GET_CLASS(slow)->snapshot(slow, whole);
    GskRenderNode *node = gtk_snapshot_free_to_node(whole);
    if (node) gsk_render_node_unref(node);
}

static void catcher_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    catcher_snapshots++;
    if (is_catching) drop_snapshot();
    if (is_retrying) draw_deeper(8);
    GTK_WIDGET_CLASS(catcher_parent_class)->snapshot(widget, snapshot);
}

static void catcher_class_init(CatcherClass *class) { ((GtkWidgetClass *)class)->snapshot = catcher_snapshot; }
static void catcher_init(Catcher *catcher) { (void)catcher; }

static void leave_snapshot(void) {
    drop_snapshot();
    draw();
}

static void catch_snapshot(void) {
    is_catching = TRUE;
    draw();
    is_catching = FALSE;
}

static void retry_snapshot(void) {
    is_retrying = TRUE;
    catch_snapshot();
    is_retrying = FALSE;
}

static void fork_children(int number) {
    int good = 0;
    for (int child = 0; child < number; child++) {
        pid_t process = fork();
        if (process == 0) exit(0);
        int status = 1;
        if (process > 0 && waitpid(process, &status, 0) == process && status == 0) good++;
        draw();
    }
    printf("%s\t%d\n", G_OBJECT_TYPE_NAME(gtk_native_get_renderer(GTK_NATIVE(window))), good);
    fflush(stdout);
}

/// Measures Slow, which is left by a jump. No signal is being emitted: GLib itself would not bear that.
static void leave(void) {
    int least, natural;
    gtk_widget_queue_resize(slow);
    is_leaving = TRUE;
    if (setjmp(outside) == 0) gtk_widget_measure(slow, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
    is_leaving = FALSE;
    overwrite(40);
    draw();
}

static gboolean ticked(GtkWidget *widget, GdkFrameClock *clock, gpointer rounds) {
    (void)clock;
    be_busy(tick_busy);
    gtk_widget_queue_draw(widget);
    return --*(int *)rounds > 0;
}

static void do_step(const char *step) {
    const char *value = strchr(step, '=');
    int milliseconds = value ? atoi(value + 1) : 0;
    if (strncmp(step, "draw", 4) == 0) {
        for (int round = 0; round < 5; round++) draw();
    } else if (strncmp(step, "snapshot", 8) == 0) {
        snapshot_busy = milliseconds;
        for (int round = 0; round < 3; round++) draw();
        snapshot_busy = 0;
    } else if (strncmp(step, "measure", 7) == 0) {
        measure_busy = milliseconds;
        gtk_widget_queue_resize(slow);
        draw();
    } else if (strncmp(step, "allocate", 8) == 0) {
        allocate_busy = milliseconds;
        gtk_widget_queue_allocate(slow);
        draw();
    } else if (strncmp(step, "tick", 4) == 0) {
        int rounds = 3;
        tick_busy = milliseconds;
        gtk_widget_add_tick_callback(slow, ticked, &rounds, NULL);
        while (rounds > 0) g_main_context_iteration(NULL, TRUE);
        draw();
    } else if (strncmp(step, "jump", 4) == 0) {
        for (int round = 0; round < 3; round++) leave();
    } else if (strncmp(step, "drop", 4) == 0) {
        for (int round = 0; round < 3; round++) leave_snapshot();
    } else if (strncmp(step, "catch", 5) == 0) {
        for (int round = 0; round < 3; round++) catch_snapshot();
    } else if (strncmp(step, "retry", 5) == 0) {
        for (int round = 0; round < 3; round++) retry_snapshot();
    } else if (strncmp(step, "fork", 4) == 0) {
        fork_children(milliseconds);
    } else if (strncmp(step, "handler", 7) == 0) {
        unsigned before = clicks;
        handler_busy = milliseconds;
        if (!g_spawn_command_line_sync("xdotool mousemove 150 20 click 1", NULL, NULL, NULL, NULL)) exit(70);
        run_until(&clicks, before + 1);
        draw();
    }
}

static gboolean input_ended(GIOChannel *channel, GIOCondition condition, gpointer context) {
    (void)channel, (void)condition;
    *(gboolean *)context = TRUE;
    return G_SOURCE_REMOVE;
}

static void stay(void) {
    gboolean has_ended = FALSE;
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, input_ended, &has_ended);
    puts("staying");
    fflush(stdout);
    while (!has_ended) g_main_context_iteration(NULL, TRUE);
}

// MARK: The program

static void painted(GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    paints++;
}

static void clicked(GtkButton *self, gpointer context) {
    (void)self, (void)context;
    be_busy(handler_busy);
    clicks++;
}

int main(int count, char **arguments) {
    gtk_init();
    window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    catcher = g_object_new(catcher_get_type(), NULL);
    button = gtk_button_new_with_label("Save");
    gtk_widget_set_name(button, "save");
    g_signal_connect(button, "clicked", (GCallback)clicked, NULL);
    slow = g_object_new(slow_get_type(), "vexpand", TRUE, "hexpand", TRUE, NULL);
    gtk_box_append(GTK_BOX(box), button);
    gtk_box_append(GTK_BOX(catcher), slow);
    gtk_box_append(GTK_BOX(box), catcher);
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_widget_realize(window);
    GdkFrameClock *clock = gdk_surface_get_frame_clock(gtk_native_get_surface(GTK_NATIVE(window)));
    g_signal_connect(clock, "paint", (GCallback)painted, NULL);
    gtk_window_present(GTK_WINDOW(window));
    run_until(&paints, 1);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    for (int index = 1; index < count; index++) {
        if (strcmp(arguments[index], "stay") == 0)
            stay();
        else
            do_step(arguments[index]);
    }
    gtk_window_destroy(GTK_WINDOW(window));
    printf("frames\t%u\nmeasures\t%u\nsnapshots\t%u\n", paints, slow_measures, slow_snapshots);
    printf("catches\t%u\nstretches\t%u\n", catcher_snapshots, stretches);
    return 0;
}

// SPDX-License-Identifier: MIT
// A program of GTK 4 that links librerender-gtk.so, and counts itself what that counts.
//
// linked STEP...: does each step, and prints the counts at the end, a key, a tab and a number a line. `start` begins to count, `window`
// shows a window; both come in any order.

#include <gtk/gtk.h>
#include <rerender.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: A widget that counts its own snapshots

typedef struct {
    GtkWidget parent;
} Dot;
typedef struct {
    GtkWidgetClass parent_class;
} DotClass;
static GType dot_get_type(void);
G_DEFINE_TYPE(Dot, dot, GTK_TYPE_WIDGET)

static unsigned dots;
/// Begins an evaluation in the snapshot that nobody ends.
static gboolean is_leaking;

static void dot_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    dots++;
    if (is_leaking) rerender_evaluate_begin("Leaky", 0);
    GdkRGBA color = {(float)(dots % 2), 0.5f, 0.5f, 1};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &color, &bounds);
}

static void dot_class_init(DotClass *class) { ((GtkWidgetClass *)class)->snapshot = dot_snapshot; }
static void dot_init(Dot *dot) { (void)dot; }

// MARK: Steps

static GtkWidget *window, *dot;
static unsigned panels, labels, others, workers, deep;

static void say(const char *what, const char *why) {
    printf("%s: %s\n", what, why ? why : "done");
    fflush(stdout);
}

static void run_until_drawn(unsigned before) {
    while (dots == before) g_main_context_iteration(NULL, TRUE);
}

static void step_start(void) { say("start", rerender_gtk_start()); }

static void step_gtk(void) { gtk_init(); }

static void step_window(void) {
    gtk_init();
    window = gtk_window_new();
    dot = g_object_new(dot_get_type(), NULL);
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 600, 400);
    gtk_window_set_child(GTK_WINDOW(window), dot);
    gtk_window_present(GTK_WINDOW(window));
    run_until_drawn(dots);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}

/// What was drawn so far was not counted.
static void step_forget(void) { dots = 0; }

static void step_draw(void) {
    unsigned before = dots;
    gtk_widget_queue_draw(dot);
    run_until_drawn(before);
}

/// Puts a function into the class of the widget, which does not call the one that it finds there.
static void step_replace(void) {
    GTK_WIDGET_GET_CLASS(dot)->snapshot = dot_snapshot;
    step_draw();
    step_draw();
}

static void evaluate_panel(void) {
    rerender_evaluate_begin("Panel", 7);
    panels++;
    for (uint64_t label = 1; label <= 2; label++) {
        rerender_evaluate_begin("Label", label);
        labels++;
        rerender_evaluate_end("Label", label);
    }
    rerender_evaluate_end("Panel", 7);
}

static void step_update(void) {
    rerender_invalidate("Panel", 7, "count");
    evaluate_panel();
    rerender_committed("Panel", 7, 1);
}

static void step_wasted(void) {
    evaluate_panel();
    rerender_committed("Panel", 7, 0);
}

static gpointer work(gpointer context) {
    (void)context;
    for (uint64_t round = 0; round < 100; round++) {
        rerender_evaluate_begin("Worker", 0);
        rerender_invalidate("Panel", 7, "work");
        rerender_evaluate_end("Worker", 0);
    }
    // Never ended: its thread is gone.
    rerender_evaluate_begin("Lost", 0);
    rerender_evaluate_begin("Lost", 1);
    return NULL;
}

static void step_threads(void) {
    GThread *threads[4];
    for (int index = 0; index < 4; index++) threads[index] = g_thread_new("work", work, NULL);
    for (int index = 0; index < 4; index++) g_thread_join(threads[index]);
    workers += 400;
}

static void step_null(void) {
    rerender_evaluate_begin(NULL, 1);
    rerender_evaluate_end(NULL, 1);
    rerender_invalidate(NULL, 1, "count");
    rerender_invalidate("Panel", 7, NULL);
    rerender_committed(NULL, 1, 1);
    rerender_ended(NULL, 1);
}

static gpointer end_on_thread(gpointer context) {
    (void)context;
    rerender_evaluate_end("Other", 0);
    return NULL;
}

static void step_unbalanced(void) {
    for (int round = 0; round < 3; round++) rerender_evaluate_end("Panel", 7);
    rerender_evaluate_begin("Other", 0);
    rerender_evaluate_begin("Forgotten", 0);
    rerender_evaluate_end("Panel", 7);
    g_thread_join(g_thread_new("end", end_on_thread, NULL));
    rerender_evaluate_end("Other", 0);
    rerender_evaluate_end("Forgotten", 0);
    others++;
}

static void step_deep(void) {
    for (int depth = 0; depth < 300; depth++) rerender_evaluate_begin("Deep", 0);
    for (int depth = 0; depth < 300; depth++) rerender_evaluate_end("Deep", 0);
    // The 257th drops those around it.
    deep += 300 - 256;
}

static void step_leak(void) {
    is_leaking = TRUE;
    for (int round = 0; round < 3; round++) step_draw();
    is_leaking = FALSE;
    rerender_evaluate_end("Leaky", 0);
}

static void step_bad(void) {
    say("null", rerender_gtk_show_hud(NULL));
    say("no window", rerender_gtk_show_hud((GtkWindow *)dot));
}

static gpointer ask_on_thread(gpointer context) {
    (void)context;
    say("start elsewhere", rerender_gtk_start());
    say("show elsewhere", rerender_gtk_show_hud((GtkWindow *)window));
    rerender_gtk_hide_hud();
    return NULL;
}

static gboolean ask_from_loop(gpointer has_ended) {
    g_thread_join(g_thread_new("ask", ask_on_thread, NULL));
    *(gboolean *)has_ended = TRUE;
    return G_SOURCE_REMOVE;
}

/// On another thread, while the main loop runs on this one.
static void step_elsewhere(void) {
    gboolean has_ended = FALSE;
    g_timeout_add(0, ask_from_loop, &has_ended);
    while (!has_ended) g_main_context_iteration(NULL, TRUE);
}

static gboolean on_input(GIOChannel *channel, GIOCondition condition, gpointer has_come) {
    (void)condition;
    char *line = NULL;
    g_io_channel_read_line(channel, &line, NULL, NULL, NULL);
    g_free(line);
    *(gboolean *)has_come = TRUE;
    return G_SOURCE_REMOVE;
}

/// Runs until a line comes.
static void step_wait(void) {
    gboolean has_come = FALSE;
    GIOChannel *input = g_io_channel_unix_new(0);
    g_io_add_watch(input, G_IO_IN | G_IO_HUP, on_input, &has_come);
    say("waiting", NULL);
    while (!has_come) g_main_context_iteration(NULL, TRUE);
    g_io_channel_unref(input);
}

static void step_show(void) { say("show", rerender_gtk_show_hud(GTK_WINDOW(window))); }

static void step_hide(void) { rerender_gtk_hide_hud(); }

static const struct {
    const char *name;
    void (*run)(void);
} steps[] = {
    {"start", step_start},   {"gtk", step_gtk},
    {"window", step_window}, {"forget", step_forget},
    {"draw", step_draw},     {"update", step_update},
    {"wasted", step_wasted}, {"threads", step_threads},
    {"null", step_null},     {"unbalanced", step_unbalanced},
    {"deep", step_deep},     {"leak", step_leak},
    {"bad", step_bad},       {"elsewhere", step_elsewhere},
    {"wait", step_wait},     {"show", step_show},
    {"hide", step_hide},     {"replace", step_replace},
};

int main(int count, char **arguments) {
    for (int argument = 1; argument < count; argument++)
        for (size_t index = 0; index < sizeof steps / sizeof *steps; index++)
            if (strcmp(steps[index].name, arguments[argument]) == 0) steps[index].run();
    printf("Dot\t%u\nPanel\t%u\nLabel\t%u\nWorker\t%u\nOther\t%u\nDeep\t%u\n", dots, panels, labels, workers, others,
           deep);
    return 0;
}

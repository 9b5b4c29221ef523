// SPDX-License-Identifier: MIT
// Preloaded into a program with GTK 4: draws widgets of its first window again in a number of frames, and ends the program.
//
//   BENCH_FRAMES=N     how many frames, after those that settle it; then the program ends
//   BENCH_UNCHANGED=1  what is drawn again looks as before, so that GTK paints nothing; else the window's content fades a bit
//   BENCH_SETTLING=N   how many frames there are before them; 10 if it is not set
//   BENCH_HUD=LIBRARY  shows the HUD of this library and hides it, in turn; both for so many frames, of which the first fifth is left out
//   BENCH_ROUNDS=N     how often it does so
//
// Under callgrind timers never come: the program is slow there, and there would be more of them in a frame than there are for a user.
// In each frame it draws 200 widgets of the window again, outer ones first, and says at the end how many these were and what a
// frame took of the processor's time, in nanoseconds: "200 1234567". With the HUD each round is a line, and what a frame took with it and
// without it: "200 1234567 1200000".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <valgrind/callgrind.h>

enum { WIDGETS = 200 };

static GtkWidget *widgets[WIDGETS];
static unsigned count, frames, settling, measured;
static gboolean fades;
static double began;

static unsigned number(const char *name, unsigned otherwise) {
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static double processor_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/// Whether a widget is in the part of its window that is seen.
static gboolean is_seen(GtkWidget *widget, GtkWidget *window) {
    graphene_rect_t bounds, all;
    if (!gtk_widget_get_mapped(widget) || !gtk_widget_get_child_visible(widget)) return FALSE;
    if (!gtk_widget_compute_bounds(widget, window, &bounds)) return FALSE;
    graphene_rect_init(&all, 0, 0, (float)gtk_widget_get_width(window), (float)gtk_widget_get_height(window));
    return graphene_rect_intersection(&bounds, &all, NULL);
}

/// Adds a widget and those in it, outer ones first: so none is drawn again that is not among them.
static void collect(GtkWidget *widget, GtkWidget *window) {
    if (GTK_IS_NATIVE(widget) && widget != window) return;
    if (count == WIDGETS || !is_seen(widget, window)) return;
    widgets[count++] = widget;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
        collect(child, window);
}

// MARK: The HUD in turn

static const char *(*show_hud)(void *);
static void (*hide_hud)(void);
static unsigned rounds;

static void find_hud(void) {
    const char *path = getenv("BENCH_HUD");
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!library) return;
    *(void **)&show_hud = dlsym(library, "rerender_gtk_show_hud");
    *(void **)&hide_hud = dlsym(library, "rerender_gtk_hide_hud");
}

/// Measures a frame of a round; says whether there are no more. Of two rounds, one begins with the HUD and one without it.
static gboolean turn_hud(GtkWidget *window, unsigned frame) {
    static double taken[2];
    unsigned half = frame / measured, place = frame % measured;
    gboolean is_shown = (half + half / 2) % 2 == 0;
    if (place == 0 && half > 0) {
        gboolean was_shown = (half - 1 + (half - 1) / 2) % 2 == 0;
        taken[was_shown] = (processor_nanoseconds() - began) / (measured - measured / 5);
        if (half % 2 == 0) printf("%u %.0f %.0f\n", count, taken[1], taken[0]);
        if (half == 2 * rounds) return TRUE;
    }
    if (place == 0) {
        const char *why = NULL;
        if (is_shown)
            why = show_hud(window);
        else
            hide_hud();
        if (why) g_error("the HUD is not shown: %s", why);
    }
    if (place == measured / 5) began = processor_nanoseconds();
    return FALSE;
}

/// Runs in each frame in front of the drawing.
static gboolean tick(GtkWidget *window, GdkFrameClock *clock, gpointer data) {
    (void)clock, (void)data;
    if (frames == settling) {
        find_hud();
        collect(window, window);
        began = processor_nanoseconds();
        // From now on, under callgrind --instr-atstart=no.
        CALLGRIND_START_INSTRUMENTATION;
    }
    gboolean is_over = frames == settling + measured;
    if (show_hud && frames >= settling) is_over = turn_hud(window, frames - settling);
    if (is_over && show_hud) {
        g_application_quit(g_application_get_default());
        return G_SOURCE_REMOVE;
    }
    if (is_over) {
        CALLGRIND_STOP_INSTRUMENTATION;
        printf("%u %.0f\n", count, (processor_nanoseconds() - began) / measured);
        g_application_quit(g_application_get_default());
        return G_SOURCE_REMOVE;
    }
    frames++;
    if (frames <= settling) gtk_widget_queue_draw(window);
    for (unsigned index = 0; index < count; index++) gtk_widget_queue_draw(widgets[index]);
    // Where all of it looks as before, GTK paints none of it.
    if (fades) gtk_widget_set_opacity(gtk_window_get_child(GTK_WINDOW(window)), frames % 2 ? 0.99 : 0.98);
    return G_SOURCE_CONTINUE;
}

/// Looks for the window until it is on the screen.
static gboolean look(gpointer data) {
    (void)data;
    GListModel *windows = gtk_window_get_toplevels();
    GtkWidget *window = g_list_model_get_item(windows, 0);
    if (!window) return G_SOURCE_CONTINUE;
    g_object_unref(window);
    if (!gtk_widget_get_mapped(window)) return G_SOURCE_CONTINUE;
    // What moves by itself would be drawn as often as there is time.
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
    gtk_widget_add_tick_callback(window, tick, NULL, NULL);
    return G_SOURCE_REMOVE;
}

/// In the place of GLib's.
guint g_timeout_add_full(gint priority, guint interval, GSourceFunc function, gpointer data, GDestroyNotify notify) {
    static guint (*original)(gint, guint, GSourceFunc, gpointer, GDestroyNotify);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "g_timeout_add_full");
    // The frame clock's own are shorter.
    gboolean is_programs = RUNNING_ON_VALGRIND && interval > 40;
    return original(priority, is_programs ? G_MAXUINT : interval, function, data, notify);
}

guint g_timeout_add(guint interval, GSourceFunc function, gpointer data) {
    return g_timeout_add_full(G_PRIORITY_DEFAULT, interval, function, data, NULL);
}

__attribute__((constructor)) static void begin(void) {
    measured = number("BENCH_FRAMES", 0);
    settling = number("BENCH_SETTLING", 10);
    fades = number("BENCH_UNCHANGED", 0) == 0;
    rounds = number("BENCH_ROUNDS", 1);
    if (measured > 0) g_timeout_add(20, look, NULL);
}

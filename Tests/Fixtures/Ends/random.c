// SPDX-License-Identifier: MIT
// Random orders in which what is marked ends. A seed gives the same one each time.

#include "ends.h"

enum { most_windows = 4, most_kept = 8 };

static uint64_t state;

static int below(int bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)bound);
}

/// With a reference each; null where a place is free.
static GtkWidget *windows[most_windows], *kept[most_kept];
static GdkDisplay *second;

static GtkWidget *some_window(void) { return windows[below(most_windows)]; }

static GtkWidget *some_button(void) {
    GtkWidget *window = some_window(), *button = window ? first_button(window) : NULL;
    for (int skipped = below(3); button && skipped > 0; skipped--) {
        GtkWidget *next = gtk_widget_get_next_sibling(button);
        if (next) button = next;
    }
    return button;
}

/// The popover of a button; null where it has none.
static GtkWidget *popover_of(GtkWidget *button) {
    GtkWidget *last = gtk_widget_get_last_child(button);
    return GTK_IS_POPOVER(last) ? last : NULL;
}

static void unparent_popover(GtkWidget *button) {
    GtkWidget *popover = popover_of(button);
    if (popover) gtk_widget_unparent(popover);
}

/// Keeps what the caller has a reference of, or lets go of it.
static void keep_or_unref(GtkWidget *widget) {
    for (int place = 0; place < most_kept && below(2); place++) {
        if (kept[place]) continue;
        kept[place] = widget;
        return;
    }
    g_object_unref(widget);
}

static void end(int place) {
    GtkWidget *window = windows[place];
    windows[place] = NULL;
    if (!window) return;
    for (GtkWidget *button = first_button(window); button; button = gtk_widget_get_next_sibling(button))
        unparent_popover(button);
    gtk_window_destroy(GTK_WINDOW(window));
    keep_or_unref(window);
}

// MARK: Things to do

static void open_window(void) {
    int place = below(most_windows);
    if (!windows[place]) windows[place] = new_window();
    draw(windows[place]);
}

static void draw_some(void) {
    GtkWidget *window = some_window();
    if (window) draw(window);
}

static void pulse_window(void) {
    GtkWidget *window = some_window();
    if (window) pulse(window);
}

static void pulse_button(void) {
    GtkWidget *button = some_button();
    if (button) pulse(button);
}

static void pulse_popover(void) {
    GtkWidget *button = some_button(), *popover = button ? popover_of(button) : NULL;
    if (popover) pulse(below(2) ? popover : gtk_popover_get_child(GTK_POPOVER(popover)));
}

static void pulse_kept(void) {
    GtkWidget *widget = kept[below(most_kept)];
    if (widget) pulse(widget);
}

static void switch_highlight(void) { highlight(below(3) > 0); }

static void end_some(void) { end(below(most_windows)); }

static void remove_button(void) {
    GtkWidget *button = some_button();
    if (!button) return;
    unparent_popover(button);
    g_object_ref(button);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    keep_or_unref(button);
}

static void add_button(void) {
    GtkWidget *window = some_window();
    if (window) gtk_box_append(GTK_BOX(gtk_window_get_child(GTK_WINDOW(window))), new_button());
}

static void move_button(void) {
    GtkWidget *button = some_button(), *window = some_window();
    if (!button) return;
    unparent_popover(button);
    g_object_ref(button);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    if (window) gtk_box_append(GTK_BOX(gtk_window_get_child(GTK_WINDOW(window))), button);
    g_object_unref(button);
}

static void unref_some(void) {
    int place = below(most_kept);
    GtkWidget *widget = kept[place];
    kept[place] = NULL;
    if (!widget) return;
    if (GTK_IS_WINDOW(widget) || g_object_get_data(G_OBJECT(widget), "tied") || below(2))
        g_object_unref(widget);
    else
        unref_elsewhere(widget);
}

static void dispose_some(void) {
    GtkWidget *widget = kept[below(most_kept)];
    if (widget) g_object_run_dispose(G_OBJECT(widget));
}

static void show_popover(void) {
    GtkWidget *button = some_button();
    if (!button) return;
    GtkWidget *popover = popover_of(button);
    if (!popover)
        new_popover(button);
    else if (below(2))
        gtk_popover_popdown(GTK_POPOVER(popover));
    else
        gtk_widget_unparent(popover);
}

static void move_hud(void) {
    GtkWidget *window = some_window();
    int choice = below(4);
    if (choice == 0) hide_hud();
    if (choice == 1) wait_for_hud();
    if (choice > 1 && window) show_hud(window);
}

static void on_tied_end(gpointer place, GObject *where) {
    (void)where;
    end(GPOINTER_TO_INT(place));
}

static void on_tied_hud(gpointer place, GObject *where) {
    (void)where;
    GtkWidget *window = windows[GPOINTER_TO_INT(place)];
    if (window)
        show_hud(window);
    else
        hide_hud();
}

/// The end of a widget ends a window, or moves the HUD.
static void tie(void) {
    GtkWidget *widget = below(2) ? some_button() : some_window();
    if (!widget) return;
    g_object_set_data(G_OBJECT(widget), "tied", widget);
    g_object_weak_ref(G_OBJECT(widget), below(2) ? on_tied_end : on_tied_hud, GINT_TO_POINTER(below(most_windows)));
}

static void change_display(void) {
    GtkWidget *window = some_window();
    if (!window) return;
    if (!second) second = gdk_display_open(g_getenv("RERENDER_SECOND_DISPLAY"));
    if (!second) g_error("no second display");
    for (GtkWidget *button = first_button(window); button; button = gtk_widget_get_next_sibling(button))
        unparent_popover(button);
    gtk_window_set_display(GTK_WINDOW(window), below(3) ? second : gdk_display_get_default());
}

static void close_display(void) {
    if (!second) return;
    for (int place = 0; place < most_windows; place++)
        if (windows[place] && gtk_widget_get_display(windows[place]) == second) end(place);
    // What is kept of it must not be used once it is closed.
    for (int place = 0; place < most_kept; place++) {
        if (kept[place]) g_object_unref(kept[place]);
        kept[place] = NULL;
    }
    settle();
    gdk_display_close(second);
    second = NULL;
}

void do_random(uint64_t seed, int count) {
    static void (*const things[])(void) = {
        open_window,  open_window,  draw_some,      draw_some,     draw_some,        pulse_window, pulse_window,
        pulse_button, pulse_button, pulse_popover,  pulse_kept,    switch_highlight, end_some,     remove_button,
        add_button,   move_button,  unref_some,     unref_some,    dispose_some,     show_popover, show_popover,
        move_hud,     tie,          change_display, close_display, settle,
    };
    state = seed;
    for (int index = 0; index < count; index++) things[below(sizeof things / sizeof *things)]();
    for (int place = 0; place < most_windows; place++) end(place);
    close_display();
    for (int place = 0; place < most_kept; place++) {
        if (kept[place]) g_object_unref(kept[place]);
        kept[place] = NULL;
    }
    hide_hud();
}

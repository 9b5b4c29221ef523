// SPDX-License-Identifier: MIT
// Orders in which what is marked ends, one by one.

#include "ends.h"
#include <string.h>

/// A window that was drawn, and is pulsed, drawn with it.
static GtkWidget *pulsed_window(void) {
    GtkWidget *window = new_window();
    draw(window);
    pulse(window);
    draw(window);
    return window;
}

static void window_ends(void) { end_window(pulsed_window()); }

static void window_is_closed(void) {
    GtkWidget *window = pulsed_window();
    gtk_window_close(GTK_WINDOW(window));
    settle();
    g_object_unref(window);
}

static void window_is_kept(void) {
    GtkWidget *window = pulsed_window();
    gtk_window_destroy(GTK_WINDOW(window));
    pulse(window);
    settle();
    g_object_unref(window);
}

static void widget_before_window(void) {
    GtkWidget *window = pulsed_window(), *button = first_button(window);
    pulse(button);
    draw(window);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    draw(window);
    end_window(window);
}

static void widget_after_window(void) {
    GtkWidget *window = pulsed_window(), *button = g_object_ref(first_button(window));
    pulse(button);
    draw(window);
    end_window(window);
    settle();
    g_object_unref(button);
}

static void widget_in_another_window(void) {
    GtkWidget *window = pulsed_window(), *other = pulsed_window(), *button = g_object_ref(first_button(window));
    pulse(button);
    draw(window);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    gtk_box_append(GTK_BOX(gtk_window_get_child(GTK_WINDOW(other))), button);
    draw(window);
    draw(other);
    pulse(button);
    end_window(window);
    draw(other);
    g_object_unref(button);
    end_window(other);
}

static void widget_elsewhere(void) {
    GtkWidget *window = pulsed_window(), *button = g_object_ref(first_button(window));
    pulse(button);
    draw(window);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    unref_elsewhere(button);
    draw(window);
    end_window(window);
}

static void on_end(gpointer window, GObject *where) {
    (void)where;
    end_window(window);
}

/// The end of a marked widget is that of the window with its mark: the widget's weak functions are being called then.
static void widget_ends_window(void) {
    GtkWidget *window = new_window(), *button = g_object_ref(first_button(window));
    g_object_weak_ref(G_OBJECT(button), on_end, window);
    draw(window);
    pulse(button);
    draw(window);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    g_object_unref(button);
}

static void highlighted(void) {
    highlight(true);
    GtkWidget *window = pulsed_window(), *button = g_object_ref(first_button(window));
    draw(window);
    draw(window);
    gtk_box_remove(GTK_BOX(gtk_widget_get_parent(button)), button);
    draw(window);
    end_window(window);
    highlight(false);
    g_object_unref(button);
}

static void popover_ends(void) {
    GtkWidget *window = pulsed_window(), *popover = new_popover(first_button(window));
    draw(window);
    pulse(popover);
    pulse(gtk_popover_get_child(GTK_POPOVER(popover)));
    draw(window);
    gtk_widget_unparent(popover);
    draw(window);
    end_window(window);
}

static void popover_with_window(void) {
    GtkWidget *window = pulsed_window(), *popover = g_object_ref(new_popover(first_button(window)));
    draw(window);
    pulse(popover);
    draw(window);
    gtk_widget_unparent(popover);
    end_window(window);
    g_object_unref(popover);
}

static void popover_is_hidden(void) {
    GtkWidget *window = pulsed_window(), *popover = new_popover(first_button(window));
    draw(window);
    pulse(popover);
    gtk_popover_popdown(GTK_POPOVER(popover));
    draw(window);
    gtk_widget_unparent(popover);
    end_window(window);
}

static GdkDisplay *second_display(void) {
    GdkDisplay *display = gdk_display_open(g_getenv("RERENDER_SECOND_DISPLAY"));
    if (!display) g_error("no second display");
    return display;
}

static void window_on_another_display(void) {
    GdkDisplay *display = second_display();
    GtkWidget *window = pulsed_window(), *button = first_button(window);
    pulse(button);
    gtk_window_set_display(GTK_WINDOW(window), display);
    draw(window);
    pulse(window);
    draw(window);
    end_window(window);
    settle();
    gdk_display_close(display);
    settle();
}

static void window_back_from_a_display(void) {
    GdkDisplay *display = second_display();
    GtkWidget *window = new_window();
    gtk_window_set_display(GTK_WINDOW(window), display);
    show_hud(window);
    draw(window);
    pulse(window);
    pulse(first_button(window));
    draw(window);
    gtk_window_set_display(GTK_WINDOW(window), gdk_display_get_default());
    gdk_display_close(display);
    draw(window);
    end_window(window);
}

static void on_end_hide(gpointer data, GObject *where) {
    (void)data, (void)where;
    hide_hud();
}

static void on_end_show(gpointer other, GObject *where) {
    (void)where;
    show_hud(other);
}

/// The program hides the HUD when its window ends, as it may have learned in front of us.
static void hud_is_hidden_at_the_end(void) {
    GtkWidget *window = new_window();
    g_object_weak_ref(G_OBJECT(window), on_end_hide, NULL);
    show_hud(window);
    draw(window);
    end_window(window);
}

static void hud_goes_to_another_window(void) {
    GtkWidget *window = new_window(), *other = new_window();
    g_object_weak_ref(G_OBJECT(window), on_end_show, other);
    show_hud(window);
    draw(window);
    draw(other);
    end_window(window);
    draw(other);
    end_window(other);
}

static void on_destroy(void) { hide_hud(); }

static void hud_is_hidden_by_destroy(void) {
    GtkWidget *window = new_window();
    g_signal_connect(window, "destroy", G_CALLBACK(on_destroy), NULL);
    show_hud(window);
    draw(window);
    end_window(window);
}

static void hud_controllers_are_removed(void) {
    GtkWidget *window = pulsed_window();
    show_hud(window);
    draw(window);
    GListModel *all = gtk_widget_observe_controllers(window);
    for (guint index = g_list_model_get_n_items(all); index-- > 0;) {
        GtkEventController *controller = g_list_model_get_item(all, index);
        const char *name = gtk_event_controller_get_name(controller);
        if (name && strcmp(name, "rerender-hud") == 0) gtk_widget_remove_controller(window, controller);
        g_object_unref(controller);
    }
    g_object_unref(all);
    hide_hud();
    draw(window);
    end_window(window);
}

static void hud_waits(void) {
    wait_for_hud();
    GtkWidget *window = pulsed_window(), *other = pulsed_window();
    settle();
    end_window(window);
    settle();
    draw(other);
    end_window(other);
    settle();
    hide_hud();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"window-ends", window_ends},
    {"window-is-closed", window_is_closed},
    {"window-is-kept", window_is_kept},
    {"widget-before-window", widget_before_window},
    {"widget-after-window", widget_after_window},
    {"widget-in-another-window", widget_in_another_window},
    {"widget-elsewhere", widget_elsewhere},
    {"widget-ends-window", widget_ends_window},
    {"highlighted", highlighted},
    {"popover-ends", popover_ends},
    {"popover-with-window", popover_with_window},
    {"popover-is-hidden", popover_is_hidden},
    {"window-on-another-display", window_on_another_display},
    {"window-back-from-a-display", window_back_from_a_display},
    {"hud-is-hidden-at-the-end", hud_is_hidden_at_the_end},
    {"hud-goes-to-another-window", hud_goes_to_another_window},
    {"hud-is-hidden-by-destroy", hud_is_hidden_by_destroy},
    {"hud-controllers-are-removed", hud_controllers_are_removed},
    {"hud-waits", hud_waits},
};

bool do_case(const char *name) {
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        if (strcmp(cases[index].name, name) != 0) continue;
        cases[index].run();
        return true;
    }
    return false;
}

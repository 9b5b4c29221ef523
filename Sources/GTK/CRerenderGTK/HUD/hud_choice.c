// SPDX-License-Identifier: MIT
// The HUD goes to the first window that is drawn, and to the next one when its own is gone or hidden.

#include "hud_choice.h"

#ifdef RERENDER_GTK
#include "../Widgets/records.h"
#include "hud.h"
#include "hud_functions.h"

/// Whether it is a window that stands for itself, and no dialog of another one.
static bool is_main_window(GtkWidget *widget) {
    static GType type;
    if (hud_gtk.gtk_widget_get_parent(widget)) return false;
    if (type == 0) type = hud_gtk.g_type_from_name("GtkWindow");
    if (type == 0 || !hud_gtk.g_type_check_instance_is_a((GTypeInstance *)widget, type)) return false;
    GtkWindow *window = (GtkWindow *)widget;
    return !hud_gtk.gtk_window_get_transient_for(window) && !hud_gtk.gtk_window_get_modal(window);
}

/// The window that was chosen, until the HUD is shown in it; with a reference.
static GtkWidget *chosen;

/// Shows the HUD after the frame: a window's controllers do not change while it is drawn.
static gboolean after_frame(gpointer data) {
    GtkWidget *window = data;
    chosen = NULL;
    if (hud_wait.is_on && hud_gtk.gtk_widget_get_mapped(window)) {
        crerender_hud_attach(window, &hud_wait.host);
        hud.host.update(window);
    }
    hud_gtk.g_object_unref(window);
    return G_SOURCE_REMOVE;
}

void hud_choose(GtkWidget *widget) {
    if (!hud_wait.is_on || chosen || widget == hud.window) return;
    if (hud.window && hud_gtk.gtk_widget_get_mapped(hud.window)) return;
    if (!is_main_window(widget)) return;
    chosen = hud_gtk.g_object_ref(widget);
    // Not when idle: a program whose frames take longer than there is time for never is.
    hud_gtk.g_timeout_add(0, after_frame, widget);
}

static void choose_shown(struct record *record, void *context) {
    (void)context;
    if (hud_gtk.gtk_widget_get_mapped(record->widget)) hud_choose(record->widget);
}

bool crerender_hud_choose(void) {
    records_each(choose_shown, NULL);
    return chosen || (hud.window && hud_gtk.gtk_widget_get_mapped(hud.window));
}
#endif

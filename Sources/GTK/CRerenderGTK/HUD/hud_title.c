// SPDX-License-Identifier: MIT
// Finds a window's title bar: its own, or in its content that of libadwaita.

#include "hud_title.h"

#ifdef RERENDER_GTK
#include "hud_functions.h"
#include <math.h>

/// Widgets that are looked at: a title bar is among the first.
enum { most_looks = 400 };

/// The lower edge of what has the window's buttons.
static float lower_edge(GtkWidget *controls, GtkWidget *window) {
    graphene_rect_t bounds;
    float edge = 0;
    for (GtkWidget *widget = controls; widget && widget != window; widget = hud_gtk.gtk_widget_get_parent(widget)) {
        if (!hud_gtk.gtk_widget_compute_bounds(widget, window, &bounds)) break;
        // A header bar surrounds the buttons closely; what is taller is the content.
        if (bounds.origin.y > 1 + 24 || bounds.size.height > 100) break;
        edge = MAX(edge, bounds.origin.y + bounds.size.height);
    }
    return edge;
}

/// Looks for the window's buttons in `widget` and what is in it; 0 where they are not found.
static float search(GtkWidget *widget, GtkWidget *window, GType controls, unsigned *looks) {
    for (; widget && *looks < most_looks; widget = hud_gtk.gtk_widget_get_next_sibling(widget)) {
        (*looks)++;
        if (!hud_gtk.gtk_widget_get_mapped(widget)) continue;
        if (((GTypeInstance *)widget)->g_class->g_type == controls) return lower_edge(widget, window);
        float edge = search(hud_gtk.gtk_widget_get_first_child(widget), window, controls, looks);
        if (edge > 0) return edge;
    }
    return 0;
}

int hud_title_height(GtkWidget *window) {
    GType controls = hud_gtk.g_type_from_name("GtkWindowControls");
    unsigned looks = 0;
    if (controls == 0) return 0;
    return (int)ceilf(search(hud_gtk.gtk_widget_get_first_child(window), window, controls, &looks));
}
#endif

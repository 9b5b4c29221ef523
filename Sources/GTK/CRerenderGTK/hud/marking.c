// SPDX-License-Identifier: MIT
// Marks widgets: pulses them, and highlights what drew again.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "hud_functions.h"
#include "mark_drawing.h"

/// The overlay of the window or popover in which a widget can be seen; null where it cannot be.
static struct overlay *overlay_around(GtkWidget *widget) {
    graphene_rect_t bounds, visible;
    GtkWidget *native = (GtkWidget *)hud_gtk.gtk_widget_get_native(widget);
    if (!native || !mark_visible_bounds(widget, native, &bounds, &visible)) return NULL;
    return overlay_of(native, true);
}

size_t crerender_pulse(void *const *widgets, size_t count) {
    size_t shown = 0;
    for (size_t i = 0; hud_is_found && i < count; i++) {
        struct overlay *overlay = overlay_around(widgets[i]);
        if (!overlay || !marks_add(&overlay->pulses, widgets[i])) continue;
        shown++;
        overlay_animate(overlay);
        overlay_ask(overlay);
    }
    return shown;
}

void crerender_highlight(void *widget, uint64_t count, bool is_wasted) {
    GtkWidget *native = hud_is_found ? (GtkWidget *)hud_gtk.gtk_widget_get_native(widget) : NULL;
    // A window draws again with each of its widgets.
    if (!native || native == widget) return;
    struct overlay *overlay = overlay_of(native, true);
    struct mark *mark = marks_add(&overlay->flashes, widget);
    if (!mark) return;
    mark->count = count;
    mark->is_wasted = is_wasted;
    overlay_animate(overlay);
}
#endif

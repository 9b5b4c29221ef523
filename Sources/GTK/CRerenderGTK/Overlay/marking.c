// SPDX-License-Identifier: MIT
// Marks widgets: pulses them, and highlights what drew again.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../Hooks/drawing.h"
#include "../HUD/hud_functions.h"
#include "../Widgets/records.h"
#include "mark_drawing.h"
#include <string.h>

/// The overlay of the window or popover in which a widget can be seen; null where it cannot be.
static struct overlay *overlay_around(GtkWidget *widget) {
    graphene_rect_t bounds, visible;
    GtkWidget *native = (GtkWidget *)hud_gtk.gtk_widget_get_native(widget);
    if (!native || !mark_visible_bounds(widget, native, &bounds, &visible)) return NULL;
    return overlay_of(native, true);
}

/// Pulses a widget, and returns whether it is shown.
static bool pulse(GtkWidget *widget) {
    struct overlay *overlay = overlay_around(widget);
    if (!overlay || !marks_add(&overlay->pulses, widget)) return false;
    overlay_animate(overlay);
    overlay_ask(overlay);
    return true;
}

size_t crerender_pulse(void *const *widgets, size_t count) {
    size_t shown = 0;
    for (size_t i = 0; hud_is_found && i < count; i++) shown += pulse(widgets[i]);
    return shown;
}

/// A view whose widgets are pulsed.
struct pulsed {
    const char *key;
    size_t instances, shown;
};

static void pulse_record(struct record *record, void *context) {
    struct pulsed *pulsed = context;
    if (!record->key || strcmp(record->key, pulsed->key) != 0) return;
    pulsed->instances++;
    pulsed->shown += pulse(record->widget);
}

size_t crerender_pulse_view(const char *key, size_t *instances) {
    struct pulsed pulsed = {.key = key};
    if (hud_is_found) records_each(pulse_record, &pulsed);
    *instances = pulsed.instances;
    return pulsed.shown;
}

/// Whether a widget draws views that flash themselves.
static bool draws_views(GtkWidget *widget) {
    for (; widget; widget = hud_gtk.gtk_widget_get_parent(widget))
        if (hud_gtk.g_object_get_data((GObject *)widget, "rerender-highlights-views")) return true;
    return false;
}

static void mark(GtkWidget *widget, uint64_t count, bool is_wasted) {
    if (!draws_views(widget)) crerender_highlight(widget, count, is_wasted);
}

void crerender_highlight_set(bool is_on) { drawing_mark = is_on && hud_is_found ? mark : NULL; }

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

// SPDX-License-Identifier: MIT
// Keeps the latest changes of text buffers and adjustments, by their addresses.

#include "models.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "writers.h"

/// An object that is gone may be among them: what was noted of it is older than what draws another one at its place.
enum { PLACES = 256 };
static struct {
    const void *model;
    /// The number of its last change.
    uint64_t change;
    /// Whether a widget has drawn it since its first change with this origin.
    bool is_drawn;
    struct origin origin;
} changed[PLACES];
/// 0 stands for what is not known.
static uint64_t changes = 1;

static size_t place_of(const void *model) {
    return (size_t)(((uintptr_t)model >> 4) * 0x9e3779b97f4a7c15u >> 20) % PLACES;
}

void models_note(void *model) {
    size_t place = place_of(model);
    if (changed[place].model != model || changed[place].is_drawn) changed[place].origin = writers_origin(0);
    changed[place].model = model;
    changed[place].is_drawn = false;
    changed[place].change = ++changes;
}

uint64_t models_changes(void) { return changes; }

static bool has_changed(const void *model, uint64_t since, struct origin *origin) {
    size_t place = place_of(model);
    if (!model || changed[place].model != model || changed[place].change <= since) return false;
    changed[place].is_drawn = true;
    *origin = changed[place].origin;
    return true;
}

/// Whether a widget is of a type, which is looked for until GTK has made it.
static bool is_a(GtkWidget *widget, GType *type, const char *name) {
    if (!*type) *type = gtk.g_type_from_name(name);
    return *type && gtk.g_type_check_instance_is_a((GTypeInstance *)widget, *type);
}

bool models_changed_text(GtkWidget *widget, uint64_t since, struct origin *origin) {
    static GType view;
    if (!since || changes == since || !is_a(widget, &view, "GtkTextView")) return false;
    return has_changed(gtk.gtk_text_view_get_buffer((GtkTextView *)widget), since, origin);
}

bool models_changed_value(GtkWidget *widget, uint64_t since, struct origin *origin) {
    static GType range, scrollable;
    if (!since || changes == since) return false;
    if (is_a(widget, &range, "GtkRange"))
        return has_changed(gtk.gtk_range_get_adjustment((GtkRange *)widget), since, origin);
    if (!is_a(widget, &scrollable, "GtkScrollable")) return false;
    return has_changed(gtk.gtk_scrollable_get_vadjustment((GtkScrollable *)widget), since, origin) ||
           has_changed(gtk.gtk_scrollable_get_hadjustment((GtkScrollable *)widget), since, origin);
}
#endif

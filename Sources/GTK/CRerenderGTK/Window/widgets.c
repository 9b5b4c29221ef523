// SPDX-License-Identifier: MIT
// The widgets of a screen: they are set without telling anybody, and tell what a user does.

#include "parts.h"

#ifdef RERENDER_GTK
#include <math.h>

static void on_clicked(GtkWidget *button) { render_loop_tell(button, RENDER_LOOP_TAP, 0, NULL); }

static void on_changed(GtkWidget *entry) {
    render_loop_tell(entry, RENDER_LOOP_TEXT, 0, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void on_value(GtkWidget *scale) {
    render_loop_tell(scale, RENDER_LOOP_VALUE, gtk_range_get_value(GTK_RANGE(scale)), NULL);
}

/// Ours until it is removed, also where its canvas goes first.
static void *kept(GtkWidget *widget) { return g_object_ref_sink(widget); }

void *render_loop_make_label(void) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_widget_set_can_target(label, false);
    return kept(label);
}

void *render_loop_make_button(uint64_t number) {
    GtkWidget *button = gtk_button_new(), *canvas = render_loop_new_canvas();
    gtk_widget_set_halign(canvas, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(canvas, GTK_ALIGN_CENTER);
    gtk_button_set_child(GTK_BUTTON(button), canvas);
    render_loop_number(button, number);
    g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), NULL);
    return kept(button);
}

void *render_loop_button_canvas(void *button) { return gtk_button_get_child(GTK_BUTTON(button)); }

void *render_loop_make_entry(uint64_t number) {
    GtkWidget *entry = gtk_entry_new();
    // Smaller than GTK's own least width: the layout decides.
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), 0);
    render_loop_number(entry, number);
    g_signal_connect(entry, "changed", G_CALLBACK(on_changed), NULL);
    return kept(entry);
}

void *render_loop_make_scale(uint64_t number) {
    GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.1);
    gtk_range_set_round_digits(GTK_RANGE(scale), -1);
    render_loop_number(scale, number);
    g_signal_connect(scale, "value-changed", G_CALLBACK(on_value), NULL);
    return kept(scale);
}

void render_loop_set_opacity(void *widget, float opacity) { gtk_widget_set_opacity(widget, (double)opacity); }

void render_loop_set_name(void *widget, const char *name) { gtk_widget_set_name(widget, name); }

void render_loop_set_label(void *label, const char *text, const struct render_loop_look *look, bool is_centred) {
    PangoAttrList *attributes = render_loop_attributes(look);
    gtk_label_set_attributes(label, attributes);
    pango_attr_list_unref(attributes);
    gtk_label_set_text(label, text);
    gtk_label_set_xalign(label, is_centred ? 0.5F : 0);
    render_loop_set_opacity(label, look->opacity);
}

void render_loop_set_text(void *entry, const char *text, const char *placeholder) {
    gtk_entry_set_placeholder_text(entry, placeholder);
    if (g_strcmp0(gtk_editable_get_text(entry), text) == 0) return;
    int place = gtk_editable_get_position(entry);
    bool is_at_end = place == gtk_entry_get_text_length(entry);
    render_loop_sets = true;
    gtk_editable_set_text(entry, text);
    render_loop_sets = false;
    gtk_editable_set_position(entry, is_at_end ? -1 : place);
}

void render_loop_set_value(void *widget, double value) {
    render_loop_sets = true;
    if (fabs(gtk_range_get_value(widget) - value) > 1e-9) gtk_range_set_value(widget, value);
    render_loop_sets = false;
}
#endif

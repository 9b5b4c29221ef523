// SPDX-License-Identifier: MIT
// The functions of GTK that the HUD calls, found in the process at run time. A process that lacks one has no HUD.
#ifndef CRERENDER_GTK_HUD_FUNCTIONS_H
#define CRERENDER_GTK_HUD_FUNCTIONS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdatomic.h>
#include <stdbool.h>

/// Each function once.
#define CRERENDER_HUD_FUNCTIONS(FUNCTION) \
    FUNCTION(cairo_create) \
    FUNCTION(cairo_destroy) \
    FUNCTION(cairo_image_surface_create) \
    FUNCTION(cairo_paint) \
    FUNCTION(cairo_scale) \
    FUNCTION(cairo_set_source_surface) \
    FUNCTION(cairo_surface_destroy) \
    FUNCTION(cairo_translate) \
    FUNCTION(g_free) \
    FUNCTION(g_get_monotonic_time) \
    FUNCTION(g_list_model_get_item) \
    FUNCTION(g_list_model_get_n_items) \
    FUNCTION(g_malloc0) \
    FUNCTION(g_object_add_weak_pointer) \
    FUNCTION(g_object_get_data) \
    FUNCTION(g_object_ref) \
    FUNCTION(g_object_remove_weak_pointer) \
    FUNCTION(g_object_unref) \
    FUNCTION(g_object_weak_ref) \
    FUNCTION(g_object_weak_unref) \
    FUNCTION(g_signal_connect_data) \
    FUNCTION(g_signal_handler_disconnect) \
    FUNCTION(g_signal_handler_is_connected) \
    FUNCTION(g_timeout_add) \
    FUNCTION(g_type_check_instance_is_a) \
    FUNCTION(g_type_from_name) \
    FUNCTION(gdk_button_event_get_button) \
    FUNCTION(gdk_clipboard_set_text) \
    FUNCTION(gdk_event_get_event_type) \
    FUNCTION(gdk_event_get_modifier_state) \
    FUNCTION(gdk_event_get_position) \
    FUNCTION(gdk_event_get_surface) \
    FUNCTION(gdk_frame_clock_begin_updating) \
    FUNCTION(gdk_frame_clock_end_updating) \
    FUNCTION(gdk_frame_clock_get_frame_time) \
    FUNCTION(gdk_key_event_get_keycode) \
    FUNCTION(gdk_key_event_get_keyval) \
    FUNCTION(gdk_key_event_matches) \
    FUNCTION(gdk_keyval_to_unicode) \
    FUNCTION(gdk_scroll_event_get_deltas) \
    FUNCTION(gdk_scroll_event_get_direction) \
    FUNCTION(gdk_touch_event_get_emulating_pointer) \
    FUNCTION(gsk_cairo_node_get_draw_context) \
    FUNCTION(gsk_cairo_node_new) \
    FUNCTION(gsk_render_node_draw) \
    FUNCTION(gsk_render_node_get_bounds) \
    FUNCTION(gsk_render_node_unref) \
    FUNCTION(gtk_accelerator_parse) \
    FUNCTION(gtk_event_controller_legacy_new) \
    FUNCTION(gtk_event_controller_set_name) \
    FUNCTION(gtk_event_controller_set_propagation_phase) \
    FUNCTION(gtk_native_get_surface) \
    FUNCTION(gtk_native_get_surface_transform) \
    FUNCTION(gtk_snapshot_append_border) \
    FUNCTION(gtk_snapshot_append_color) \
    FUNCTION(gtk_snapshot_append_layout) \
    FUNCTION(gtk_snapshot_append_node) \
    FUNCTION(gtk_snapshot_free_to_node) \
    FUNCTION(gtk_snapshot_new) \
    FUNCTION(gtk_snapshot_pop) \
    FUNCTION(gtk_snapshot_push_clip) \
    FUNCTION(gtk_snapshot_push_rounded_clip) \
    FUNCTION(gtk_snapshot_restore) \
    FUNCTION(gtk_snapshot_rotate) \
    FUNCTION(gtk_snapshot_save) \
    FUNCTION(gtk_snapshot_translate) \
    FUNCTION(gtk_widget_add_controller) \
    FUNCTION(gtk_widget_compute_bounds) \
    FUNCTION(gtk_widget_create_pango_context) \
    FUNCTION(gtk_widget_get_clipboard) \
    FUNCTION(gtk_widget_get_first_child) \
    FUNCTION(gtk_widget_get_frame_clock) \
    FUNCTION(gtk_widget_get_height) \
    FUNCTION(gtk_widget_get_mapped) \
    FUNCTION(gtk_widget_get_native) \
    FUNCTION(gtk_widget_get_next_sibling) \
    FUNCTION(gtk_widget_get_overflow) \
    FUNCTION(gtk_widget_get_pango_context) \
    FUNCTION(gtk_widget_get_parent) \
    FUNCTION(gtk_widget_get_scale_factor) \
    FUNCTION(gtk_widget_get_width) \
    FUNCTION(gtk_widget_queue_draw) \
    FUNCTION(gtk_widget_remove_controller) \
    FUNCTION(gtk_window_get_modal) \
    FUNCTION(gtk_window_get_toplevels) \
    FUNCTION(gtk_window_get_transient_for) \
    FUNCTION(pango_attr_font_features_new) \
    FUNCTION(pango_attr_list_insert) \
    FUNCTION(pango_attr_list_new) \
    FUNCTION(pango_attr_list_unref) \
    FUNCTION(pango_context_get_serial) \
    FUNCTION(pango_context_set_base_dir) \
    FUNCTION(pango_font_description_free) \
    FUNCTION(pango_font_description_new) \
    FUNCTION(pango_font_description_set_absolute_size) \
    FUNCTION(pango_font_description_set_family_static) \
    FUNCTION(pango_font_description_set_weight) \
    FUNCTION(pango_layout_get_pixel_size) \
    FUNCTION(pango_layout_new) \
    FUNCTION(pango_layout_set_alignment) \
    FUNCTION(pango_layout_set_attributes) \
    FUNCTION(pango_layout_set_auto_dir) \
    FUNCTION(pango_layout_set_ellipsize) \
    FUNCTION(pango_layout_set_font_description) \
    FUNCTION(pango_layout_set_single_paragraph_mode) \
    FUNCTION(pango_layout_set_text) \
    FUNCTION(pango_layout_set_width)

/// A pointer for each, under its own name.
struct hud_functions {
#define FUNCTION(name) __typeof__(name) *name;
    CRERENDER_HUD_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// Those of this process; filled by `hud_functions_find`.
extern struct hud_functions hud_gtk;

/// Whether all of them were found: before, nothing of this part does anything.
extern atomic_bool hud_is_found;

/// Finds all of them in the GTK 4 that is loaded; loads nothing.
///
/// - Returns: Null, or else what is missing: `libgtk-4.so.1` where GTK 4 is not loaded.
const char *hud_functions_find(void);

#endif
#endif

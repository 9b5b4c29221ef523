// SPDX-License-Identifier: MIT
// The functions of GTK that are called, found in the process at run time: nothing links GTK.
#ifndef CRERENDER_GTK_FUNCTIONS_H
#define CRERENDER_GTK_FUNCTIONS_H

#include "headers.h"

#ifdef RERENDER_GTK

/// Each function once. Macros of GObject that call functions, such as casts that check, cannot be used.
#define CRERENDER_GTK_FUNCTIONS(FUNCTION) \
    FUNCTION(g_application_get_application_id) \
    FUNCTION(g_application_get_dbus_connection) \
    FUNCTION(g_application_get_is_registered) \
    FUNCTION(g_application_get_is_remote) \
    FUNCTION(g_dbus_connection_call_sync) \
    FUNCTION(g_free) \
    FUNCTION(g_idle_add_full) \
    FUNCTION(g_idle_funcs) \
    FUNCTION(g_main_context_acquire) \
    FUNCTION(g_main_context_default) \
    FUNCTION(g_main_context_dispatch) \
    FUNCTION(g_main_context_iteration) \
    FUNCTION(g_main_context_release) \
    FUNCTION(g_main_current_source) \
    FUNCTION(g_main_loop_run) \
    FUNCTION(g_object_weak_ref) \
    FUNCTION(g_quark_from_string) \
    FUNCTION(g_signal_add_emission_hook) \
    FUNCTION(g_signal_connect_data) \
    FUNCTION(g_signal_emit_valist) \
    FUNCTION(g_signal_handler_find) \
    FUNCTION(g_signal_lookup) \
    FUNCTION(g_signal_query) \
    FUNCTION(g_source_get_context) \
    FUNCTION(g_source_get_id) \
    FUNCTION(g_timeout_funcs) \
    FUNCTION(g_type_add_interface_check) \
    FUNCTION(g_type_check_instance_is_a) \
    FUNCTION(g_type_children) \
    FUNCTION(g_type_class_peek) \
    FUNCTION(g_type_class_ref) \
    FUNCTION(g_type_from_name) \
    FUNCTION(g_type_get_qdata) \
    FUNCTION(g_type_name) \
    FUNCTION(g_type_parent) \
    FUNCTION(g_type_fundamental) \
    FUNCTION(g_type_get_plugin) \
    FUNCTION(g_type_query) \
    FUNCTION(g_type_set_qdata) \
    FUNCTION(g_value_get_flags) \
    FUNCTION(g_variant_get) \
    FUNCTION(g_variant_is_of_type) \
    FUNCTION(g_variant_new) \
    FUNCTION(g_variant_unref) \
    FUNCTION(gdk_event_get_event_type) \
    FUNCTION(gdk_event_get_position) \
    FUNCTION(gdk_frame_clock_get_frame_counter) \
    FUNCTION(gdk_frame_clock_get_refresh_info) \
    FUNCTION(gdk_frame_clock_get_timings) \
    FUNCTION(gdk_frame_timings_get_complete) \
    FUNCTION(gdk_frame_timings_get_presentation_time) \
    FUNCTION(gdk_frame_timings_get_refresh_interval) \
    FUNCTION(gtk_buildable_get_buildable_id) \
    FUNCTION(gtk_event_controller_get_widget) \
    FUNCTION(gtk_get_major_version) \
    FUNCTION(gtk_native_get_for_surface) \
    FUNCTION(gtk_range_get_adjustment) \
    FUNCTION(gtk_scrollable_get_hadjustment) \
    FUNCTION(gtk_scrollable_get_vadjustment) \
    FUNCTION(gtk_snapshot_append_node) \
    FUNCTION(gtk_snapshot_free_to_node) \
    FUNCTION(gtk_snapshot_new) \
    FUNCTION(gtk_text_view_get_buffer) \
    FUNCTION(gtk_widget_get_css_name) \
    FUNCTION(gtk_widget_get_frame_clock) \
    FUNCTION(gtk_widget_get_height) \
    FUNCTION(gtk_widget_get_layout_manager) \
    FUNCTION(gtk_widget_get_name) \
    FUNCTION(gtk_widget_get_first_child) \
    FUNCTION(gtk_widget_get_next_sibling) \
    FUNCTION(gtk_widget_get_parent) \
    FUNCTION(gtk_widget_get_root) \
    FUNCTION(gtk_widget_get_state_flags) \
    FUNCTION(gtk_widget_get_width) \
    FUNCTION(gtk_widget_queue_allocate) \
    FUNCTION(gtk_widget_queue_draw) \
    FUNCTION(gtk_widget_queue_resize) \
    FUNCTION(gsk_blend_node_get_blend_mode) \
    FUNCTION(gsk_blend_node_get_bottom_child) \
    FUNCTION(gsk_blend_node_get_top_child) \
    FUNCTION(gsk_blur_node_get_child) \
    FUNCTION(gsk_blur_node_get_radius) \
    FUNCTION(gsk_border_node_get_colors) \
    FUNCTION(gsk_border_node_get_outline) \
    FUNCTION(gsk_border_node_get_widths) \
    FUNCTION(gsk_cairo_node_get_surface) \
    FUNCTION(gsk_clip_node_get_child) \
    FUNCTION(gsk_clip_node_get_clip) \
    FUNCTION(gsk_color_node_get_color) \
    FUNCTION(gsk_container_node_get_child) \
    FUNCTION(gsk_container_node_get_n_children) \
    FUNCTION(gsk_cross_fade_node_get_end_child) \
    FUNCTION(gsk_cross_fade_node_get_progress) \
    FUNCTION(gsk_cross_fade_node_get_start_child) \
    FUNCTION(gsk_debug_node_get_child) \
    FUNCTION(gsk_inset_shadow_node_get_blur_radius) \
    FUNCTION(gsk_inset_shadow_node_get_color) \
    FUNCTION(gsk_inset_shadow_node_get_dx) \
    FUNCTION(gsk_inset_shadow_node_get_dy) \
    FUNCTION(gsk_inset_shadow_node_get_outline) \
    FUNCTION(gsk_inset_shadow_node_get_spread) \
    FUNCTION(gsk_linear_gradient_node_get_color_stops) \
    FUNCTION(gsk_linear_gradient_node_get_end) \
    FUNCTION(gsk_linear_gradient_node_get_n_color_stops) \
    FUNCTION(gsk_linear_gradient_node_get_start) \
    FUNCTION(gsk_opacity_node_get_child) \
    FUNCTION(gsk_opacity_node_get_opacity) \
    FUNCTION(gsk_outset_shadow_node_get_blur_radius) \
    FUNCTION(gsk_outset_shadow_node_get_color) \
    FUNCTION(gsk_outset_shadow_node_get_dx) \
    FUNCTION(gsk_outset_shadow_node_get_dy) \
    FUNCTION(gsk_outset_shadow_node_get_outline) \
    FUNCTION(gsk_outset_shadow_node_get_spread) \
    FUNCTION(gsk_render_node_get_bounds) \
    FUNCTION(gsk_render_node_get_node_type) \
    FUNCTION(gsk_render_node_ref) \
    FUNCTION(gsk_render_node_unref) \
    FUNCTION(gsk_repeat_node_get_child) \
    FUNCTION(gsk_repeat_node_get_child_bounds) \
    FUNCTION(gsk_rounded_clip_node_get_child) \
    FUNCTION(gsk_rounded_clip_node_get_clip) \
    FUNCTION(gsk_shadow_node_get_child) \
    FUNCTION(gsk_shadow_node_get_n_shadows) \
    FUNCTION(gsk_shadow_node_get_shadow) \
    FUNCTION(gsk_text_node_get_color) \
    FUNCTION(gsk_text_node_get_font) \
    FUNCTION(gsk_text_node_get_glyphs) \
    FUNCTION(gsk_text_node_get_offset) \
    FUNCTION(gsk_texture_node_get_texture) \
    FUNCTION(gsk_transform_equal) \
    FUNCTION(gsk_transform_node_get_child) \
    FUNCTION(gsk_transform_node_get_transform)

/// A pointer for each, under its own name.
struct gtk_functions {
#define FUNCTION(name) __typeof__(name) *name;
    CRERENDER_GTK_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// Those of this process; filled by `gtk_functions_find`.
extern struct gtk_functions gtk;

/// Finds all of them in the GTK 4 that is loaded; loads nothing.
///
/// - Returns: Null, or else what is missing: `libgtk-4.so.1` where GTK 4 is not loaded.
const char *gtk_functions_find(void);

#endif
#endif

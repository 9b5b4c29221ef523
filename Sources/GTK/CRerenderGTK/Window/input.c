// SPDX-License-Identifier: MIT
// Tells the program what a user does with a widget.

#include "parts.h"

#ifdef RERENDER_GTK
struct render_loop_host render_loop_told;
bool render_loop_sets;

void render_loop_number(GtkWidget *widget, uint64_t number) {
    g_object_set_data(G_OBJECT(widget), "render-loop-number", GSIZE_TO_POINTER(number));
}

void render_loop_tell(GtkWidget *widget, int32_t kind, double value, const char *text) {
    if (render_loop_sets) return;
    struct render_loop_input input = {
        .kind = kind,
        .widget = GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(widget), "render-loop-number")),
        .value = value,
        .text = text,
    };
    render_loop_told.input(render_loop_told.context, &input);
}
#endif

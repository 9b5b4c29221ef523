// SPDX-License-Identifier: MIT
// Connects the HUD with the hooks: it draws after widgets do, takes events first, and hears of the ends of windows.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Hooks/hooks.h"
#include "../Overlay/overlay.h"
#include "hud_parts.h"

static void draw_over(GtkWidget *widget, GtkSnapshot *snapshot) { crerender_overlay_snapshot(widget, snapshot); }

const char *crerender_hud_find(void) {
    const char *missing = gtk_functions_find();
    if (missing) return missing;
    drawing_draw_over = draw_over;
    emissions_take_event = hud_events_take;
    overlay_ends = hud_window_ends;
    hud_is_found = true;
    return NULL;
}
#endif

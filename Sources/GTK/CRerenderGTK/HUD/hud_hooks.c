// SPDX-License-Identifier: MIT
// Connects the HUD with the hooks: it draws after widgets do, takes events first, and hears of the ends of windows.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../Hooks/drawing.h"
#include "../Hooks/emissions.h"
#include "../Overlay/overlay.h"
#include "hud.h"
#include "hud_events.h"
#include "hud_functions.h"
#include "hud_window.h"

static void draw_over(GtkWidget *widget, GtkSnapshot *snapshot) { crerender_overlay_snapshot(widget, snapshot); }

const char *crerender_hud_find(void) {
    const char *missing = hud_functions_find();
    if (missing) return missing;
    drawing_draw_over = draw_over;
    emissions_take_event = hud_events_take;
    overlay_moves = hud_moves;
    overlay_ends = hud_window_ends;
    return NULL;
}
#endif

// SPDX-License-Identifier: MIT
// Draws what is due above a window or popover.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../HUD/hud.h"
#include "../HUD/hud_functions.h"
#include "../HUD/hud_window.h"
#include "mark_drawing.h"
#include "overlay.h"

void crerender_overlay_snapshot(void *native, void *snapshot) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    hud_choose(native);
    if (!overlay) return;
    overlay->has_asked = false;
    marks_draw(overlay, snapshot);
    hud_snapshot(native, snapshot);
    hud_follow_counts();
}

bool crerender_overlay_asked(void *native) {
    struct overlay *overlay = hud_is_found ? overlay_of(native, false) : NULL;
    return overlay && overlay->has_asked;
}
#endif

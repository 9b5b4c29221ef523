// SPDX-License-Identifier: MIT
// Connects the HUD with the hooks: it draws after widgets do, takes events first, and hears of the ends of windows.

#include "crerender_hud.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../Hooks/hooks.h"
#include "../Overlay/overlay.h"
#include "hud.h"

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
#else
const char *crerender_hud_find(void) { return "the trait GTK"; }
void crerender_hud_attach(void *window, const struct crerender_hud_host *host) { (void)window, (void)host; }
void crerender_hud_wait(const struct crerender_hud_host *host) { (void)host; }
void crerender_hud_detach(void) {}
void crerender_hud_show(const struct crerender_hud_operation *operations, size_t count, const char *texts) {
    (void)operations, (void)count, (void)texts;
}
void crerender_hud_move(double x, double y) { (void)x, (void)y; }
void crerender_hud_schedule(void) {}
bool crerender_hud_set_shortcut(const char *accelerator) { return (void)accelerator, false; }
const char *crerender_hud_pick(double x, double y) { return (void)x, (void)y, NULL; }
void crerender_overlay_snapshot(void *native, void *snapshot) { (void)native, (void)snapshot; }
bool crerender_overlay_asked(void *native) { return (void)native, false; }
size_t crerender_pulse(void *const *widgets, size_t count) { return (void)widgets, (void)count, 0; }
size_t crerender_pulse_view(const char *key, size_t *instances) { return (void)key, *instances = 0; }
void crerender_hud_call(void (*body)(void *context), void *context) { (void)body, (void)context; }
bool crerender_hud_choose(void) { return false; }
void crerender_highlight_set(bool is_on) { (void)is_on; }
void crerender_highlight(void *widget, uint64_t count, bool is_wasted) { (void)widget, (void)count, (void)is_wasted; }
#endif

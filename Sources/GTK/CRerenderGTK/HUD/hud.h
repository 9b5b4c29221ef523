// SPDX-License-Identifier: MIT
// The HUD of this process, as GTK's side of it sees it: its state, its window, and the events that it takes.
#ifndef CRERENDER_GTK_HUD_H
#define CRERENDER_GTK_HUD_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "crerender_hud.h"
#include "hud_drawing.h"

#include <stdatomic.h>
#include <stdbool.h>

/// The one HUD.
struct hud {
    /// Null where there is none.
    GtkWidget *window;
    struct crerender_hud_host host;
    /// Held.
    GtkEventController *controller;
    /// Of its signal `unmap`.
    gulong handler;
    struct hud_texts *texts;
    /// What is shown, and where; null where nothing is.
    GskRenderNode *node;
    float x, y;
    /// An image of it, of a window that has so many pixels in one; null until it is drawn.
    GskRenderNode *image;
    int scale;
    /// The window's size, as the host knows it.
    int width, height, top;
    /// The window is being drawn: what is shown now needs no further frame.
    bool is_drawing;
    guint shortcut;
    GdkModifierType modifiers;
};

extern struct hud hud;

/// Whether there is a HUD, for any thread.
extern atomic_bool hud_has_window;

/// Whether the hooks know this part: before, nothing of it does anything.
extern atomic_bool hud_is_found;

/// Shows the HUD in the first window that is drawn, and in another one when that is gone or hidden.
struct hud_wait {
    bool is_on;
    struct crerender_hud_host host;
};

extern struct hud_wait hud_wait;

/// Has the host read its data where something was counted since the last time.
void hud_follow_counts(void);

/// Forgets what is shown.
void hud_clear(void);

/// Draws it, if this is its window.
void hud_snapshot(GtkWidget *native, GtkSnapshot *snapshot);

/// Takes a widget that was drawn for the window of the HUD, if the host waits and it can be that.
void hud_choose(GtkWidget *widget);

/// Forgets a window or popover that ends, if it is the HUD's.
void hud_window_ends(GtkWidget *window);

/// A controller that gives the host the window's events first, and stops those that it consumes.
GtkEventController *hud_events_controller(void);

/// Gives the host an event of the HUD's window that GTK would give to a modal window, and tells whether the host consumed it.
bool hud_events_take(GdkSurface *surface, GdkEvent *gdk);

#endif
#endif

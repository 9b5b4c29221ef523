// SPDX-License-Identifier: MIT
// Turns operations of drawing into a render node and into an image. A text that is shown again is not laid out again.
#ifndef CRERENDER_GTK_HUD_PARTS_H
#define CRERENDER_GTK_HUD_PARTS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include "crerender_hud.h"

/// The layouts of the last drawing.
struct hud_texts;

struct hud_texts *hud_texts_new(void);
void hud_texts_free(struct hud_texts *texts);

/// A drawing begins. If the widget's fonts have changed, nothing of the last one is used.
void hud_texts_begin(struct hud_texts *texts, GtkWidget *widget);

/// A text's layout, which belongs to `texts`, and its height in pixels; null where a drawing has more texts than are kept.
PangoLayout *hud_texts_layout(struct hud_texts *texts, const struct crerender_hud_operation *operation,
                              const char *bytes, int *height);

/// How wide the text of an operation is without being cut off, in pixels, rounded up. For between a beginning and an end.
float hud_texts_width(struct hud_texts *texts, const struct crerender_hud_operation *operation, const char *bytes);

/// A drawing ended: layouts of the one before that it did not use are dropped.
void hud_texts_end(struct hud_texts *texts);

/// The operations as a node; null where nothing is drawn.
///
/// - Parameters:
///   - widget: Its fonts are used.
///   - bytes: Those of all texts.
GskRenderNode *hud_draw(struct hud_texts *texts, GtkWidget *widget, const struct crerender_hud_operation *operations,
                        size_t count, const char *bytes);

/// A node that shows an image of another one.
///
/// A program may draw all of its window again in each frame. Then what lies above it is painted again, too: an image costs a
/// copy, texts and rounded corners cost ten times as much.
///
/// - Parameter scale: Pixels of the image in one of the window's.
/// - Returns: What the caller owns. Where there is no memory for the image, it shows nothing.
GskRenderNode *hud_image(GskRenderNode *node, int scale);

#endif

// The HUD of this process, as GTK's side of it sees it: its state, its window, and the events that it takes.

#ifdef RERENDER_GTK

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

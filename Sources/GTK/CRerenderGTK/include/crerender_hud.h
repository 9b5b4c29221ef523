// SPDX-License-Identifier: MIT
// What is drawn above everything in a window: the HUD, pulses and highlights. No types of GTK: a window or widget is `void *`.
//
// All functions but `crerender_hud_schedule` and `crerender_hud_call` are for the thread of GTK. Built with the trait `GTK` alone.
#ifndef CRERENDER_HUD_H
#define CRERENDER_HUD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum crerender_hud_kind { CRERENDER_FILL, CRERENDER_BORDER, CRERENDER_TEXT, CRERENDER_CLIP, CRERENDER_UNCLIP };

/// A step of drawing. Lengths are in logical pixels, colours not multiplied by alpha.
struct crerender_hud_operation {
    int32_t kind;
    float x, y, width, height;
    float radius;
    /// Of a border.
    float line;
    /// Of a filled rectangle: its angle in degrees.
    float turned;
    float color[4];
    /// Of a text: its bytes among all texts, and the font. `alignment` is 0 leading, 1 centre, 2 trailing.
    uint32_t text, bytes;
    float size;
    int32_t weight;
    int32_t alignment;
    bool is_cut_in_the_middle;
};

enum crerender_hud_event_kind {
    CRERENDER_PRESS,
    CRERENDER_MOTION,
    CRERENDER_RELEASE,
    CRERENDER_LEAVE,
    CRERENDER_CANCEL,
    CRERENDER_SCROLL,
    CRERENDER_KEY,
    CRERENDER_SHORTCUT,
};

/// An event of the window, in its coordinates.
struct crerender_hud_event {
    int32_t kind;
    double x, y;
    /// Pixels down, of the wheel.
    double distance;
    uint32_t button;
    /// Of a press and a motion: no button of the mouse is held, or was before the press.
    bool is_free;
    /// Of a key: GDK's value, and the character that it types or 0.
    uint32_t key, character;
};

/// Who decides what the HUD shows. Each function gets the window.
struct crerender_hud_host {
    /// Returns whether the program must not see the event.
    bool (*event)(void *window, const struct crerender_hud_event *event);
    /// The window is so large, and so much of its height is a title bar. Called before it is drawn.
    void (*resized)(void *window, double width, double height, double top);
    /// The time for new data has come.
    void (*update)(void *window);
    /// The window is gone.
    void (*gone)(void *window);
};

/// Finds the functions of GTK that this part needs.
///
/// - Returns: Null, or the name of the one that is missing.
const char *crerender_hud_find(void);

/// Begins to listen to a window's events, and to draw above it. There is one such window; another one takes its place.
void crerender_hud_attach(void *window, const struct crerender_hud_host *host);

/// Does that in the first window that is drawn, and in the next one when that is gone or hidden.
void crerender_hud_wait(const struct crerender_hud_host *host);

/// Chooses a window among those that are shown, where the host waits and there is none yet.
///
/// - Returns: Whether the HUD has a window, or is about to.
bool crerender_hud_choose(void);

/// Ends that, and removes what was added to the window.
void crerender_hud_detach(void);

/// Shows these operations from the next frame on. `texts` holds the bytes of all texts.
void crerender_hud_show(const struct crerender_hud_operation *operations, size_t count, const char *texts);

/// Shows them at another place of the window.
void crerender_hud_move(double x, double y);

/// Calls the host's `update` on GTK's thread: soon, but 0.2 s after the last time at the earliest. For any thread.
void crerender_hud_schedule(void);

/// The key that lends the keyboard to the HUD, as `gtk_accelerator_parse` reads it; null for none.
///
/// - Returns: False if it is no accelerator.
bool crerender_hud_set_shortcut(const char *accelerator);

/// The key of the view that the widget at a point of the HUD's window is of, or else of the first one around it that was drawn. Kept for ever.
///
/// - Returns: Null where nothing is drawn there.
const char *crerender_hud_pick(double x, double y);

/// Draws above a window or popover what is due. Called by the hook after the widget's own `snapshot`.
void crerender_overlay_snapshot(void *native, void *snapshot);

/// Whether this part asked for the frame of a window or popover that is being drawn. What drew again in it for this reason
/// alone counts for nothing.
bool crerender_overlay_asked(void *native);

/// Puts a red border around widgets, which fades within a second.
///
/// - Returns: How many of them are shown now, and have one.
size_t crerender_pulse(void *const *widgets, size_t count);

/// Puts such a border around all widgets of a view.
///
/// - Parameter instances: Set to how many there are.
/// - Returns: How many of them are shown now.
size_t crerender_pulse_view(const char *key, size_t *instances);

/// Calls a function soon, on the thread of GTK. For any thread, once `crerender_hud_find` has found what is needed.
void crerender_hud_call(void (*body)(void *context), void *context);

/// Begins or ends to mark what draws again.
void crerender_highlight_set(bool is_on);

/// Marks a widget that drew again, in the frame that is being drawn: red, or orange where it was not needed.
void crerender_highlight(void *widget, uint64_t count, bool is_wasted);

#endif

// SPDX-License-Identifier: MIT
// A program in C with a window of GTK 4, for the tests of what is drawn above it.
#ifndef HUD_HOST_H
#define HUD_HOST_H

#include <stdint.h>

/// Who is told of what happens; called on GTK's thread.
struct hud_host_listener {
    /// The window was drawn for the first time.
    void (*ready)(void *window);
    /// A line came from standard input.
    void (*line)(const char *line);
};

/// Runs the program until its window is closed or `hud_host_quit` is called.
///
/// The window has an entry, which has the focus, a button `target` of 120 by 40 pixels, and a button `beneath` that fills the
/// rest. It prints `clicked NAME`, `scrolled`, `text TEXT` and `focus NAME` as they happen, and `frame N` on request.
///
/// - Returns: The exit status; -1 where GTK finds no display, or the build has no GTK.
int hud_host_run(const struct hud_host_listener *listener);

/// Ends the program.
void hud_host_quit(void);

/// The widget of that name; null where there is none.
void *hud_host_widget(const char *name);

/// How often the window's own `snapshot` ran.
uint64_t hud_host_snapshots(void);

/// Draws the window again.
void hud_host_redraw_window(void);

/// Adds so many small widgets, in rows of 25.
void hud_host_crowd(int count);

/// Marks all of them in one frame.
void hud_host_redraw_crowd(void);

/// Draws a widget again, and marks it with its count.
void hud_host_redraw(const char *name, uint64_t count, int is_wasted);

/// Prints where a widget is: `bounds NAME X Y WIDTH HEIGHT`, in pixels of the window.
void hud_host_print_bounds(const char *name);

/// Prints what the program's window has: `window WIDTH HEIGHT FOCUS CONTROLLERS X Y RENDERER`.
void hud_host_print_window(void);

/// Prints how many popovers are shown: `popovers N`.
void hud_host_print_popovers(void);

/// From now on the program waits behind each frame in which it draws the window.
///
/// It prints `drawn TIME`, with the frame's time in microseconds, and reads a line. After `next` it goes on to the next frame. After any
/// other line it prints `done` and waits no more.
void hud_host_step(void);

/// Makes the window so large.
void hud_host_resize(int width, int height);

/// Shows a small modal window at the upper left, whose button is named `modal`.
void hud_host_show_modal(void);

/// Destroys a widget.
void hud_host_destroy(const char *name);

#endif

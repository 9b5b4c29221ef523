// SPDX-License-Identifier: MIT
// A window of GTK 4 for a render loop: widgets at places, what the user does with them, and GLib's main loop. No types of GTK: a
// window or widget is `void *`.
//
// All of it is for the first thread of the process. Built with the trait `GTK` alone.
#ifndef CRENDER_LOOP_GTK_H
#define CRENDER_LOOP_GTK_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum render_loop_event {
    /// A button was pressed, or a place of a canvas clicked.
    RENDER_LOOP_TAP,
    /// A field has another text.
    RENDER_LOOP_TEXT,
    /// A slider has another value.
    RENDER_LOOP_VALUE,
    /// A canvas was scrolled; the value is how many lines down.
    RENDER_LOOP_SCROLL,
};

/// What a user did.
struct render_loop_input {
    int32_t kind;
    /// The number of the widget; 0 for the window's own canvas.
    uint64_t widget;
    double value;
    /// Of a tap on the canvas and of scrolling: where, in pixels of the window's canvas.
    double x, y;
    /// Of a field; else null. Lives for the call.
    const char *_Nullable text;
};

/// Who is told what happens in the window. One in a process.
struct render_loop_host {
    void *context;
    void (*input)(void *context, const struct render_loop_input *input);
    /// The window's canvas has so many pixels. Called while GTK lays out: widgets may not be changed in it.
    void (*resized)(void *context, int width, int height);
    /// The user chose a row of the sidebar.
    void (*chosen)(void *context, int row);
};

/// How a text looks.
struct render_loop_look {
    /// Of the theme's size, or points where that is 0.
    double scale, points;
    /// As in CSS; 0 for the theme's.
    int32_t weight;
    bool is_monospaced, has_color;
    float red, green, blue;
    /// Of the widget.
    float opacity;
};

/// What a canvas paints behind what is in it, and around it. Colours are not multiplied by alpha.
struct render_loop_paint {
    float fill[4];
    float border[4];
    float line;
    /// Whether nothing of what is in it is seen outside of it.
    bool clips;
    /// Whether it and what is in it are only seen: clicks go to what is behind.
    bool lets_clicks_through;
};

// MARK: The window

/// Initialises GTK. Returns false where there is no display.
bool render_loop_start(void);

/// Makes the window, which is not shown yet. Once.
void *render_loop_window(const char *title, int width, int height, const struct render_loop_host *host);

/// Adds a row to the window's sidebar, which is not there without rows; below a heading where one is given.
void render_loop_add_row(const char *_Nullable heading, const char *title);

/// Chooses a row, as a user would.
void render_loop_choose(int row);

/// Sets what is said above the canvas.
void render_loop_describe(const char *title, const char *text);

/// The window's canvas.
void *render_loop_canvas(void);

/// Shows the window and runs the main loop until the window is closed, or SIGINT or SIGTERM comes.
void render_loop_run(void);

// MARK: Widgets

/// Each makes a widget for a canvas. It lives until `render_loop_remove`. The number names it in input.
void *render_loop_make_canvas(void);
void *render_loop_make_label(void);
void *render_loop_make_button(uint64_t number);
void *render_loop_make_entry(uint64_t number);
void *render_loop_make_scale(uint64_t number);

/// The canvas in a button.
void *render_loop_button_canvas(void *button);

/// Puts a widget into a canvas, behind another one of it or at first, and at a place in pixels.
void render_loop_place(void *canvas, void *widget, void *_Nullable after, int x, int y, int width, int height);

/// Takes a widget out of its canvas, and ends it.
void render_loop_remove(void *widget);

void render_loop_paint(void *canvas, const struct render_loop_paint *paint);
/// Sets how large a canvas wants to be.
void render_loop_set_size(void *canvas, int width, int height);
void render_loop_set_opacity(void *widget, float opacity);
void render_loop_set_label(void *label, const char *text, const struct render_loop_look *look, bool is_centred);
/// Sets a field's text where that is another one; the cursor stays as far as it can.
void render_loop_set_text(void *entry, const char *text, const char *placeholder);
/// Sets the value of a slider.
void render_loop_set_value(void *widget, double value);
/// Sets the name of a widget, by which tools find it.
void render_loop_set_name(void *widget, const char *name);

/// Where the first widget of a name is, in pixels of the window.
///
/// - Returns: False where there is none, or none that has its place yet.
bool render_loop_bounds(const char *name, double bounds[_Nonnull 4]);

/// The size of a text in pixels.
void render_loop_measure(const char *text, const struct render_loop_look *look, int *width, int *height);

/// Says whether views flash that are evaluated again. Then the widgets in the window's canvas do not by themselves.
void render_loop_highlights_views(bool is_on);

// MARK: The loop

/// Microseconds of the monotonic clock.
int64_t render_loop_now(void);

/// Something that the main loop calls when its time has come, never at first.
///
/// - Parameter is_before_drawing: Called when what the user did has been handed out, and before frames are drawn.
void *render_loop_source(bool is_before_drawing, void (*fire)(void *context), void *context);

/// Sets when it is called, once; 0 for as soon as possible, less for never.
void render_loop_set_time(void *source, int64_t microseconds);

/// Ends it.
void render_loop_end_source(void *source);

#pragma clang assume_nonnull end

#endif

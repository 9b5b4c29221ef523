// SPDX-License-Identifier: MIT
// Counts the widgets of a GTK 4 program, and what it evaluates itself: for C, and every language that can call C.
//
// Link it with `pkg-config --cflags --libs rerender-gtk`, or load the library at run time. No function here ends the program,
// whatever it is given: what cannot be counted is left out.
#ifndef RERENDER_H
#define RERENDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// GTK's window, so that this header needs none of GTK's.
struct _GtkWindow;

/// Counts the widgets of this process from now on, in the store `widgets`.
///
/// Call it on GTK's thread, before or after `gtk_init`. A further call does nothing. Nothing happens either where
/// `rerenderctl run --inject` counts them already. It costs some milliseconds, once.
///
/// Returns: Null, or why they are not counted. The text is a constant.
const char *rerender_gtk_start(void);

/// Shows the HUD in a window, until that is gone. Begins to count, as `rerender_gtk_start` does.
///
/// window: A `GtkWindow`, shown or not. Call it on GTK's thread, and not while the window is drawn.
///
/// Returns: Null, or why it is not shown. The text is a constant.
const char *rerender_gtk_show_hud(struct _GtkWindow *window);

/// Takes the HUD away: at once on GTK's thread, soon on any other one.
void rerender_gtk_hide_hud(void);

/// Begins an evaluation of a view: a function of yours that builds or updates a part of the screen. It is in the store `main`.
///
/// Evaluations nest on their thread: the innermost one is the parent of the next. They may begin on any thread, and end on the
/// same. Up to 256 may be in each other. A further one drops all of them, since longjmp may have left them; `rerenderctl stats` says how
/// many the library dropped.
///
/// view: The view's key, in UTF-8. Null does nothing.
/// instance: A number that tells the instances of a view apart, such as an address; 0 where there is only one.
void rerender_evaluate_begin(const char *view, uint64_t instance);

/// Ends the innermost evaluation of that view and instance that this thread has begun, and counts it.
///
/// Evaluations that began in it and were not ended are not counted. Without such an evaluation nothing happens. One that was not
/// ended when the `snapshot` of a widget returned in which it began, or when its thread ended, is not counted either.
void rerender_evaluate_end(const char *view, uint64_t instance);

/// Says why the next evaluation of a view is made. Any thread.
///
/// Several reasons are joined. A view that was never evaluated is ignored: its first reason is `initial`. The function that
/// calls this is named as the writer.
///
/// reason: What changed, such as `count`. Null does nothing.
void rerender_invalidate(const char *view, uint64_t instance, const char *reason);

/// Says that the result of the last evaluations is on the screen. Any thread.
///
/// changed: 1 if that changed anything there; 0 if it did not, so that these evaluations were wasted; -1 if that is not known.
void rerender_committed(const char *view, uint64_t instance, int changed);

/// Says that an instance is no more. Any thread.
void rerender_ended(const char *view, uint64_t instance);

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: MIT
// What the cases and random programs of `ends` are made of.
#ifndef ENDS_H
#define ENDS_H

#include <gtk/gtk.h>
#include <stdbool.h>
#include <stdint.h>

/// Does a case by its name; false where no case has it.
bool do_case(const char *name);

/// Does so many random things.
void do_random(uint64_t seed, int count);

/// Pulses a widget, and returns how many are shown: 1 or 0.
size_t pulse(GtkWidget *widget);
void highlight(bool is_on);
void show_hud(GtkWidget *window);
void wait_for_hud(void);
void hide_hud(void);

/// A window with three buttons, with a reference of the caller's.
GtkWidget *new_window(void);
/// Destroys it, and lets go of it.
void end_window(GtkWidget *window);
GtkWidget *new_button(void);
GtkWidget *first_button(GtkWidget *window);
/// A popover of a button, which is shown.
GtkWidget *new_popover(GtkWidget *button);

/// Draws a window's buttons again, and waits for the frame.
void draw(GtkWidget *window);
/// Does what is due.
void settle(void);
/// Lets go of the last reference in another thread.
void unref_elsewhere(GtkWidget *widget);

#endif

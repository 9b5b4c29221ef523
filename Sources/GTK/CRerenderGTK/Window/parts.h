// SPDX-License-Identifier: MIT
// What the files of the window have in common.
#ifndef CRENDER_LOOP_GTK_PARTS_H
#define CRENDER_LOOP_GTK_PARTS_H

#include "../headers.h"
#include "crender_loop_gtk.h"

#ifdef RERENDER_GTK
/// Who is told.
extern struct render_loop_host render_loop_told;

/// Whether a widget is being set by the program: then it was no user.
extern bool render_loop_sets;

/// Tells of something that was done with a widget.
void render_loop_tell(GtkWidget *widget, int32_t kind, double value, const char *text);

/// Has a widget named by a number in input.
void render_loop_number(GtkWidget *widget, uint64_t number);

/// A look as Pango takes it.
PangoAttrList *render_loop_attributes(const struct render_loop_look *look);

/// A canvas for a widget that keeps it.
GtkWidget *render_loop_new_canvas(void);

/// Has a canvas tell its size.
void render_loop_canvas_tells(GtkWidget *canvas);
#endif

#endif

// SPDX-License-Identifier: MIT
// Widgets that are dropped and made anew.
#ifndef CRERENDER_GTK_ANEW_H
#define CRERENDER_GTK_ANEW_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Notes that a widget has got another parent, or none.
void anew_note_parent(GtkWidget *widget);

/// A frame has ended.
void anew_frame_ended(void);

#endif
#endif

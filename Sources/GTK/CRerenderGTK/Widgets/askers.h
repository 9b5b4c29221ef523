// SPDX-License-Identifier: MIT
// Which widget asked for the layout that is drawn next, as `gtk_widget_queue_resize` does.
#ifndef CRERENDER_GTK_ASKERS_H
#define CRERENDER_GTK_ASKERS_H

#include "records.h"

#ifdef RERENDER_GTK

/// Notes that a widget was measured without a size that it has to fit.
///
/// GTK keeps that measure until the widget, or one in it, asks for a layout. So of those that were measured so since the last
/// frame, the innermost ones asked.
void askers_measured(struct record *record);

/// Forgets who asked: a window was drawn.
void askers_drawn(void);

/// The key of the widget that asked for the layout of a widget: one in it, or else one that is as near as possible.
///
/// - Parameter has_more: Set to whether there are others.
/// - Returns: Null where that is the widget itself, or a window, or is not known.
const char *asker_of(const struct record *record, bool *has_more);

#endif
#endif

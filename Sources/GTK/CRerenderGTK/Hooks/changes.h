// SPDX-License-Identifier: MIT
// Notes what happens to widgets between two runs of their `snapshot`.
#ifndef CRERENDER_GTK_CHANGES_H
#define CRERENDER_GTK_CHANGES_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>

/// Replaces what tells a class's widgets of notified properties and of new styles.
///
/// - Returns: False where no stand-in is left.
bool changes_hook(GtkWidgetClass *class);

/// Listens to what GTK emits on all widgets. `is_new` is called for each widget that gets its parent or is realized.
void changes_listen(GType widget_type, void (*is_new)(GtkWidget *widget));

#endif
#endif

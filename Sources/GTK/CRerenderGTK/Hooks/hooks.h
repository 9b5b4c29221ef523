// SPDX-License-Identifier: MIT
// What each hook offers, one set for each file beside this header.
#ifndef CRERENDER_GTK_HOOKS_H
#define CRERENDER_GTK_HOOKS_H

#include "../headers.h"
#include "../Widgets/records.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

struct step;

/// Hooks the classes of all widgets, now if there is one, else when GTK makes the first.
void classes_hook(void);

/// Replaces a class's `snapshot`. False where no stand-in is left.
///
/// - Parameter is_base: Whether it is GtkWidget's.
bool drawing_hook(GtkWidgetClass *class, bool is_base);

/// What is called after the `snapshot` of each widget, to draw over what a window or popover drew; null for nothing.
///
/// What it draws is no part of what is compared, and its time is not the widget's.
extern void (*drawing_draw_over)(GtkWidget *widget, GtkSnapshot *snapshot);

/// What is called for each widget that drew again for a reason of its own, with how often it was drawn and whether that is known
/// to have been needless; null for nothing.
extern void (*drawing_mark)(GtkWidget *widget, uint64_t count, bool is_wasted);

/// How many runs were counted.
extern uint64_t drawing_counted;

/// Says that the next `snapshot` of a window is asked for by the HUD. If nothing else is the reason, it does not count.
void drawing_expect_hud(GtkWidget *root);

/// Replaces a class's `measure` and `size_allocate`. False where no stand-in is left.
bool layout_hook(GtkWidgetClass *class);

/// Replaces a layout manager's `measure` and `allocate`. False where no stand-in is left.
bool layout_hook_manager(GtkLayoutManagerClass *class);

/// The innermost layout on this thread's stack that gives sizes and places; null for none.
struct step *layout_step(void);

/// Asked before GTK gets an event of a surface: whether GTK must not get it. Null without the HUD.
extern bool (*emissions_take_event)(GdkSurface *surface, GdkEvent *event);

/// Times what GTK emits from now on, and what programs and other libraries emit by name. What GObject and GIO emit is not seen.
void emissions_hook(GType widget_type);

/// Replaces what tells a class's widgets of notified properties and of new styles.
///
/// - Returns: False where no stand-in is left.
bool changes_hook(GtkWidgetClass *class);

/// Listens to what GTK emits on all widgets. `is_new` is called for each widget that gets its parent or is realized.
void changes_listen(GType widget_type, void (*is_new)(GtkWidget *widget));

/// Listens no more. Any thread.
void changes_put_back(void);

/// Whether what runs now is a step, or what one led to.
bool steps_has_current(void);

/// Notes a change of a widget that leads to a run of its `snapshot`, or of its layout and that of the widgets around it.
///
/// - Parameter writer: Where the program made the change; 0 where that is not known.
void steps_note(struct record *record, bool draws, bool lays_out, uintptr_t writer);

/// Replaces functions that programs call: idle functions are followed that a run adds.
void steps_hook(void);

/// Tells `report` of a hand-over: `handed PROCESS`, where the running instance is, or 0 where that is not known.
///
/// - Parameter type: GApplication's.
void handover_listen(GType type);
void handover_put_back(void);

/// Times the tick callbacks that the program and its libraries add from now on.
void ticks_hook(void);

#endif
#endif

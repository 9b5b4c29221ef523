// SPDX-License-Identifier: MIT
// What is kept of each widget while it lives.
#ifndef CRERENDER_GTK_RECORDS_H
#define CRERENDER_GTK_RECORDS_H

#include "../headers.h"

#ifdef RERENDER_GTK
#include <stdbool.h>
#include <stdint.h>

#include "crerender_gtk.h"

enum { CRERENDER_GTK_PROPERTIES = 3 };

/// Who made a change.
struct origin {
    /// Where the program made it; 0 where it is not known.
    uintptr_t writer;
    /// What called that, and its function; 0 where it is not known.
    enum crerender_gtk_source source;
    uintptr_t callback;
};

/// What is known to have happened to a widget since its last `snapshot`.
struct facts {
    /// Names of properties that were notified, which GLib keeps for ever; null behind the last.
    const char *properties[CRERENDER_GTK_PROPERTIES];
    /// How many further ones were.
    uint16_t more_properties;
    /// Which of those are of a class of the program's: a bit for each.
    uint8_t own_properties;
    /// State flags that differ.
    uint32_t states;
    bool has_css_class, has_style, has_layout, is_shown;
    /// Whether the program asked for it to be drawn, and for its layout; whether a paintable that it shows has other contents.
    bool is_queued, is_asked, has_contents;
    /// How many changes of models there were by its last `snapshot`; none is known where that is 0.
    uint64_t models;
    /// Whether what GTK draws around a widget in it, or where it draws that, may have changed: no reason, but it is not the same.
    bool has_changed_child;
    /// The key of the first widget in it that got a new style, and whether one of another key did.
    const char *styled_child;
    bool has_more_styled;
    /// Of the first change of a property of GTK's, of the first of one of the program's, of the first one of a CSS class, and of the first call of
    /// `queue_draw` or change of a paintable.
    struct origin changed, own_changed, classed, queued;
};

/// What leads to a run of a widget's function.
struct lead {
    /// The step that wrote, held; null where none is known.
    void *link;
    /// Where it wrote.
    uintptr_t writer;
};

/// One widget.
struct record {
    GtkWidget *widget;
    /// The view that it is an instance of; null until it is drawn, or laid out in a window.
    void *view;
    /// Its layouts, and its drawing where it is a window, as phases of the view; null until they are asked for.
    void *layout, *drawing, *first_drawing;
    /// When it was first drawn as a window; 0 before.
    uint64_t drawn_from;
    /// A number that no other widget has.
    uint64_t instance;
    /// The content of its last `snapshot`; null where it drew nothing.
    GskRenderNode *node;
    /// Whether `node` can be compared with: of this many switches of counting.
    uint32_t generation;
    /// The view's key, kept for ever.
    const char *key;
    struct facts facts;
    struct lead leads_to_drawing, leads_to_layout;
    /// The child that was its reason last, and the number of that reason: its text is made once.
    const char *child;
    bool has_more_children;
    uint32_t child_reason;
    /// The frames before which it, and a widget in it, were measured without a size to fit; see questions.h.
    uint32_t measured_for, measured_inside_for;
    /// When one in it was last; 0 for never.
    uint64_t measured_at;
    /// The size that it had then.
    int width, height;
    /// For Swift, which keeps there where it finds the instance again; 0 at first.
    uint32_t hint;
    /// Of a window, the size that it has.
    int surface_width, surface_height;
    /// Its places as they were asked for last; 0 where they are not known.
    uint64_t places;
    /// How often it was drawn, as far as that counts.
    uint64_t runs;
    /// Layouts that its view was not told of.
    uint64_t layouts, layout_nanoseconds;
    /// Who asked for its layout first, and the frame before which that was; see questions.h.
    struct origin asked;
    uint32_t asked_for;
    /// The frame in which an animation gave it another style; see frame_parts.h.
    uint32_t styled_for;
    /// An address in the function of its tick callback that ran last, where that is the program's and has not ended; 0 where that is not known.
    uintptr_t tick;
    /// Where the program had it spin, as a `GtkSpinner` does, or stop last; 0 where that is not known.
    uintptr_t spun;
    /// What it is in: an address alone, of what may be gone. Null where it is in nothing, and where that is not known.
    const void *put_into;
    /// Whether it was put into something.
    bool was_put;
    /// Whether it was drawn, so that what happens to it is a reason; whether it was looked for a view.
    bool is_drawn, is_named;
    /// Whether its view was told of the layouts: when it is drawn first.
    bool is_listed;
    /// Whether something around the content may have changed: the background, the border, the opacity.
    bool has_frame_changed;
    /// Whether the HUD asked for its next `snapshot`.
    bool is_for_hud;
};

/// The record of a widget; made where it is new.
///
/// - Returns: Null where there is no memory.
struct record *record_of(GtkWidget *widget);

/// The record of a widget; null where it has none.
struct record *known_record_of(GtkWidget *widget);

/// Ends the instance that a widget is, and makes it another one, which was never drawn and has no view.
void record_begin_anew(struct record *record);

/// The record of a widget that was drawn; null of another one.
struct record *drawn_record_of(GtkWidget *widget);

/// Calls `visit` for each widget that was drawn. It must not make or end widgets.
void records_each(void (*visit)(struct record *record, void *context), void *context);

/// The same for each widget with a record, drawn or not.
void records_each_kept(void (*visit)(struct record *record, void *context), void *context);

/// Sets what is told of the end of a widget, what lets go of a step that would have led to its next run, and what is told in front of
/// the end of its record.
void records_set_ended(void (*ended)(void *view, uint64_t instance), void (*forget)(void *step),
                       void (*ends)(const struct record *record));

/// Forgets the content that a widget had.
void record_forget_node(struct record *record);

#endif
#endif

// SPDX-License-Identifier: MIT
// Questions about widgets, one set for each file beside this header: keys, nodes, reasons, writers, facts, sight, pictures, and what is made anew.
#ifndef CRERENDER_GTK_QUESTIONS_H
#define CRERENDER_GTK_QUESTIONS_H

#include "../headers.h"
#include "crerender_gtk.h"
#include "records.h"

#include <stdint.h>

#ifdef RERENDER_GTK
#include <stddef.h>

/// Writes the key of a widget: `OWNER/TYPE#ID`, without what it has none of.
///
/// The owner is the next widget outwards of a type that is not GTK's own, where this one is of GTK's; else, where it is in another
/// widget of GTK's that is more than a container, that one. The id is that of the builder, or the name that the program gave it.
/// Parts of GTK's widgets that have no type of their own go by the name of their CSS node.
void key_of(GtkWidget *widget, char *text, size_t size);
/// Whether a widget is such a part.
bool is_part_of_widget(GtkWidget *widget);
/// The name of a widget's type, as keys have it.
const char *type_name(GtkWidget *widget);

#endif

/// The number of a text; 0 where there is no room for another one.
uint32_t texts_number(const char *text);

/// The text of a number; null of one that was not given.
const char *texts_at(uint32_t number);

#ifdef RERENDER_GTK
#include <stdbool.h>

/// Whether a type is GTK's own, or that of a library of widgets.
bool is_of_toolkit(GType type);

/// Notes that a property was notified, and sets whether it is of a class of the program's. False where that is known already.
bool facts_note_property(struct facts *facts, const GParamSpec *property, bool *is_own);

/// A number for the places and sizes of a widget and of those in it; 0 where that is not known, or where there are more of these.
///
/// What is deeper has another place only if one of these has, or is laid out for itself.
uint64_t places_of(GtkWidget *widget, uint64_t most);

/// Whether a widget that was laid out and those in it are where they were when this was asked last.
bool places_stay(struct record *record);

/// Whether a widget has callbacks that run at each frame: an animation.
bool has_tick(GtkWidget *widget, GdkFrameClock *clock);

/// What is asked of a run.
struct reason_question {
    struct record *record;
    /// What had happened when the run began.
    const struct facts *facts;
    /// The clock of the window's frames; null of the window itself, which listens to its clock in any case.
    GdkFrameClock *clock;
    /// The key of the widget in it that drew again for a reason of its own; null where none did.
    const char *child;
    /// Whether there were several.
    bool has_more_children;
};

/// Why a run was.
struct reason {
    /// A number of `questions.h`; 0 where nothing is known.
    uint32_t text;
    /// Whether a child is the reason.
    bool is_child;
    /// Whether an animation is the reason, or a layout.
    bool is_tick, is_layout;
    /// The widget that asked for the layout, where that is another one; null elsewhere.
    struct record *asker;
    /// Who made the change, or called `queue_draw` in an animation; all 0 where that is not known.
    struct origin origin;
};

/// The reason of a run. The widget's size is taken.
///
/// The first of these that holds: properties, CSS classes, a buffer's text, state, style, size, an adjustment's value, that it is shown again, an
/// animation's tick, `queue_draw`, a paintable's contents, a child, a layout. A property of a class of the program's is left out where a child drew
/// and the program asked for nothing: what such a class does for it is seen, other than what GTK does for its own.
struct reason reason_of(const struct reason_question *asked);

/// Notes that the text of a buffer, or the value of an adjustment, was changed, and by whom.
///
/// Looks for that with the first change since a widget drew it. What was noted of another object may be forgotten for it.
void models_note(void *model);

/// A number that grows with each change; never 0.
uint64_t models_changes(void);

/// Notes that a paintable emits this signal, which says that its contents are others, for the widget that it has a handler for.
void paintables_note(void *paintable, guint signal);

/// Whether a text view's buffer was changed since there was such a number of changes, which is known where it is not 0; sets by whom.
bool models_changed_text(GtkWidget *widget, uint64_t since, struct origin *origin);

/// The same of the adjustments that scroll a widget, or that it shows as a slider.
bool models_changed_value(GtkWidget *widget, uint64_t since, struct origin *origin);

/// Notes that a widget was measured without a size that it has to fit.
///
/// GTK keeps that measure until the widget, or one in it, asks for a layout. So of those that were measured so since the last
/// frame, the innermost ones asked. Widgets around it keep the time.
void askers_measured(struct record *record, uint64_t now);

/// Forgets who asked: a window was drawn.
void askers_drawn(void);

/// The widget that asked for the layout of a widget: one in it, or else one that is as near as possible.
///
/// - Parameter has_more: Set to whether there are others.
/// - Returns: Null where that is the widget itself, or a window, or is not known.
struct record *asker_of(const struct record *record, bool *has_more);

/// The innermost widget in which all of those are that were measured so since the last frame, or else the one that the program called such
/// a function for; null where nothing is known.
struct record *askers_innermost(void);

/// Notes that the program asked for the layout of a widget now, by a call that returns to an address.
void askers_note_call(struct record *record, uintptr_t caller);

/// Who asked for the layout of a widget, and what called that; all 0 where that is not known. Is kept until a window was drawn.
struct origin asker_origin(struct record *record);

/// Forgets a widget that is no more.
void askers_forget_widget(const struct record *record);

/// Says who makes a change now: the innermost function that is neither of GTK and what it stands on, nor of a language's binding, by the
/// address to which it returns; and what of the main loop called it.
///
/// Some microseconds: GTK is unwound by its tables. Not in a signal handler.
///
/// - Parameter writer: The address to which a replaced function returns; 0 for looking for the function that makes the change.
/// - Returns: Without a writer if none is found up to the main loop, or within 48 functions.
struct origin writers_origin(uintptr_t writer);

/// The same for a replaced function alone, by the address to which it returns: GObject calls it where a program connected it to a signal.
uintptr_t writers_caller(uintptr_t address);

/// The place of a script's function that a binding calls for a callback with its data, or for a closure with its marshaller; 0 where the
/// callback is the program's own, and where it is not known.
uintptr_t writers_script(uintptr_t callback, const void *data);

/// Whether a function is the program's: neither of GTK and what it stands on, nor of a binding. On the thread that counts.
bool writers_know(uintptr_t function);

enum comparison { NODES_SAME, NODES_DIFFER, NODES_UNKNOWN };

/// Compares two nodes by what they draw.
///
/// Not known where it takes more than some hundred looks, and where they have textures or fonts that are different objects: what is in
/// those is not looked at. Of what cairo draws it is known in a sample of frames alone; see questions.h.
enum comparison nodes_compare(GskRenderNode *one, GskRenderNode *other);

#endif

#ifdef RERENDER_GTK
/// Notes that a widget has got another parent, or none.
void anew_note_parent(GtkWidget *widget);

/// A frame has ended.
void anew_frame_ended(void);

/// Puts the facts of a kind in the place of those that were there. Where another thread reads at this moment, nothing is put, and the
/// next call does it.
///
/// - Parameter epoch: What `fact_table_epoch` returned when the facts began.
/// - Returns: False where another thread reads.
bool fact_table_put(enum crerender_fact_kind kind, const struct crerender_fact *facts, size_t count, uint32_t epoch);

/// How often the facts were forgotten. What was counted before is of no use.
uint32_t fact_table_epoch(void);

/// A frame begins to be painted.
///
/// - Parameter is_steady: Whether frames have come for some seconds without input. In others no picture is looked at, and nothing is kept.
void pictures_begin(bool is_steady);

/// What was found in a frame.
struct pictures_frame {
    /// What comparing took of the thread's processor time.
    uint64_t processor;
    /// Whether pictures of it were looked at.
    bool is_looked_at;
};

/// The frame has been painted. Tells the main loop's account of the sample that it ends, if it ends one.
///
/// - Parameters:
///   - counts: Whether the frame does.
///   - seen: What is known of all that drew in it.
struct pictures_frame pictures_end(bool counts, enum comparison seen);

/// Compares two nodes of one kind with the same bounds: what cairo draws, or textures.
///
/// Only between `pictures_begin` and `pictures_end`, and only if the first one was looked at in a frame of this sample. Two pictures are taken
/// for the same if the hash of their pixels is, which has 64 bits. They are drawn at one pixel a point.
enum comparison pictures_compare(GskRenderNode *one, GskRenderNode *other);

/// Why a widget is not visible, such as `its page of GtkStack is not shown`, kept for ever; null where it is, or where that is not known.
///
/// Some microseconds. For the end of a frame: what is asked of GTK is known then, and nothing is computed or drawn for it.
const char *sight_obstacle(const struct record *record);

#endif
#endif

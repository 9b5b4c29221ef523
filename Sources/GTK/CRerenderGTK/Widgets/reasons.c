// SPDX-License-Identifier: MIT
// Makes the texts of reasons: from what happened to a widget and to the buffers it shows, and from who asked for its layout.

#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"

#include <stdio.h>
#include <string.h>

bool facts_note_property(struct facts *facts, const GParamSpec *property, bool *is_own) {
    *is_own = false;
    for (int index = 0; index < CRERENDER_GTK_PROPERTIES; index++) {
        if (facts->properties[index] == property->name) return false;
        if (facts->properties[index]) continue;
        facts->properties[index] = property->name;
        *is_own = !is_of_toolkit(property->owner_type);
        if (*is_own) facts->own_properties |= (uint8_t)(1 << index);
        return true;
    }
    if (facts->more_properties < UINT16_MAX) facts->more_properties++;
    return false;
}

// MARK: Texts

static const struct {
    uint32_t flag;
    const char *name;
} states[] = {
    {GTK_STATE_FLAG_ACTIVE, "active"},
    {GTK_STATE_FLAG_PRELIGHT, "hover"},
    {GTK_STATE_FLAG_SELECTED, "selected"},
    {GTK_STATE_FLAG_INSENSITIVE, "disabled"},
    {GTK_STATE_FLAG_INCONSISTENT, "inconsistent"},
    {GTK_STATE_FLAG_FOCUSED, "focus"},
    {GTK_STATE_FLAG_BACKDROP, "backdrop"},
    {GTK_STATE_FLAG_DIR_LTR, "left to right"},
    {GTK_STATE_FLAG_DIR_RTL, "right to left"},
    {GTK_STATE_FLAG_LINK, "link"},
    {GTK_STATE_FLAG_VISITED, "visited"},
    {GTK_STATE_FLAG_CHECKED, "checked"},
    {GTK_STATE_FLAG_DROP_ACTIVE, "drop"},
    {GTK_STATE_FLAG_FOCUS_VISIBLE, "focus-visible"},
    {GTK_STATE_FLAG_FOCUS_WITHIN, "focus-within"},
};

static uint32_t state_reason(uint32_t flags) {
    // Where the widget itself got or lost the focus, the others follow.
    if (flags & GTK_STATE_FLAG_FOCUSED)
        flags &= ~(uint32_t)(GTK_STATE_FLAG_FOCUS_VISIBLE | GTK_STATE_FLAG_FOCUS_WITHIN);
    char text[256] = "state";
    size_t length = strlen(text);
    for (size_t index = 0; index < sizeof states / sizeof *states; index++) {
        if (!(flags & states[index].flag) || length >= sizeof text - 32) continue;
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s", length > 5 ? "+" : " ", states[index].name);
    }
    return texts_number(length > 5 ? text : "state");
}

static uint32_t property_reason(const struct facts *facts, unsigned left_out) {
    char text[512] = "property";
    size_t length = strlen(text);
    const char *before = " ";
    for (int index = 0; index < CRERENDER_GTK_PROPERTIES && facts->properties[index]; index++) {
        if (left_out >> index & 1) continue;
        int added = snprintf(text + length, sizeof text - length, "%s%s", before, facts->properties[index]);
        if (added < 0 || (size_t)added >= sizeof text - length) break;
        length += (size_t)added;
        before = "+";
    }
    if (facts->more_properties) snprintf(text + length, sizeof text - length, " and others");
    return texts_number(text);
}

static uint32_t child_reason(struct record *record, const char *child, bool has_more) {
    if (record->child == child && record->has_more_children == has_more) return record->child_reason;
    char text[512];
    snprintf(text, sizeof text, "child %s%s", child, has_more ? " and others" : "");
    record->child = child;
    record->has_more_children = has_more;
    return record->child_reason = texts_number(text);
}

/// The reasons that have one text each.
enum fixed { CSS_CLASS, BUFFER_TEXT, STYLE, SIZE, ADJUSTMENT_VALUE, AGAIN, TICK, QUEUE_DRAW, CONTENTS, LAYOUT, FIXED };
static const char *const fixed_texts[FIXED] = {"CSS class",          "buffer text", "style", "size",
                                               "adjustment value",   "shown again", "tick",  "queue_draw",
                                               "paintable contents", "layout"};

static uint32_t fixed_reason(enum fixed reason) {
    static uint32_t numbers[FIXED];
    if (!numbers[reason]) numbers[reason] = texts_number(fixed_texts[reason]);
    return numbers[reason];
}

/// What a layout did to a widget, with the one that asked for it.
static uint32_t layout_reason(const struct record *record, enum fixed what, struct reason *reason) {
    bool has_more;
    reason->is_layout = true;
    reason->asker = asker_of(record, &has_more);
    if (!reason->asker || !reason->asker->key) return fixed_reason(what);
    // Of several, each may have been asked by somebody else.
    if (!has_more) reason->origin = asker_origin(reason->asker);
    char text[512];
    snprintf(text, sizeof text, "%s for %s%s", fixed_texts[what], reason->asker->key, has_more ? " and others" : "");
    return texts_number(text);
}

// MARK: What happened

bool has_tick(GtkWidget *widget, GdkFrameClock *clock) {
    static guint update;
    if (!clock) return false;
    if (!update) update = gtk.g_signal_lookup("update", ((GTypeInstance *)clock)->g_class->g_type);
    // GTK connects the widget to its clock where it has such callbacks.
    return update &&
           gtk.g_signal_handler_find(clock, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, update, 0, NULL, NULL, widget);
}

static bool takes_new_size(struct record *record) {
    int width = gtk.gtk_widget_get_width(record->widget), height = gtk.gtk_widget_get_height(record->widget);
    bool is_new = record->is_drawn && (width != record->width || height != record->height);
    record->width = width;
    record->height = height;
    if (is_new) record->has_frame_changed = true;
    return is_new;
}

/// Which properties are no reason, by their bits. A widget in it drew, so this one did in any case. GTK alone can have it drawn by a call that is
/// not seen, for a property of its own.
static unsigned idle_properties(const struct reason_question *asked) {
    const struct facts *facts = asked->facts;
    return asked->child && !facts->is_queued && !facts->is_asked ? facts->own_properties : 0;
}

/// The reason by properties that were notified; 0 where none of them is one.
static uint32_t notified_reason(const struct reason_question *asked, struct origin *origin) {
    const struct facts *facts = asked->facts;
    unsigned left_out = idle_properties(asked);
    int first = 0;
    while (first < CRERENDER_GTK_PROPERTIES && left_out >> first & 1) first++;
    // Whose the others are is not known.
    if (first == CRERENDER_GTK_PROPERTIES && facts->more_properties) first = left_out = 0;
    if (first == CRERENDER_GTK_PROPERTIES || !facts->properties[first]) return 0;
    *origin = facts->own_properties >> first & 1 ? facts->own_changed : facts->changed;
    return property_reason(facts, left_out);
}

/// What the program did to the widget; 0 for nothing.
static uint32_t written_reason(const struct reason_question *asked, struct origin *origin) {
    const struct facts *facts = asked->facts;
    uint32_t notified = notified_reason(asked, origin);
    if (notified) return notified;
    *origin = facts->classed;
    if (facts->has_css_class) return fixed_reason(CSS_CLASS);
    *origin = (struct origin){0};
    return models_changed_text(asked->record->widget, facts->models, origin) ? fixed_reason(BUFFER_TEXT) : 0;
}

/// What happened to the widget otherwise; 0 for nothing.
static uint32_t other_reason(const struct record *record, const struct facts *facts, bool has_new_size,
                             struct reason *reason) {
    if (facts->states) return state_reason(facts->states);
    if (facts->has_style) return fixed_reason(STYLE);
    if (has_new_size) return layout_reason(record, SIZE, reason);
    if (models_changed_value(record->widget, facts->models, &reason->origin)) return fixed_reason(ADJUSTMENT_VALUE);
    return facts->is_shown ? fixed_reason(AGAIN) : 0;
}

/// Why it draws without a change that is known; 0 for nothing.
static uint32_t drawing_reason(const struct reason_question *asked, struct reason *reason) {
    const struct facts *facts = asked->facts;
    reason->origin = facts->queued;
    reason->is_tick = has_tick(asked->record->widget, asked->clock);
    if (reason->is_tick) return fixed_reason(TICK);
    if (facts->is_queued) return fixed_reason(QUEUE_DRAW);
    return facts->has_contents ? fixed_reason(CONTENTS) : 0;
}

/// What a layout is for: a widget that asked for it or, where none did, one with a new style, as a spinner that is turned by its CSS.
static uint32_t placing_reason(const struct reason_question *asked, struct reason *reason) {
    const struct facts *facts = asked->facts;
    bool has_more;
    if (!facts->styled_child || asker_of(asked->record, &has_more)) return layout_reason(asked->record, LAYOUT, reason);
    reason->is_layout = true;
    char text[512];
    snprintf(text, sizeof text, "style of %s%s", facts->styled_child, facts->has_more_styled ? " and others" : "");
    return texts_number(text);
}

struct reason reason_of(const struct reason_question *asked) {
    struct reason reason = {0};
    bool has_new_size = takes_new_size(asked->record);
    reason.text = written_reason(asked, &reason.origin);
    if (!reason.text) reason.text = other_reason(asked->record, asked->facts, has_new_size, &reason);
    if (!reason.text) reason.text = drawing_reason(asked, &reason);
    if (reason.text) return reason;
    reason.is_child = asked->child != NULL;
    if (reason.is_child)
        reason.text = child_reason(asked->record, asked->child, asked->has_more_children);
    else if (asked->facts->has_layout)
        reason.text = placing_reason(asked, &reason);
    return reason;
}

/// An object that is gone may be among them: what was noted of it is older than what draws another one at its place.
enum { PLACES = 256 };
static struct {
    const void *model;
    /// The number of its last change.
    uint64_t change;
    /// Whether a widget has drawn it since its first change with this origin.
    bool is_drawn;
    struct origin origin;
} changed[PLACES];
/// 0 stands for what is not known.
static uint64_t changes = 1;

static size_t place_of(const void *model) {
    return (size_t)(((uintptr_t)model >> 4) * 0x9e3779b97f4a7c15u >> 20) % PLACES;
}

void models_note(void *model) {
    size_t place = place_of(model);
    if (changed[place].model != model || changed[place].is_drawn) changed[place].origin = writers_origin(0);
    changed[place].model = model;
    changed[place].is_drawn = false;
    changed[place].change = ++changes;
}

uint64_t models_changes(void) { return changes; }

static bool has_changed(const void *model, uint64_t since, struct origin *origin) {
    size_t place = place_of(model);
    if (!model || changed[place].model != model || changed[place].change <= since) return false;
    changed[place].is_drawn = true;
    *origin = changed[place].origin;
    return true;
}

/// Whether a widget is of a type, which is looked for until GTK has made it.
static bool is_a(GtkWidget *widget, GType *type, const char *name) {
    if (!*type) *type = gtk.g_type_from_name(name);
    return *type && gtk.g_type_check_instance_is_a((GTypeInstance *)widget, *type);
}

bool models_changed_text(GtkWidget *widget, uint64_t since, struct origin *origin) {
    static GType view;
    if (!since || changes == since || !is_a(widget, &view, "GtkTextView")) return false;
    return has_changed(gtk.gtk_text_view_get_buffer((GtkTextView *)widget), since, origin);
}

bool models_changed_value(GtkWidget *widget, uint64_t since, struct origin *origin) {
    static GType range, scrollable;
    if (!since || changes == since) return false;
    if (is_a(widget, &range, "GtkRange"))
        return has_changed(gtk.gtk_range_get_adjustment((GtkRange *)widget), since, origin);
    if (!is_a(widget, &scrollable, "GtkScrollable")) return false;
    return has_changed(gtk.gtk_scrollable_get_vadjustment((GtkScrollable *)widget), since, origin) ||
           has_changed(gtk.gtk_scrollable_get_hadjustment((GtkScrollable *)widget), since, origin);
}

/// The number of the frame that comes next.
static uint32_t frame = 1;

/// A paintable and the widget that its handler is for. Both may be no more: GObject is asked before that counts.
static struct shown {
    void *paintable;
    /// The number of the signal.
    guint signal;
    GtkWidget *widget;
    /// How often no widget was known.
    unsigned misses;
} shown[PLACES];

static bool is_for(const struct shown *place, GtkWidget *widget) {
    GSignalMatchType match = G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA;
    return gtk.g_signal_handler_find(place->paintable, match, place->signal, 0, NULL, NULL, widget);
}

static void look_for_widget(struct record *record, void *context) {
    struct shown *place = context;
    if (!place->widget && is_for(place, record->widget)) place->widget = record->widget;
}

/// All widgets are asked for so many paintables in a frame, and again for each so many changes of one without a widget.
enum { MOST_SEARCHES = 2, MISSES = 64 };

/// The widget that shows it; null where none is known to.
static GtkWidget *widget_of(void *paintable, guint signal) {
    static uint32_t searched_for, searches;
    struct shown *place = &shown[place_of(paintable)];
    bool is_known = place->paintable == paintable;
    if (is_known && place->widget && is_for(place, place->widget)) return place->widget;
    if (is_known && !place->widget && place->misses++ % MISSES) return NULL;
    if (searched_for != frame) searches = 0;
    searched_for = frame;
    if (searches++ >= MOST_SEARCHES) return NULL;
    *place = (struct shown){paintable, signal, NULL, 1};
    records_each_kept(look_for_widget, place);
    return place->widget;
}

void paintables_note(void *paintable, guint signal) {
    GtkWidget *widget = widget_of(paintable, signal);
    struct record *record = widget ? known_record_of(widget) : NULL;
    if (!record || record->facts.has_contents) return;
    record->facts.has_contents = true;
    if (!record->facts.is_queued) record->facts.queued = writers_origin(0);
}

/// So many records are looked at for one widget. Where that is too few, it is not known who asked.
enum { MOST_LOOKS = 1024 };

/// The first widget that was measured so, and the last one that the program called a function for.
static struct record *measured, *called;

void askers_drawn(void) {
    frame++;
    measured = called = NULL;
}

void askers_measured(struct record *record, uint64_t now) {
    if (!measured) measured = record;
    record->measured_for = frame;
    GtkWidget *outer = gtk.gtk_widget_get_parent(record->widget);
    for (; outer; outer = gtk.gtk_widget_get_parent(outer)) {
        struct record *around = record_of(outer);
        if (!around || around->measured_inside_for == frame) return;
        around->measured_inside_for = frame;
        around->measured_at = now;
    }
}

static bool is_marked(const struct record *record) {
    return record && (record->measured_for == frame || record->measured_inside_for == frame);
}

/// The first marked widget in one; null without one, or if looks are used up.
static struct record *marked_inside(GtkWidget *widget, int *looks, bool *has_more) {
    struct record *found = NULL;
    for (GtkWidget *inner = gtk.gtk_widget_get_first_child(widget); inner;
         inner = gtk.gtk_widget_get_next_sibling(inner)) {
        if (--*looks < 0) return NULL;
        struct record *record = record_of(inner);
        if (!is_marked(record)) continue;
        if (found) {
            *has_more = true;
            return found;
        }
        found = record;
    }
    return found;
}

struct record *asker_of(const struct record *record, bool *has_more) {
    *has_more = false;
    int looks = MOST_LOOKS;
    GtkWidget *widget = record->widget;
    struct record *asker = is_marked(record) ? record_of(widget) : NULL;
    while (!is_marked(asker)) {
        widget = gtk.gtk_widget_get_parent(widget);
        if (!widget || --looks < 0) return NULL;
        asker = record_of(widget);
    }
    while (asker && asker->measured_inside_for == frame) {
        asker = marked_inside(widget, &looks, has_more);
        if (asker) widget = asker->widget;
    }
    // A window asks where the program gives it a size.
    return asker && asker != record && gtk.gtk_widget_get_parent(widget) ? asker : NULL;
}

struct record *askers_innermost(void) {
    if (!measured) return called;
    struct record *found = measured;
    for (GtkWidget *outer = found->widget; outer; outer = gtk.gtk_widget_get_parent(outer)) {
        struct record *around = known_record_of(outer);
        if (is_marked(around)) found = around;
    }
    int looks = MOST_LOOKS;
    bool has_more = false;
    while (found->measured_inside_for == frame) {
        struct record *inner = marked_inside(found->widget, &looks, &has_more);
        if (!inner || has_more) break;
        found = inner;
    }
    return found;
}

void askers_note_call(struct record *record, uintptr_t caller) {
    called = record;
    record->facts.is_asked = true;
    if (record->asked_for == frame) return;
    record->asked_for = frame;
    record->asked = writers_origin(caller);
}

struct origin asker_origin(struct record *record) {
    const struct facts *facts = &record->facts;
    const struct origin *changed = facts->changed.writer ? &facts->changed : &facts->own_changed;
    if (record->asked_for == frame && record->asked.writer) return record->asked;
    if (!changed->writer) return *changed;
    // Its own drawing ends the fact, and those that are drawn for its layout may come later.
    record->asked_for = frame;
    return record->asked = *changed;
}

void askers_forget_widget(const struct record *record) {
    if (called == record) called = NULL;
    if (measured == record) measured = NULL;
}
#endif

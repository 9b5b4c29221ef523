// SPDX-License-Identifier: MIT
// Notes notified properties, new states and styles, and widgets that are shown.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/frame_parts.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

#include <string.h>

static void (*widget_is_new)(GtkWidget *widget);

// MARK: Properties

/// Properties that no widget draws: a change of them is no reason.
static bool is_drawn(const char *name) {
    static const char *const others[] = {"parent", "root", "cursor", "has-focus", "has-tooltip", "tooltip-text",
                                         "tooltip-markup", "mnemonic-widget", "focus-widget", "default-widget",
                                         "is-active",
                                         // GTK notifies of these where the content resizes the window.
                                         "default-width", "default-height"};
    for (size_t index = 0; index < sizeof others / sizeof *others; index++)
        if (strcmp(name, others[index]) == 0) return false;
    return true;
}

/// Properties that change what GTK draws around the content.
static bool is_of_frame(const char *name) { return strcmp(name, "opacity") == 0 || strcmp(name, "overflow") == 0; }

/// Who made a change, for the step that it leads to: that of the first one, or whoever makes it now. Looked for where a step runs.
static uintptr_t writer_of_step(bool is_first, const struct origin *first, uintptr_t caller) {
    if (is_first) return first->writer;
    return steps_has_current() ? writers_origin(caller).writer : 0;
}

/// Notes a change that the program may have made, and who made it.
static void note_write(struct record *record, const GParamSpec *property) {
    struct facts *facts = &record->facts;
    bool is_class = strcmp(property->name, "css-classes") == 0, is_own = false;
    bool is_new = is_class ? !facts->has_css_class : facts_note_property(facts, property, &is_own);
    if (is_class) facts->has_css_class = true;
    // Another function may set the class, or another property, than the one that writes the property that is the reason.
    struct origin *origin = is_class ? &facts->classed : is_own ? &facts->own_changed : &facts->changed;
    bool is_first = is_new && !origin->writer;
    if (is_first) *origin = writers_origin(0);
    steps_note(record, true, true, writer_of_step(is_first, origin, 0));
}

/// Notes that GTK may draw something else around a widget, or not draw it at all, which its `snapshot` does not see. Returns the facts of the
/// widget that it is in; null where that was not drawn.
static struct facts *note_frame(struct record *record) {
    record->has_frame_changed = true;
    GtkWidget *outer = gtk.gtk_widget_get_parent(record->widget);
    struct record *around = outer ? drawn_record_of(outer) : NULL;
    if (!around) return NULL;
    around->facts.has_changed_child = true;
    return &around->facts;
}

/// Properties on which a widget's key depends. Its root is told anew where it, or a widget around it, gets another parent.
static bool is_in_key(const char *name) { return strcmp(name, "root") == 0 || strcmp(name, "name") == 0; }

/// Notes who has a widget spin or pulse: what asks for frames from then on is GTK. That may be before it is drawn.
static void note_spinning(GtkWidget *widget, uintptr_t caller) {
    struct record *record = record_of(widget);
    if (record) record->spun = writers_origin(caller).writer;
}

static void note_property(GtkWidget *widget, const GParamSpec *property) {
    const char *name = property->name;
    bool is_parent = strcmp(name, "parent") == 0;
    if (is_parent || strcmp(name, "root") == 0) widget_is_new(widget);
    if (is_parent) anew_note_parent(widget);
    if (is_in_key(name)) part_rename(widget);
    if (strcmp(name, "spinning") == 0) note_spinning(widget, 0);
    struct record *record = drawn_record_of(widget);
    if (!record || !is_drawn(name)) return;
    if (is_of_frame(name)) note_frame(record);
    note_write(record, property);
}

typedef void (*dispatch)(GObject *object, guint count, GParamSpec **properties);

static void properties_changed(void *original, GObject *object, guint count, GParamSpec **properties) {
    bool counts = part_counts();
    for (guint index = 0; index < count; index++) {
        if (counts)
            note_property((GtkWidget *)object, properties[index]);
        else if (!part_has_thread() && strcmp(properties[index]->name, "parent") == 0)
            // Its layout may come before it is realized.
            widget_is_new((GtkWidget *)object);
    }
    ((dispatch)original)(object, count, properties);
}

static struct slots dispatches;
#define DISPATCH(number) \
    static void dispatch_##number(GObject *object, guint count, GParamSpec **properties) { \
        properties_changed(dispatches.originals[number], object, count, properties); \
    }
SLOTS_ALL(DISPATCH)
#define ENTRY(number) (void *)dispatch_##number,
static void *const dispatch_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
static struct slots dispatches = {.name = "dispatch_properties_changed", .functions = dispatch_functions};

// MARK: Styles

/// Notes that a widget has a new style: where GTK draws it may be another place, which is the matter of what it is in.
static void note_styled(struct facts *around, const char *key) {
    if (!around) return;
    if (!around->styled_child)
        around->styled_child = key;
    else if (around->styled_child != key)
        around->has_more_styled = true;
}

typedef void (*css_changed)(GtkWidget *widget, GtkCssStyleChange *change);

/// Notes a new style: a class or a state changed it, or an animation. That may be one of a widget that is never drawn.
static void note_style(struct record *record, bool is_new) {
    bool is_animated = !record->facts.has_css_class && !record->facts.states;
    if (is_animated && !is_new) causes_note_style(record);
    if (!record->is_drawn) return;
    record->facts.has_style = true;
    if (is_animated) steps_note_outside();
    note_styled(note_frame(record), record->key);
}

/// The record of a widget that gets a style. One that is never drawn has none yet; a widget that ends has no parent, and gets none.
static struct record *record_with_style(GtkWidget *widget, const GtkCssStyleChange *change) {
    return change && gtk.gtk_widget_get_parent(widget) ? record_of(widget) : known_record_of(widget);
}

static void style_changed(void *original, GtkWidget *widget, GtkCssStyleChange *change) {
    bool counts = part_counts();
    struct record *record = counts ? record_with_style(widget, change) : NULL;
    // A widget that gets its first style has no change of it.
    if (record) note_style(record, !change);
    // What finds out styles calls back: that is another part of the update.
    uint32_t around = counts ? part_entered(CRERENDER_GTK_PART_UPDATE) : 0;
    ((css_changed)original)(widget, change);
    if (counts) part_left(around);
}

static struct slots styles;
#define STYLE(number) \
    static void style_##number(GtkWidget *widget, GtkCssStyleChange *change) { \
        style_changed(styles.originals[number], widget, change); \
    }
SLOTS_ALL(STYLE)
#define ENTRY(number) (void *)style_##number,
static void *const style_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
static struct slots styles = {.name = "css_changed", .functions = style_functions};

bool changes_hook(GtkWidgetClass *class) {
    GObjectClass *object_class = (GObjectClass *)class;
    bool has_room =
        slots_replace(&dispatches, (GTypeClass *)class, (void **)&object_class->dispatch_properties_changed);
    return slots_replace(&styles, (GTypeClass *)class, (void **)&class->css_changed) && has_room;
}

// MARK: Calls of the program

/// In the place of GTK's, for the program and its libraries.
static void queue_draw(GtkWidget *widget) {
    struct record *record = part_counts() ? drawn_record_of(widget) : NULL;
    if (record) {
        record->facts.is_queued = true;
        uintptr_t caller = (uintptr_t)__builtin_return_address(0);
        bool is_first = !record->facts.queued.writer;
        if (is_first) record->facts.queued = writers_origin(caller);
        steps_note(record, true, false, writer_of_step(is_first, &record->facts.queued, caller));
    }
    gtk.gtk_widget_queue_draw(widget);
}

static void progress_bar_pulse(GtkProgressBar *bar) {
    if (part_counts()) note_spinning((GtkWidget *)bar, (uintptr_t)__builtin_return_address(0));
    gtk.gtk_progress_bar_pulse(bar);
}

// MARK: Signals

static GtkWidget *emitter(const GValue *values) { return values[0].data[0].v_pointer; }

static gboolean state_changed(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
    (void)hint, (void)context;
    struct record *record = part_counts() && count > 1 ? drawn_record_of(emitter(values)) : NULL;
    if (record) {
        record->facts.states |= gtk.g_value_get_flags(&values[1]) ^ gtk.gtk_widget_get_state_flags(record->widget);
        steps_note(record, true, false, 0);
    }
    return TRUE;
}

static gboolean realized(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
    (void)hint, (void)context;
    // GTK's thread is the one that realizes the first widget. Classes may be made on another one.
    if (!part_has_thread()) part_take_thread();
    if (part_counts() && count) widget_is_new(emitter(values));
    return TRUE;
}

static gboolean shown(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
    (void)hint, (void)context;
    struct record *record = part_counts() && count ? drawn_record_of(emitter(values)) : NULL;
    // What it drew is not on the screen any more.
    if (record) {
        record->facts.is_shown = true;
        note_frame(record);
    }
    return TRUE;
}

static gboolean hidden(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer context) {
    (void)hint, (void)context;
    GtkWidget *outer = part_counts() && count ? gtk.gtk_widget_get_parent(emitter(values)) : NULL;
    struct record *record = outer ? drawn_record_of(outer) : NULL;
    // It draws without this one from now on.
    if (record) record->facts.has_layout = true;
    return TRUE;
}

static struct {
    const char *name;
    GSignalEmissionHook function;
    guint signal;
    gulong hook;
} heard[] = {{"state-flags-changed", state_changed, 0, 0},
             {"realize", realized, 0, 0},
             {"map", shown, 0, 0},
             {"unmap", hidden, 0, 0}};
enum { HEARD = sizeof heard / sizeof *heard };

void changes_put_back(void) {
    for (size_t index = 0; index < HEARD; index++) {
        gulong hook = __atomic_exchange_n(&heard[index].hook, 0, __ATOMIC_ACQ_REL);
        if (hook) gtk.g_signal_remove_emission_hook(heard[index].signal, hook);
    }
}

void changes_listen(GType widget_type, void (*is_new)(GtkWidget *widget)) {
    widget_is_new = is_new;
    imports_replace("gtk_widget_queue_draw", (void *)queue_draw, false);
    imports_replace("gtk_progress_bar_pulse", (void *)progress_bar_pulse, false);
    steps_hook();
    ticks_hook();
    for (size_t index = 0; index < HEARD; index++) {
        guint signal = heard[index].signal = gtk.g_signal_lookup(heard[index].name, widget_type);
        gulong hook = signal ? gtk.g_signal_add_emission_hook(signal, 0, heard[index].function, NULL, NULL) : 0;
        __atomic_store_n(&heard[index].hook, hook, __ATOMIC_RELEASE);
    }
}
#endif

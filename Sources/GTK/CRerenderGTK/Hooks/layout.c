// SPDX-License-Identifier: MIT
// Counts and times how widgets are measured and given their sizes, without the widgets in them.

#include "hooks.h"

#ifdef RERENDER_GTK
#include "../Frames/frame_parts.h"
#include "../functions.h"
#include "../part.h"
#include "../Replacement/replacement.h"
#include "../Widgets/questions.h"

/// A layout of a widget. Kept here and not on the stack: a program may leave it by a jump.
struct phase {
    /// The place on the stack of the call that it is of, as in runs.c.
    uintptr_t place;
    GtkWidget *widget;
    bool is_measure;
    /// Whether it is measured without a size to fit.
    bool is_free;
    bool has_span;
    uint64_t began;
    /// What the layouts in it took.
    uint64_t inner;
    /// The layout as a step, where it gives sizes and places.
    struct step step;
};

/// Deeper ones are part of what is around them.
enum { MOST_PHASES = 4096 };
static struct phase phases[MOST_PHASES];
static size_t count;

/// The phase of a widget's view. A widget has its place, and so its name, once it is in a window.
static void *phase_of(GtkWidget *widget) {
    struct record *record = record_of(widget);
    if (!record) return NULL;
    if (!record->is_named && gtk.gtk_widget_get_root(widget)) part_name(record);
    return record->layout;
}

/// Forgets the phases of calls below a place, which were left by a jump.
static void forget_below(uintptr_t place) {
    while (count > 0 && phases[count - 1].place < place) step_ended(&phases[--count].step);
}

struct step *layout_step(void) {
    char place = 0;
    // One that was left by a jump lies deeper than this call.
    if (count == 0 || phases[count - 1].place < (uintptr_t)&place) return NULL;
    return phases[count - 1].step.widget ? &phases[count - 1].step : NULL;
}

/// Begins a phase of the call that a place on the stack is in. False where nothing counts, and where a class's function calls its
/// parent's.
static bool begin(const char *place, GtkWidget *widget, bool is_measure, bool is_free) {
    if (!part_counts() || !spans_is_own_stack(place)) return false;
    forget_below((uintptr_t)place + 1);
    const struct phase *outer = count > 0 ? &phases[count - 1] : NULL;
    if (outer && outer->widget == widget && outer->is_measure == is_measure) return false;
    if (count == MOST_PHASES) return false;
    struct phase *phase = &phases[count++];
    *phase = (struct phase){.place = (uintptr_t)place, .widget = widget, .is_measure = is_measure, .is_free = is_free};
    void *view_phase = phase_of(widget);
    phase->has_span = view_phase && spans_begin(view_phase, place, &phase->began);
    if (!phase->has_span) phase->began = part_now();
    struct record *record = is_measure ? NULL : drawn_record_of(widget);
    const struct step *around = outer && outer->step.widget ? &outer->step : NULL;
    if (record) phase->step = step_began(record, true, &record->leads_to_layout, around);
    return true;
}

static void end(const char *place) {
    forget_below((uintptr_t)place);
    if (count == 0 || phases[count - 1].place != (uintptr_t)place) return;
    struct phase *phase = &phases[--count];
    if (phase->step.link) steps_note_size(&phase->step);
    step_ended(&phase->step);
    uint64_t ended = phase->has_span ? spans_end(place) : part_now();
    uint64_t all = ended > phase->began ? ended - phase->began : 0;
    if (count > 0)
        phases[count - 1].inner += all;
    else
        frames_add_layout(all);
    struct record *record = record_of(phase->widget);
    if (!record) return;
    if (!phase->is_measure) record->facts.has_layout = true;
    if (phase->is_free) askers_measured(record, ended);
    uint64_t own = all > phase->inner ? all - phase->inner : 0;
    // A widget that is never drawn has no row.
    if (record->is_listed && record->view) return part.swift.laid_out(record->view, 1, own);
    record->layouts++;
    record->layout_nanoseconds += own;
}

// MARK: Widgets

typedef void (*measure)(GtkWidget *, GtkOrientation, int, int *, int *, int *, int *);
typedef void (*allocate)(GtkWidget *, int, int, int);

static void measure_runs(void *original, GtkWidget *widget, GtkOrientation orientation, int size, int *least,
                         int *natural, int *least_baseline, int *natural_baseline) {
    char place = 0;
    bool counts = begin(&place, widget, true, size < 0);
    ((measure)original)(widget, orientation, size, least, natural, least_baseline, natural_baseline);
    if (counts) end(&place);
}

static void allocate_runs(void *original, GtkWidget *widget, int width, int height, int baseline) {
    char place = 0;
    bool counts = begin(&place, widget, false, false);
    ((allocate)original)(widget, width, height, baseline);
    if (counts) end(&place);
}

static struct slots measures, allocates;
#define MEASURE(number) \
    static void measure_##number(GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural, \
                                 int *least_baseline, int *natural_baseline) { \
        measure_runs(measures.originals[number], widget, orientation, size, least, natural, least_baseline, \
                     natural_baseline); \
    } \
    static void allocate_##number(GtkWidget *widget, int width, int height, int baseline) { \
        allocate_runs(allocates.originals[number], widget, width, height, baseline); \
    }
SLOTS_ALL(MEASURE)
#define ENTRY(number) (void *)measure_##number,
static void *const measure_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
#define ENTRY(number) (void *)allocate_##number,
static void *const allocate_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
static struct slots measures = {.name = "measure", .functions = measure_functions},
                    allocates = {.name = "size_allocate", .functions = allocate_functions};

bool layout_hook(GtkWidgetClass *class) {
    bool has_room = slots_replace(&measures, (GTypeClass *)class, (void **)&class->measure);
    return slots_replace(&allocates, (GTypeClass *)class, (void **)&class->size_allocate) && has_room;
}

// MARK: Layout managers

typedef void (*manager_measure)(GtkLayoutManager *, GtkWidget *, GtkOrientation, int, int *, int *, int *, int *);
typedef void (*manager_allocate)(GtkLayoutManager *, GtkWidget *, int, int, int);

static void manager_measures(void *original, GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                             int size, int *least, int *natural, int *least_baseline, int *natural_baseline) {
    char place = 0;
    bool counts = begin(&place, widget, true, size < 0);
    ((manager_measure)original)(manager, widget, orientation, size, least, natural, least_baseline, natural_baseline);
    if (counts) end(&place);
}

static void manager_allocates(void *original, GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                              int baseline) {
    char place = 0;
    bool counts = begin(&place, widget, false, false);
    ((manager_allocate)original)(manager, widget, width, height, baseline);
    if (counts) end(&place);
}

static struct slots managers_measure, managers_allocate;
#define MANAGER(number) \
    static void manager_measure_##number(GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, \
                                         int size, int *least, int *natural, int *least_baseline, \
                                         int *natural_baseline) { \
        manager_measures(managers_measure.originals[number], manager, widget, orientation, size, least, natural, \
                         least_baseline, natural_baseline); \
    } \
    static void manager_allocate_##number(GtkLayoutManager *manager, GtkWidget *widget, int width, int height, \
                                          int baseline) { \
        manager_allocates(managers_allocate.originals[number], manager, widget, width, height, baseline); \
    }
SLOTS_ALL(MANAGER)
#define ENTRY(number) (void *)manager_measure_##number,
static void *const manager_measure_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
#define ENTRY(number) (void *)manager_allocate_##number,
static void *const manager_allocate_functions[] = {SLOTS_ALL(ENTRY)};
#undef ENTRY
static struct slots managers_measure = {.name = "measure", .functions = manager_measure_functions},
                    managers_allocate = {.name = "allocate", .functions = manager_allocate_functions};

bool layout_hook_manager(GtkLayoutManagerClass *class) {
    bool has_room = slots_replace(&managers_measure, (GTypeClass *)class, (void **)&class->measure);
    return slots_replace(&managers_allocate, (GTypeClass *)class, (void **)&class->allocate) && has_room;
}
#endif

// SPDX-License-Identifier: MIT
// A program of GTK 4 whose widgets count the runs of their own snapshot. It knows nothing of Rerender.
//
// widgets STEP...: shows a window, does each step and waits until the widget that it is for was drawn, and prints the counts at the end,
// a type, a tab and a number a line.
//
// widgets busy: shows the window for half a second in which the main loop is never idle.
//
// widgets application: is one application on the session bus. The first process says where it is at each activation, until its input
// ends; further ones hand over to it.

#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Widgets

/// A widget that draws a colour, or the same one whatever its tone is.
typedef struct {
    GtkWidget parent;
    int tone;
    guint tick;
    int ticks;
} Leaf;
typedef struct {
    GtkWidgetClass parent_class;
    /// The runs of the snapshot of widgets that are exactly of this class.
    unsigned *count;
} LeafClass;

static unsigned leaf_count, steady_count, derived_count, group_count;

static GType leaf_get_type(void);
G_DEFINE_TYPE(Leaf, leaf, GTK_TYPE_WIDGET)

static void draw(GtkWidget *widget, GtkSnapshot *snapshot, float red) {
    GdkRGBA color = {red, 0.5f, 0.5f, 1};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    gtk_snapshot_append_color(snapshot, &color, &bounds);
}

static void leaf_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    if (G_OBJECT_TYPE(widget) == leaf_get_type()) leaf_count++;
    draw(widget, snapshot, (float)((Leaf *)widget)->tone / 100);
}

static int steady_size = 20;

static void leaf_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline) {
    (void)orientation, (void)for_size;
    *minimum = *natural = G_OBJECT_TYPE(widget) == leaf_get_type() ? 20 : steady_size;
    *minimum_baseline = *natural_baseline = -1;
}

static void leaf_set(GObject *object, guint property, const GValue *value, GParamSpec *spec) {
    (void)property, (void)spec;
    ((Leaf *)object)->tone = g_value_get_int(value);
    gtk_widget_queue_draw((GtkWidget *)object);
}

static void leaf_get(GObject *object, guint property, GValue *value, GParamSpec *spec) {
    (void)property, (void)spec;
    g_value_set_int(value, ((Leaf *)object)->tone);
}

static void leaf_class_init(LeafClass *class) {
    ((GtkWidgetClass *)class)->snapshot = leaf_snapshot;
    ((GtkWidgetClass *)class)->measure = leaf_measure;
    ((GObjectClass *)class)->set_property = leaf_set;
    ((GObjectClass *)class)->get_property = leaf_get;
    g_object_class_install_property((GObjectClass *)class, 1,
                                    g_param_spec_int("tone", NULL, NULL, 0, 100, 0, G_PARAM_READWRITE));
    gtk_widget_class_set_css_name((GtkWidgetClass *)class, "leaf");
}

static void leaf_init(Leaf *leaf) { (void)leaf; }

// One that always draws the same.
typedef Leaf Steady;
typedef LeafClass SteadyClass;
static GType steady_get_type(void);
G_DEFINE_TYPE(Steady, steady, leaf_get_type())

static void steady_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    steady_count++;
    draw(widget, snapshot, 0.25f);
}

static void steady_class_init(SteadyClass *class) { ((GtkWidgetClass *)class)->snapshot = steady_snapshot; }
static void steady_init(Steady *steady) { (void)steady; }

// One whose snapshot calls that of the class that it is derived from; its class is made when the window is shown.
typedef Leaf Derived;
typedef LeafClass DerivedClass;
static GType derived_get_type(void);
G_DEFINE_TYPE(Derived, derived, leaf_get_type())

static void derived_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    derived_count++;
    ((GtkWidgetClass *)derived_parent_class)->snapshot(widget, snapshot);
}

static void derived_class_init(DerivedClass *class) { ((GtkWidgetClass *)class)->snapshot = derived_snapshot; }
static void derived_init(Derived *derived) { (void)derived; }

// What they are all in.
typedef struct {
    GtkWidget parent;
} Group;
typedef struct {
    GtkWidgetClass parent_class;
} GroupClass;
static GType group_get_type(void);
G_DEFINE_TYPE(Group, group, GTK_TYPE_WIDGET)

static void group_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    group_count++;
    GTK_WIDGET_CLASS(group_parent_class)->snapshot(widget, snapshot);
}

static void group_dispose(GObject *object) {
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child((GtkWidget *)object))) gtk_widget_unparent(child);
    G_OBJECT_CLASS(group_parent_class)->dispose(object);
}

static void group_class_init(GroupClass *class) {
    ((GtkWidgetClass *)class)->snapshot = group_snapshot;
    ((GObjectClass *)class)->dispose = group_dispose;
    gtk_widget_class_set_layout_manager_type((GtkWidgetClass *)class, GTK_TYPE_BOX_LAYOUT);
}
static void group_init(Group *group) { (void)group; }

// MARK: Waiting

static void run_until_drawn(const unsigned *count, unsigned before) {
    while (*count == before) g_main_context_iteration(NULL, TRUE);
}

/// Runs until GTK has nothing left to do, and the frame clock neither.
static void settle(void) {
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}

// MARK: Steps

static GtkWidget *window, *group, *leaf, *steady;

static int tone;

static void step_property(void) {
    unsigned before = leaf_count;
    g_object_set(leaf, "tone", ++tone, NULL);
    run_until_drawn(&leaf_count, before);
}

static void step_wasted(void) {
    unsigned before = steady_count;
    g_object_set(steady, "tone", ++tone, NULL);
    run_until_drawn(&steady_count, before);
}

/// Says what it has done, and draws nothing until a line comes.
static void say_and_wait(const char *done) {
    char line[16];
    puts(done);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) exit(70);
}

/// A widget is changed, is drawn again behind the first line, and once more behind the second one.
static void step_paused(void) {
    unsigned before = leaf_count;
    g_object_set(leaf, "tone", ++tone, NULL);
    say_and_wait("changed");
    run_until_drawn(&leaf_count, before);
    say_and_wait("drawn");
    before = leaf_count;
    gtk_widget_queue_draw(leaf);
    run_until_drawn(&leaf_count, before);
}

/// Two widgets draw again in one frame.
static void step_both(void) {
    unsigned before = leaf_count;
    g_object_set(leaf, "tone", ++tone, NULL);
    g_object_set(steady, "tone", ++tone, NULL);
    run_until_drawn(&leaf_count, before);
}

static void step_bare(void) {
    unsigned before = steady_count;
    gtk_widget_queue_draw(steady);
    run_until_drawn(&steady_count, before);
}

static void step_class(void) {
    unsigned before = leaf_count;
    gtk_widget_add_css_class(leaf, "loud");
    run_until_drawn(&leaf_count, before);
}

/// Sets a class that draws nothing else, in a function of its own.
static __attribute__((noinline)) void set_quiet_class(void) { gtk_widget_add_css_class(leaf, "quiet"); }

static void step_classed(void) {
    unsigned before = leaf_count;
    set_quiet_class();
    g_object_set(leaf, "tone", ++tone, NULL);
    run_until_drawn(&leaf_count, before);
    gtk_widget_remove_css_class(leaf, "quiet");
}

static void step_size(void) {
    unsigned before = leaf_count;
    gtk_window_set_default_size(GTK_WINDOW(window), 400, 300);
    run_until_drawn(&leaf_count, before);
}

/// One widget asks for another size, so the one beside it gets another, too.
static void step_ask(void) {
    unsigned before = leaf_count;
    steady_size += 10;
    gtk_widget_queue_resize(steady);
    run_until_drawn(&leaf_count, before);
}

static void step_hover(void) {
    unsigned before = leaf_count;
    if (!g_spawn_command_line_sync("xdotool mousemove 100 5", NULL, NULL, NULL, NULL)) exit(70);
    run_until_drawn(&leaf_count, before);
}

static gboolean ticked(GtkWidget *widget, GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    Leaf *self = (Leaf *)widget;
    self->tone = (self->tone + 1) % 100;
    gtk_widget_queue_draw(widget);
    return ++self->ticks < 1000;
}

static void step_tick(void) {
    guint tick = gtk_widget_add_tick_callback(leaf, ticked, NULL, NULL);
    for (int frame = 0; frame < 5; frame++) {
        unsigned before = leaf_count;
        run_until_drawn(&leaf_count, before);
    }
    gtk_widget_remove_tick_callback(leaf, tick);
}

static void step_late(void) {
    GtkWidget *late = g_object_new(derived_get_type(), NULL);
    gtk_widget_set_parent(late, group);
    run_until_drawn(&derived_count, derived_count);
    unsigned before = derived_count;
    g_object_set(late, "tone", ++tone, NULL);
    run_until_drawn(&derived_count, before);
    before = group_count;
    gtk_widget_unparent(late);
    run_until_drawn(&group_count, before);
}

static void step_popover(void) {
    GtkWidget *popover = gtk_popover_new(), *inside = g_object_new(leaf_get_type(), NULL);
    unsigned before = leaf_count;
    gtk_popover_set_child(GTK_POPOVER(popover), inside);
    gtk_widget_set_parent(popover, leaf);
    gtk_popover_popup(GTK_POPOVER(popover));
    run_until_drawn(&leaf_count, before);
    gtk_popover_popdown(GTK_POPOVER(popover));
    while (gtk_widget_get_mapped(popover)) g_main_context_iteration(NULL, TRUE);
    gtk_widget_unparent(popover);
}

static void step_second_window(void) {
    GtkWidget *second = gtk_window_new(), *inside = g_object_new(steady_get_type(), NULL);
    unsigned before = steady_count;
    gtk_window_set_child(GTK_WINDOW(second), inside);
    gtk_window_present(GTK_WINDOW(second));
    run_until_drawn(&steady_count, before);
    gtk_window_destroy(GTK_WINDOW(second));
}

/// Shows a second window that stays.
static void step_other_window(void) {
    GtkWidget *other = gtk_window_new();
    unsigned before = steady_count;
    gtk_window_set_decorated(GTK_WINDOW(other), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(other), 500, 400);
    gtk_window_set_child(GTK_WINDOW(other), g_object_new(steady_get_type(), NULL));
    gtk_window_present(GTK_WINDOW(other));
    run_until_drawn(&steady_count, before);
}

/// Hides the first window: no other one has a reason to draw.
static void step_hide(void) { gtk_widget_set_visible(window, FALSE); }

/// Another theme, in which everything has another style.
static void step_theme(void) {
    unsigned before = group_count;
    g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", TRUE, NULL);
    run_until_drawn(&group_count, before);
}

// MARK: Buffers and adjustments

static GtkWidget *view, *viewport;

/// Adds a text view, or a viewport with a widget that is too large for it.
static void add(GtkWidget *widget) {
    unsigned before = group_count;
    gtk_widget_set_parent(widget, group);
    run_until_drawn(&group_count, before);
    settle();
}

static void step_view(void) { add(view = gtk_text_view_new()); }

static void step_text(void) {
    unsigned before = group_count;
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), ++tone % 2 ? "x" : "y", -1);
    run_until_drawn(&group_count, before);
}

/// Another function that writes the same buffer.
static void step_retext(void) {
    unsigned before = group_count;
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), ++tone % 2 ? "x" : "y", -1);
    run_until_drawn(&group_count, before);
}

static void step_viewport(void) {
    GtkWidget *inside = g_object_new(group_get_type(), NULL);
    gtk_widget_set_size_request(inside, 20, 1000);
    viewport = gtk_viewport_new(NULL, NULL);
    gtk_viewport_set_child(GTK_VIEWPORT(viewport), inside);
    gtk_scrollable_set_vscroll_policy(GTK_SCROLLABLE(viewport), GTK_SCROLL_MINIMUM);
    gtk_widget_set_size_request(viewport, 20, 50);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), viewport);
    add(scrolled);
}

static void step_scroll(void) {
    unsigned before = group_count;
    GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(viewport));
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + 5);
    run_until_drawn(&group_count, before);
}

/// A spinner that turns for some frames.
static void step_spin(void) {
    GtkWidget *spinner = gtk_spinner_new();
    add(spinner);
    gtk_spinner_start(GTK_SPINNER(spinner));
    for (int frame = 0; frame < 8; frame++) run_until_drawn(&group_count, group_count);
    gtk_spinner_stop(GTK_SPINNER(spinner));
}

// MARK: Other code

static void (*found)(GtkWidget *, GtkSnapshot *);

static void snapshot_on(GtkWidget *widget, GtkSnapshot *snapshot) { found(widget, snapshot); }

/// Puts a function into a class that calls the one that it found.
static void step_call_on(void) {
    GtkWidgetClass *class = GTK_WIDGET_GET_CLASS(leaf);
    found = class->snapshot;
    class->snapshot = snapshot_on;
    step_property();
}

/// Puts a function into a class that calls no other one.
static void step_replace(void) {
    GTK_WIDGET_GET_CLASS(leaf)->snapshot = leaf_snapshot;
    step_property();
}

static void measure_early(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline) {
    leaf_measure(widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

/// Puts functions into two classes of GTK's before there are widgets of them.
static void step_replace_early(void) {
    GtkWidgetClass *button = g_type_class_ref(GTK_TYPE_BUTTON), *drawing = g_type_class_ref(GTK_TYPE_PICTURE);
    found = drawing->snapshot;
    drawing->snapshot = snapshot_on;
    button->measure = measure_early;
    GtkWidget *picture = gtk_picture_new(), *toggle = gtk_toggle_button_new();
    gtk_widget_set_parent(picture, group);
    gtk_widget_set_parent(toggle, group);
    run_until_drawn(&group_count, group_count);
}

// MARK: All steps

static void step_writers(void) {
    for (int round = 0; round < 3; round++) step_property();
}

static gboolean input_ended(GIOChannel *channel, GIOCondition condition, gpointer context) {
    (void)channel, (void)condition;
    *(gboolean *)context = TRUE;
    return G_SOURCE_REMOVE;
}

static void iterate(void) { g_main_context_iteration(NULL, TRUE); }

/// Does something again and again until its input ends.
static void stay(void (*act)(void)) {
    gboolean has_ended = FALSE;
    GIOChannel *input = g_io_channel_unix_new(0);
    g_io_add_watch(input, G_IO_IN | G_IO_HUP, input_ended, &has_ended);
    puts("staying");
    fflush(stdout);
    while (!has_ended) act();
    g_io_channel_unref(input);
}

static void step_stay(void) { stay(iterate); }

/// Has windows and popovers come and go until its input ends.
static void come_and_go(void) {
    step_popover();
    step_second_window();
}

static void step_churn(void) { stay(come_and_go); }

static const struct {
    const char *name;
    void (*run)(void);
} steps[] = {
    {"property", step_property},
    {"wasted", step_wasted},
    {"both", step_both},
    {"bare", step_bare},
    {"class", step_class},
    {"classed", step_classed},
    {"size", step_size},
    {"hover", step_hover},
    {"tick", step_tick},
    {"late", step_late},
    {"popover", step_popover},
    {"window", step_second_window},
    {"writers", step_writers},
    {"stay", step_stay},
    {"paused", step_paused},
    {"other", step_other_window},
    {"hide", step_hide},
    {"churn", step_churn},
    {"theme", step_theme},
    {"ask", step_ask},
    {"view", step_view},
    {"text", step_text},
    {"retext", step_retext},
    {"viewport", step_viewport},
    {"scroll", step_scroll},
    {"spin", step_spin},
    {"call-on", step_call_on},
    {"replace", step_replace},
    {"replace-early", step_replace_early},
};

static void do_step(const char *name) {
    for (size_t index = 0; index < sizeof steps / sizeof *steps; index++)
        if (strcmp(steps[index].name, name) == 0) steps[index].run();
    settle();
}

// MARK: A loop that is never idle

static gboolean go_on(gpointer context) {
    (void)context;
    return G_SOURCE_CONTINUE;
}

/// As where frames take longer than there is time for: all that is less urgent than them waits for ever.
static void be_busy(void) {
    g_idle_add_full(GDK_PRIORITY_REDRAW + 1, go_on, NULL, NULL);
    while (leaf_count == 0) g_main_context_iteration(NULL, TRUE);
    gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC / 2;
    while (g_get_monotonic_time() < end) g_main_context_iteration(NULL, TRUE);
}

// MARK: An application

static void activated(GtkApplication *application, gpointer context) {
    (void)context;
    gtk_window_present(GTK_WINDOW(gtk_application_window_new(application)));
    printf("%d\n", (int)getpid());
    fflush(stdout);
}

static gboolean quit(GIOChannel *channel, GIOCondition condition, gpointer application) {
    (void)channel, (void)condition;
    g_application_quit(application);
    return G_SOURCE_REMOVE;
}

static int be_application(void) {
    GtkApplication *application = gtk_application_new("org.example.RerenderWidgets", 0);
    g_signal_connect(application, "activate", (GCallback)activated, NULL);
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, quit, application);
    int status = g_application_run(G_APPLICATION(application), 0, NULL);
    g_object_unref(application);
    return status;
}

// MARK: The program

static void make_window(void) {
    GtkCssProvider *style = gtk_css_provider_new();
    gtk_css_provider_load_from_data(style, ".loud { background: red; } leaf:hover { background: blue; }", -1);
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style), 600);
    window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 200, 200);
    group = g_object_new(group_get_type(), NULL);
    leaf = g_object_new(leaf_get_type(), "hexpand", TRUE, NULL);
    steady = g_object_new(steady_get_type(), NULL);
    gtk_widget_set_parent(leaf, group);
    gtk_widget_set_parent(steady, group);
    gtk_window_set_child(GTK_WINDOW(window), group);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "application") == 0) return be_application();
    gtk_init();
    make_window();
    gtk_window_present(GTK_WINDOW(window));
    if (count > 1 && strcmp(arguments[1], "busy") == 0) {
        be_busy();
        return 0;
    }
    run_until_drawn(&leaf_count, 0);
    settle();
    for (int index = 1; index < count; index++) do_step(arguments[index]);
    gtk_window_destroy(GTK_WINDOW(window));
    settle();
    printf("Leaf\t%u\nSteady\t%u\nDerived\t%u\nGroup\t%u\n", leaf_count, steady_count, derived_count, group_count);
    return 0;
}

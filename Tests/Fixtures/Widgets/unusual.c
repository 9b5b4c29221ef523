// SPDX-License-Identifier: MIT
// A program of GTK 4 that does with a widget what few programs do. It knows nothing of Rerender.
//
// unusual WHAT: does it a few times, rests for a second, and prints how often it asked for its
// own widgets to be drawn, and how often they were.
//
//   dispose   a widget is disposed of in its snapshot, and lives on
//   window    the first widget is a window of a class that draws something else each time
//   signal    gtk_widget_queue_draw is the handler of a signal
//   timer     gtk_widget_queue_draw is the function of timers
//   notes     a box has a property that draws nothing, and one that draws it; each is set when a widget in it is drawn
//   thread    another thread makes GTK's first class of widgets, and ends
//   move      a label is taken out of a box and comes back, and goes to a box of another class, in a box of its own; it gets a name
//   buttons   three buttons have the name Button: two with labels, one without
//   names     more widgets with names of their own than are told apart are drawn, each in the place of the others
//   full      more functions draw widgets than can be replaced; the last one's widget draws again

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 5, FUNCTIONS = 300, NAMES = 8300 };

static const char *what;
static unsigned draws, wanted;

static gboolean is(const char *name) { return strcmp(what, name) == 0; }

static void draw(GtkSnapshot *snapshot) {
    GdkRGBA color = {(float)(++draws % 100) / 100, 0.5f, 0.5f, 1};
    gtk_snapshot_append_color(snapshot, &color, &GRAPHENE_RECT_INIT(0, 0, 8, 8));
}

static void dispose(GtkWidget *widget) {
    g_object_ref(widget);
    g_object_run_dispose((GObject *)widget);
    // What is freed now would have the widget's place in memory.
    for (int index = 0; index < 64; index++) g_free(g_malloc0(256));
}

static void draw_until(unsigned count) {
    while (draws < count) g_main_context_iteration(NULL, TRUE);
}

static gboolean end(gpointer is_over) { return *(gboolean *)is_over = TRUE, G_SOURCE_REMOVE; }

static void rest(void) {
    gboolean is_over = FALSE;
    g_timeout_add(1000, end, &is_over);
    while (!is_over) g_main_context_iteration(NULL, TRUE);
}

// MARK: Classes

typedef struct {
    GtkWidget parent;
} Leaf;
typedef struct {
    GtkWidgetClass parent_class;
} LeafClass;
static GType leaf_get_type(void);
G_DEFINE_TYPE(Leaf, leaf, GTK_TYPE_WIDGET)

static void leaf_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    draw(snapshot);
    if (is("dispose")) dispose(widget);
}
/// Stands in the place of that one later, and does not call it.
static void other_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    (void)widget;
    draw(snapshot);
}
static void leaf_class_init(LeafClass *class) { ((GtkWidgetClass *)class)->snapshot = leaf_snapshot; }
static void leaf_init(Leaf *leaf) { gtk_widget_set_size_request((GtkWidget *)leaf, 8, 8); }

typedef struct {
    GtkWindow parent;
} Changing;
typedef struct {
    GtkWindowClass parent_class;
} ChangingClass;
static GType changing_get_type(void);
G_DEFINE_TYPE(Changing, changing, GTK_TYPE_WINDOW)

static void changing_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    GTK_WIDGET_CLASS(changing_parent_class)->snapshot(widget, snapshot);
    draw(snapshot);
}
static void changing_class_init(ChangingClass *class) { ((GtkWidgetClass *)class)->snapshot = changing_snapshot; }
static void changing_init(Changing *window) { (void)window; }

// Two boxes of the program's.
typedef GtkBox First;
typedef GtkBoxClass FirstClass;
static GType first_get_type(void);
G_DEFINE_TYPE(First, first, GTK_TYPE_BOX)
static void first_class_init(FirstClass *class) { (void)class; }
static void first_init(First *box) { (void)box; }

typedef GtkBox Second;
typedef GtkBoxClass SecondClass;
static GType second_get_type(void);
G_DEFINE_TYPE(Second, second, GTK_TYPE_BOX)
static void second_class_init(SecondClass *class) { (void)class; }
static void second_init(Second *box) { (void)box; }

// A box with two properties.
enum { NOTE = 1, FACE };
typedef GtkBox Notes;
typedef GtkBoxClass NotesClass;
static GType notes_get_type(void);
G_DEFINE_TYPE(Notes, notes, GTK_TYPE_BOX)
static void notes_set(GObject *notes, guint property, const GValue *value, GParamSpec *spec) {
    (void)value, (void)spec;
    if (property == FACE) gtk_widget_queue_draw((GtkWidget *)notes);
}
static void notes_get(GObject *notes, guint property, GValue *value, GParamSpec *spec) {
    (void)notes, (void)property, (void)value, (void)spec;
}
static void notes_class_init(NotesClass *class) {
    GObjectClass *object_class = (GObjectClass *)class;
    object_class->set_property = notes_set;
    object_class->get_property = notes_get;
    g_object_class_install_property(object_class, NOTE,
                                    g_param_spec_int("note", NULL, NULL, 0, 1000, 0, G_PARAM_READWRITE));
    g_object_class_install_property(object_class, FACE,
                                    g_param_spec_int("face", NULL, NULL, 0, 1000, 0, G_PARAM_READWRITE));
}
static void notes_init(Notes *notes) { (void)notes; }

// MARK: Many functions

#define FUNCTION(number) \
    static void draw_##number(GtkWidget *widget, GtkSnapshot *snapshot) { \
        (void)widget; \
        gtk_snapshot_append_color(snapshot, &(GdkRGBA){number % 7, 0, 0, 1}, &GRAPHENE_RECT_INIT(0, 0, 8, 8)); \
        draw(snapshot); \
    }
#define NAME(number) draw_##number,
#define TEN(M, tens) \
    M(tens##0) M(tens##1) M(tens##2) M(tens##3) M(tens##4) M(tens##5) M(tens##6) M(tens##7) M(tens##8) M(tens##9)
#define HUNDRED(M, hundreds) \
    TEN(M, hundreds##0) \
    TEN(M, hundreds##1) \
    TEN(M, hundreds##2) \
    TEN(M, hundreds##3) \
    TEN(M, hundreds##4) \
    TEN(M, hundreds##5) TEN(M, hundreds##6) TEN(M, hundreds##7) TEN(M, hundreds##8) TEN(M, hundreds##9)
HUNDRED(FUNCTION, 1)
HUNDRED(FUNCTION, 2)
HUNDRED(FUNCTION, 3)
static void (*const functions[FUNCTIONS])(GtkWidget *,
                                          GtkSnapshot *) = {HUNDRED(NAME, 1) HUNDRED(NAME, 2) HUNDRED(NAME, 3)};

static void many_class_init(gpointer class, gpointer function) { ((GtkWidgetClass *)class)->snapshot = function; }

static GtkWidget *make_many(GtkWidget *box) {
    GtkWidget *widget = NULL;
    for (int index = 0; index < FUNCTIONS; index++) {
        GTypeInfo info = {.class_size = sizeof(LeafClass), .instance_size = sizeof(Leaf)};
        info.class_init = many_class_init;
        info.class_data = (gpointer)functions[index];
        char name[32];
        snprintf(name, sizeof name, "Many%d", index);
        widget = g_object_new(g_type_register_static(leaf_get_type(), name, &info, 0), NULL);
        gtk_box_append((GtkBox *)box, widget);
    }
    return widget;
}

// MARK: What it does

/// Shows widgets that are disposed of while they are drawn.
static void end_widgets(GtkWidget *box) {
    for (int index = 0; index < TIMES; index++) {
        GtkWidget *leaf = g_object_new(leaf_get_type(), NULL);
        gtk_box_append((GtkBox *)box, leaf);
        draw_until(draws + 1);
        if (gtk_widget_get_parent(leaf)) gtk_box_remove((GtkBox *)box, leaf);
    }
}

/// Writes a label, and waits until it and a leaf are drawn.
static void write_label(GtkWidget *label, GtkWidget *leaf) {
    static int text;
    for (int index = 0; index < TIMES; index++) {
        char written[16];
        snprintf(written, sizeof written, "%d", ++text);
        gtk_label_set_text((GtkLabel *)label, written);
        gtk_widget_queue_draw(leaf);
        draw_until(draws + 1);
    }
}

static void move(GtkWidget *to, GtkWidget *widget) {
    GtkWidget *from = gtk_widget_get_parent(widget);
    g_object_ref(widget);
    if (from) gtk_box_remove((GtkBox *)from, widget);
    gtk_box_append((GtkBox *)to, widget);
    g_object_unref(widget);
}

static void move_label(GtkWidget *box) {
    GtkWidget *first = g_object_new(first_get_type(), NULL), *second = g_object_new(second_get_type(), NULL);
    GtkWidget *inner = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *label = gtk_label_new("0");
    GtkWidget *leaf = g_object_new(leaf_get_type(), NULL);
    for (int index = 0; index < 3; index++) gtk_box_append((GtkBox *)box, (GtkWidget *[]){first, second, leaf}[index]);
    gtk_box_append((GtkBox *)first, inner);
    gtk_box_append((GtkBox *)inner, label);
    draw_until(draws + 1);
    write_label(label, leaf);
    move(first, label);
    write_label(label, leaf);
    move(inner, label);
    move(second, inner);
    write_label(label, leaf);
    gtk_widget_set_name(label, "named");
    write_label(label, leaf);
}

static void name_buttons(GtkWidget *box) {
    static const char *const labels[] = {"Open/Close", "A label that is longer than a key has room for", NULL};
    for (int index = 0; index < 3; index++) {
        GtkWidget *button = labels[index] ? gtk_button_new_with_label(labels[index]) : gtk_button_new();
        gtk_widget_set_name(button, "Button");
        gtk_box_append((GtkBox *)box, button);
    }
    gtk_box_append((GtkBox *)box, g_object_new(leaf_get_type(), NULL));
    draw_until(draws + 1);
}

static void name_many(GtkWidget *box) {
    GtkWidget *fixed = gtk_fixed_new();
    for (int index = 0; index < NAMES; index++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", index);
        GtkWidget *label = gtk_label_new(NULL);
        gtk_widget_set_name(label, name);
        gtk_fixed_put((GtkFixed *)fixed, label, 0, 0);
    }
    gtk_box_append((GtkBox *)box, fixed);
    gtk_box_append((GtkBox *)box, g_object_new(leaf_get_type(), NULL));
    draw_until(draws + 1);
}

static void set_notes(GtkWidget *box) {
    GtkWidget *notes = g_object_new(notes_get_type(), NULL), *leaf = g_object_new(leaf_get_type(), NULL);
    gtk_box_append((GtkBox *)box, notes);
    gtk_box_append((GtkBox *)notes, leaf);
    draw_until(draws + 1);
    for (int index = 0; index < 2 * TIMES; index++) {
        g_object_set(notes, index < TIMES ? "note" : "face", index + 1, NULL);
        gtk_widget_queue_draw(leaf);
        draw_until(draws + 1);
    }
}

static gpointer make_class(gpointer context) {
    (void)context;
    return g_type_class_ref(GTK_TYPE_BUTTON);
}

static void draw_again(GtkWidget *widget) {
    GObject *model = g_object_new(G_TYPE_SIMPLE_ACTION, "name", "model", NULL);
    if (is("signal")) g_signal_connect_swapped(model, "notify::enabled", (GCallback)gtk_widget_queue_draw, widget);
    for (int index = 0; index < TIMES; index++) {
        if (is("signal"))
            g_object_notify(model, "enabled");
        else if (is("timer"))
            g_timeout_add(10, (GSourceFunc)(void (*)(void))gtk_widget_queue_draw, widget);
        else
            gtk_widget_queue_draw(widget);
        draw_until(draws + 1);
    }
    g_object_unref(model);
}

int main(int count, char **arguments) {
    what = count > 1 ? arguments[1] : "";
    if (is("thread")) g_thread_join(g_thread_new("classes", make_class, NULL));
    gtk_init();
    GtkWidget *window = g_object_new(is("window") ? changing_get_type() : GTK_TYPE_WINDOW, NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *drawn = window;
    gtk_window_set_child((GtkWindow *)window, box);
    gboolean has_leaf = is("signal") || is("timer") || is("replace") || is("thread");
    if (has_leaf) gtk_box_append((GtkBox *)box, drawn = g_object_new(leaf_get_type(), NULL));
    if (is("full")) drawn = make_many(box);
    gtk_window_present((GtkWindow *)window);
    gint64 start = g_get_monotonic_time();
    wanted = is("full") ? FUNCTIONS : is("window") || has_leaf ? 1 : 0;
    draw_until(wanted);
    if (is("replace")) GTK_WIDGET_GET_CLASS(drawn)->snapshot = other_snapshot;
    if (is("dispose"))
        end_widgets(box);
    else if (is("move"))
        move_label(box);
    else if (is("buttons"))
        name_buttons(box);
    else if (is("names"))
        name_many(box);
    else if (is("notes"))
        set_notes(box);
    else
        draw_again(drawn);
    rest();
    unsigned milliseconds = (unsigned)((g_get_monotonic_time() - start) / 1000);
    printf("asked\t%u\ndrawn\t%u\nmilliseconds\t%u\n", wanted + TIMES, draws, milliseconds);
    return 0;
}

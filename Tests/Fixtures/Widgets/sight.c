// SPDX-License-Identifier: MIT
// A program of GTK 4 that has frames drawn for a widget, or widgets laid out or made anew. It knows nothing of Rerender.
//
// sight WHAT: shows a window, says "shown", and goes on until its input ends:
//
//   shown     has a GtkSpinner that spins, which can be seen
//   several   has three of them; each line that it reads ends one, and it says "gone" once 90 more frames were drawn
//   page      has it on the other page of a GtkStack
//   clear     has it in a box whose opacity is 0
//   closed    has it in a GtkRevealer that is closed
//   below     has it below the area of a GtkScrolledWindow that can be seen
//   covered   has a label with a background in front of it
//   clock     has a tick callback that does nothing
//   pulse     has a progress bar that is pulsed for ever, in a GtkRevealer that is closed after half a second
//   ended     has a GtkStack with a tick callback that ends after ten frames; then GTK shows another page, over a hundred seconds
//   urged     does the same, and has the stack drawn again five times a second
//   places    puts each of 100 labels where it is, 20 times a second
//   rows      makes 40 rows of a list anew, four times a second
//   scrolled  makes them anew after each of 26 frames, the first 20 with something that is scrolled; then it says "made"
//   minimised has a spinner in a window that is minimised
//   suspended has it in one that is suspended
//   picture   has a GtkPicture whose paintable changes 20 times a second
//   late      works for 2.1 s before its loop turns
//   words     has a label; for each line "words" that it reads it says how many words of classes and of the main loop lead to Rerender, and for
//             the line "hooks" how many emission hooks it could take away
//   slow      has a button named save, whose handler works for 300 ms, and from the 17th click on for 220 ms

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

static const char *what;
static GtkWidget *window, *box, *fixed, *list, *labels[100];

static gboolean is(const char *name) { return strcmp(what, name) == 0; }

static GtkWidget *new_box(void) { return gtk_box_new(GTK_ORIENTATION_VERTICAL, 0); }

static void add(GtkWidget *widget) { gtk_box_append(GTK_BOX(box), widget); }

// MARK: A spinner

static GtkWidget *in_stack(GtkWidget *back) {
    GtkWidget *stack = gtk_stack_new();
    gtk_stack_add_named(GTK_STACK(stack), gtk_label_new("front"), "front");
    gtk_stack_add_named(GTK_STACK(stack), back, "back");
    return stack;
}

static GtkWidget *in_clear_box(GtkWidget *spinner) {
    GtkWidget *clear = new_box();
    gtk_widget_set_name(clear, "dim");
    gtk_box_append(GTK_BOX(clear), spinner);
    gtk_widget_set_opacity(clear, 0);
    return clear;
}

static GtkWidget *in_revealer(GtkWidget *spinner) {
    GtkWidget *revealer = gtk_revealer_new();
    gtk_revealer_set_child(GTK_REVEALER(revealer), spinner);
    return revealer;
}

static GtkWidget *in_scrolled_window(GtkWidget *spinner) {
    GtkWidget *scrolled = gtk_scrolled_window_new(), *tall = gtk_label_new("tall"), *content = new_box();
    gtk_widget_set_size_request(tall, 10, 3000);
    gtk_box_append(GTK_BOX(content), tall);
    gtk_box_append(GTK_BOX(content), spinner);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), content);
    gtk_widget_set_vexpand(scrolled, TRUE);
    return scrolled;
}

static GtkWidget *under_label(GtkWidget *spinner) {
    GtkWidget *overlay = gtk_overlay_new(), *cover = gtk_label_new("cover");
    gtk_overlay_set_child(GTK_OVERLAY(overlay), spinner);
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), cover);
    gtk_widget_add_css_class(cover, "background");
    gtk_widget_set_size_request(overlay, 100, 100);
    return overlay;
}

static void add_spinner(void) {
    GtkWidget *spinner = gtk_spinner_new();
    gtk_widget_set_name(spinner, "wheel");
    gtk_spinner_start(GTK_SPINNER(spinner));
    if (is("page"))
        add(in_stack(spinner));
    else if (is("clear"))
        add(in_clear_box(spinner));
    else if (is("closed"))
        add(in_revealer(spinner));
    else if (is("below"))
        add(in_scrolled_window(spinner));
    else if (is("covered"))
        add(under_label(spinner));
    else
        add(spinner);
}

/// Says what a window manager says of a window that it has minimised: the server of the tests has none.
static void minimise(void) {
    GdkDisplay *display = gtk_widget_get_display(window);
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    Atom state = gdk_x11_get_xatom_by_name_for_display(display, "_NET_WM_STATE");
    Atom hidden = gdk_x11_get_xatom_by_name_for_display(display, "_NET_WM_STATE_HIDDEN");
    // GTK has loaded its library.
    __typeof__(&XChangeProperty) change = dlsym(RTLD_DEFAULT, "XChangeProperty");
    change(gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface), state, 4, 32, PropModeReplace,
           (const unsigned char *)&hidden, 1);
}

static void (*get_property)(GObject *object, guint number, GValue *value, GParamSpec *property);

static void get_suspended(GObject *object, guint number, GValue *value, GParamSpec *property) {
    get_property(object, number, value, property);
    // GDK_TOPLEVEL_STATE_SUSPENDED is one of GTK 4.12.
    if (strcmp(property->name, "state") == 0) g_value_set_flags(value, g_value_get_flags(value) | 1 << 16);
}

/// Has GDK say of the window what a window system says of one that it shows nowhere.
static void suspend(void) {
    GObjectClass *class = G_OBJECT_GET_CLASS(gtk_native_get_surface(GTK_NATIVE(window)));
    get_property = class->get_property;
    class->get_property = get_suspended;
}

/// How many frames are to be drawn until it is said that a spinner is gone.
static unsigned frames_left;

static void on_frame(void) {
    if (frames_left == 0 || --frames_left > 0) return;
    puts("gone");
    fflush(stdout);
}

static void end_spinner(void) {
    gtk_box_remove(GTK_BOX(box), gtk_widget_get_first_child(box));
    // More than a second has.
    frames_left = 90;
}

// MARK: Others

static gboolean count_nothing(GtkWidget *widget, GdkFrameClock *clock, gpointer context) {
    (void)widget, (void)clock, (void)context;
    return G_SOURCE_CONTINUE;
}

static void add_clock(void) {
    GtkWidget *label = gtk_label_new("clock");
    gtk_widget_set_name(label, "clock");
    gtk_widget_add_tick_callback(label, count_nothing, NULL, NULL);
    add(label);
}

static gboolean count_frames(GtkWidget *stack, GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    static int frames;
    gtk_widget_queue_draw(stack);
    if (++frames < 10) return G_SOURCE_CONTINUE;
    gtk_stack_set_visible_child_name(GTK_STACK(stack), "back");
    return G_SOURCE_REMOVE;
}

static gboolean draw_again(gpointer stack) {
    gtk_widget_queue_draw(stack);
    return G_SOURCE_CONTINUE;
}

static void add_pages(void) {
    GtkWidget *stack = in_stack(gtk_label_new("back"));
    gtk_widget_set_name(stack, "pages");
    gtk_stack_set_transition_type(GTK_STACK(stack), GTK_STACK_TRANSITION_TYPE_CROSSFADE);
    gtk_stack_set_transition_duration(GTK_STACK(stack), 100000);
    gtk_widget_add_tick_callback(stack, count_frames, NULL, NULL);
    if (is("urged")) g_timeout_add(200, draw_again, stack);
    add(stack);
}

static gboolean put_back(gpointer context) {
    (void)context;
    for (int index = 0; index < 100; index++)
        gtk_fixed_move(GTK_FIXED(fixed), labels[index], index % 10 * 25, index / 10 * 15);
    return G_SOURCE_CONTINUE;
}

static void add_places(void) {
    fixed = gtk_fixed_new();
    for (int index = 0; index < 100; index++) {
        labels[index] = gtk_label_new("x");
        gtk_fixed_put(GTK_FIXED(fixed), labels[index], index % 10 * 25, index / 10 * 15);
    }
    add(fixed);
    g_timeout_add(50, put_back, NULL);
}

static gboolean make_rows(gpointer context) {
    (void)context;
    GtkWidget *row;
    while ((row = gtk_widget_get_first_child(list))) gtk_list_box_remove(GTK_LIST_BOX(list), row);
    for (int index = 0; index < 40; index++) gtk_list_box_append(GTK_LIST_BOX(list), gtk_label_new("row"));
    return G_SOURCE_CONTINUE;
}

static void add_rows(void) {
    list = gtk_list_box_new();
    add(list);
    make_rows(NULL);
    g_timeout_add(250, make_rows, NULL);
}

static GtkAdjustment *adjustment;
static unsigned rounds;
static gboolean is_due;

static gboolean make_rows_of_round(gpointer context) {
    is_due = FALSE;
    if (++rounds <= 20) gtk_adjustment_set_value(adjustment, rounds);
    if (rounds <= 26) return make_rows(context), G_SOURCE_REMOVE;
    puts("made");
    fflush(stdout);
    return G_SOURCE_REMOVE;
}

/// In another turn than the frame.
static void on_rows_painted(void) {
    if (!is_due && rounds < 27) g_timeout_add(20, make_rows_of_round, NULL);
    is_due = TRUE;
}

static void add_scrolled_rows(void) {
    adjustment = g_object_ref_sink(gtk_adjustment_new(0, 0, 1000, 1, 10, 10));
    add(list = gtk_list_box_new());
    make_rows(NULL);
}

typedef GObject Blink;
typedef GObjectClass BlinkClass;

static void paint(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
    (void)paintable;
    static float red;
    red = red < 1 ? red + 0.01f : 0;
    gtk_snapshot_append_color(GTK_SNAPSHOT(snapshot), &(const GdkRGBA){red, 0, 0, 1},
                              &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
}

static void paintable_init(GdkPaintableInterface *interface) { interface->snapshot = paint; }

G_DEFINE_TYPE_WITH_CODE(Blink, blink, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, paintable_init))

static void blink_init(Blink *blink) { (void)blink; }
static void blink_class_init(BlinkClass *class) { (void)class; }

static gboolean change_contents(gpointer paintable) {
    gdk_paintable_invalidate_contents(paintable);
    return G_SOURCE_CONTINUE;
}

static void add_picture(void) {
    GdkPaintable *paintable = g_object_new(blink_get_type(), NULL);
    GtkWidget *picture = gtk_picture_new_for_paintable(paintable);
    gtk_widget_set_name(picture, "blink");
    gtk_widget_set_vexpand(picture, TRUE);
    add(picture);
    g_timeout_add(50, change_contents, paintable);
}

static gboolean pulse_bar(gpointer bar) {
    gtk_progress_bar_pulse(bar);
    return G_SOURCE_CONTINUE;
}

static gboolean close_revealer(gpointer revealer) {
    gtk_revealer_set_reveal_child(revealer, FALSE);
    return G_SOURCE_REMOVE;
}

static void add_pulse(void) {
    GtkWidget *bar = gtk_progress_bar_new(), *revealer = in_revealer(bar);
    gtk_widget_set_name(bar, "pulse");
    gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), TRUE);
    add(revealer);
    g_timeout_add(40, pulse_bar, bar);
    g_timeout_add(500, close_revealer, revealer);
}

static void on_save(GtkButton *button, gpointer context) {
    (void)context;
    static int clicks;
    gint64 until = g_get_monotonic_time() + (++clicks <= 16 ? 300000 : 220000);
    while (g_get_monotonic_time() < until) continue;
    // Another text each time, so that each click leads to a frame.
    char text[32];
    snprintf(text, sizeof text, "saved %d", clicks);
    gtk_button_set_label(button, text);
}

static void add_slow_button(void) {
    GtkWidget *button = gtk_button_new_with_label("save");
    gtk_widget_set_name(button, "save");
    gtk_widget_set_vexpand(button, TRUE);
    g_signal_connect(button, "clicked", G_CALLBACK(on_save), NULL);
    add(button);
}

// MARK: Words

static gboolean is_rerenders(gpointer word) {
    Dl_info info;
    return dladdr(word, &info) && info.dli_fname && strstr(info.dli_fname, "/librerender-");
}

/// Of the class of a type and of those that are derived from it, where they were made.
static unsigned words_of(GType type) {
    gpointer *class = g_type_class_peek(type);
    GTypeQuery query = {0};
    if (class) g_type_query(type, &query);
    unsigned words = 0, number = 0;
    for (size_t word = 1; word < query.class_size / sizeof *class; word++) words += is_rerenders(class[word]);
    GType *derived = g_type_children(type, &number);
    for (unsigned index = 0; index < number; index++) words += words_of(derived[index]);
    g_free(derived);
    return words;
}

static unsigned warnings;

static void on_message(const char *domain, GLogLevelFlags level, const char *message, gpointer context) {
    (void)domain, (void)level, (void)context;
    if (strstr(message, "had no hook")) warnings++;
}

/// GObject numbers the hooks of all signals from 1 on, and says where a signal has none of a number.
static unsigned take_hooks(void) {
    enum { MOST_HOOKS = 16 };
    static const char *const signals[] = {"state-flags-changed", "realize", "map", "unmap"};
    g_log_set_default_handler(on_message, NULL);
    for (size_t index = 0; index < G_N_ELEMENTS(signals); index++)
        for (gulong hook = 1; hook <= MOST_HOOKS; hook++)
            g_signal_remove_emission_hook(g_signal_lookup(signals[index], GTK_TYPE_WIDGET), hook);
    return G_N_ELEMENTS(signals) * MOST_HOOKS - warnings;
}

static void say_words(const char *line) {
    gpointer poll = (gpointer)g_main_context_get_poll_func(NULL);
    if (g_str_has_prefix(line, "hooks"))
        printf("hooks %u\n", take_hooks());
    else
        printf("widgets %u managers %u applications %u poll %d\n", words_of(GTK_TYPE_WIDGET),
               words_of(GTK_TYPE_LAYOUT_MANAGER), words_of(G_TYPE_APPLICATION), is_rerenders(poll));
    fflush(stdout);
}

static gboolean on_input(GIOChannel *channel, GIOCondition condition, gpointer has_ended) {
    (void)condition;
    char *line = NULL;
    if (is("words") && g_io_channel_read_line(channel, &line, NULL, NULL, NULL) == G_IO_STATUS_NORMAL) {
        say_words(line);
        g_free(line);
        return G_SOURCE_CONTINUE;
    }
    if (is("several") && g_io_channel_read_line(channel, &line, NULL, NULL, NULL) == G_IO_STATUS_NORMAL) {
        g_free(line);
        end_spinner();
        return G_SOURCE_CONTINUE;
    }
    *(gboolean *)has_ended = TRUE;
    return G_SOURCE_REMOVE;
}

int main(int arguments_count, char **arguments) {
    gboolean has_ended = FALSE;
    what = arguments_count > 1 ? arguments[1] : "shown";
    gtk_init();
    window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    gtk_window_set_child(GTK_WINDOW(window), box = new_box());
    if (is("clock"))
        add_clock();
    else if (is("ended") || is("urged"))
        add_pages();
    else if (is("places"))
        add_places();
    else if (is("rows"))
        add_rows();
    else if (is("scrolled"))
        add_scrolled_rows();
    else if (is("picture"))
        add_picture();
    else if (is("slow"))
        add_slow_button();
    else if (is("pulse"))
        add_pulse();
    else if (is("words"))
        add(gtk_label_new("words"));
    else
        for (int count = is("several") ? 3 : 1; count > 0; count--) add_spinner();
    // Classes without a widget have what their parents had.
    if (is("words")) g_type_class_ref(GTK_TYPE_CALENDAR), g_type_class_ref(GTK_TYPE_APPLICATION);
    gtk_window_present(GTK_WINDOW(window));
    for (gint64 until = g_get_monotonic_time() + 2100000; is("late") && g_get_monotonic_time() < until;) continue;
    // Before the first frame a click meets no widget, and before the server has mapped the window not even that.
    while (!gtk_widget_get_mapped(box) || gdk_frame_clock_get_frame_counter(gtk_widget_get_frame_clock(window)) < 0)
        g_main_context_iteration(NULL, TRUE);
    if (is("minimised")) minimise();
    if (is("suspended")) suspend();
    gdk_display_sync(gtk_widget_get_display(window));
    GIOChannel *input = g_io_channel_unix_new(0);
    g_io_add_watch(input, G_IO_IN | G_IO_HUP, on_input, &has_ended);
    GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
    if (is("several")) g_signal_connect(clock, "after-paint", G_CALLBACK(on_frame), NULL);
    if (is("scrolled")) g_signal_connect(clock, "after-paint", G_CALLBACK(on_rows_painted), NULL);
    if (is("scrolled")) gtk_widget_queue_draw(list);
    puts("shown");
    fflush(stdout);
    while (!has_ended) g_main_context_iteration(NULL, TRUE);
    g_io_channel_unref(input);
    return 0;
}

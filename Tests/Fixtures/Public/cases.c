// SPDX-License-Identifier: MIT
// A program of GTK 4 that is kept busy in ways that people reported in public, or that only looks so. It knows nothing of Rerender.
//
// cases NAME [SECONDS]: shows a window, does for so long what it is called, 12 seconds if no number is given, prints how often the function
// was called, and exits.
//
//   moves       puts each of 200 labels where it is, ten times a second
//   sizes       gives each of them the size that it has
//   styles      gives each of them the style sheet that it has
//   redraw      has a label drawn again that draws the same, 20 times a second
//   sameimage   has a drawing area drawn again that draws the same picture, 20 times a second
//   ticks       has a tick callback that does nothing
//   pump        has a source that is always due and never ready
//   idle        has an idle function that stays
//   unread      has a descriptor that is never read
//   hangup      goes on to read from a pipe whose other end is closed
//   rows        makes 263 rows of a list anew, each second and a half
//   stack, clear, closed, below, covered, shown
//               has a GtkSpinner: on the other page of a stack, with an opacity of 0, in a closed revealer, below the area of a scrolled
//               window that can be seen, with something opaque in front of it, or where it can be seen
//   call        calls a slow service over D-Bus in a handler of a button, two seconds after it began
//   action      has a button whose action is activated each two seconds, and waits for a second and a half the first time
//   halves      waits for 800 ms and then for 700 ms in two timers that are due at once, two seconds after it began
//   leaves      blocks the main loop for a second and a half, and exits there
//   writers     writes a label in each twentieth call of a timer, and sets a class of it in each
//   loads       reads a file again and again, and computes each time when GIO says that it was read
//   grows       computes in a timer for a fifth of the time, and adds a line to a label each second and a half: its window grows with it
//   probes      has a thread that adds an idle function 300 times a second
//
// These have no fault:
//
//   video       draws another picture in each frame
//   wipe        draws a bar over a picture in each frame, one pixel further each time
//   clock       shows the seconds
//   terminal    writes a line into a text view 20 times a second, and scrolls to it
//   entry       has an entry with the focus. Exits four seconds after its text cursor blinked last, and not before its time
//   thread      has another thread that computes
//
// A comment "place: NAME" is behind each line that may be named as the place of the function NAME.

#define _GNU_SOURCE
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

enum { LABELS = 200, ROWS = 263, LINES = 300 };

static const char *name;
static int seconds = 12;
static GMainLoop *loop;
static GtkWidget *window, *box;
static unsigned long calls;

static gboolean is(const char *other) { return strcmp(name, other) == 0; }

static GtkWidget *new_box(void) { return gtk_box_new(GTK_ORIENTATION_VERTICAL, 4); }

static void add(GtkWidget *widget) { gtk_box_append(GTK_BOX(box), widget); }

static gboolean end(gpointer context) {
    (void)context;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

// MARK: What is asked for and changes nothing

static GtkWidget *fixed, *labels[LABELS];
static GtkCssProvider *providers[LABELS];
static const char sheet[] = "label { color: red; }";

static gboolean move_same(gpointer context) {
    (void)context;
    calls++;
    for (int index = 0; index < LABELS; index++) {
        int x = index % 20 * 30, y = index / 20 * 20;
        gtk_fixed_move(GTK_FIXED(fixed), labels[index], x, y); // place: move_same
    }
    return G_SOURCE_CONTINUE;
}

static gboolean size_same(gpointer context) {
    (void)context;
    calls++;
    for (int index = 0; index < LABELS; index++) gtk_widget_set_size_request(labels[index], 20, 16);
    return G_SOURCE_CONTINUE;
}

static gboolean css_same(gpointer context) { // place: css_same
    (void)context;
    calls++;
    for (int index = 0; index < LABELS; index++) gtk_css_provider_load_from_data(providers[index], sheet, -1);
    return G_SOURCE_CONTINUE;
}

static void add_style(int index) {
    providers[index] = gtk_css_provider_new();
    gtk_css_provider_load_from_data(providers[index], sheet, -1);
    GtkStyleContext *context = gtk_widget_get_style_context(labels[index]);
    gtk_style_context_add_provider(context, GTK_STYLE_PROVIDER(providers[index]), 800);
}

static void add_labels(GSourceFunc function) {
    fixed = gtk_fixed_new();
    for (int index = 0; index < LABELS; index++) {
        labels[index] = gtk_label_new("x");
        gtk_widget_set_size_request(labels[index], 20, 16);
        gtk_fixed_put(GTK_FIXED(fixed), labels[index], index % 20 * 30, index / 20 * 20);
        if (is("styles")) add_style(index);
    }
    add(fixed);
    g_timeout_add(100, function, NULL);
}

static gboolean redraw_same(gpointer label) {
    calls++;
    gtk_widget_queue_draw(label); // place: redraw_same
    return G_SOURCE_CONTINUE;
}

static void add_redrawn(void) {
    GtkWidget *label = gtk_label_new("stays as it is");
    gtk_widget_set_name(label, "redrawn");
    add(label);
    g_timeout_add(50, redraw_same, label);
}

static void draw_same(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer context) {
    (void)area, (void)context;
    for (int index = 0; index < 40; index++) {
        cairo_set_source_rgb(cairo, (index * 37 % 256) / 255.0, (index * 91 % 256) / 255.0, 0.5);
        cairo_arc(cairo, index * 53 % width, index * 97 % height, 6 + index % 9, 0, 2 * G_PI);
        cairo_fill(cairo);
    }
}

static GtkWidget *new_area(const char *called, GtkDrawingAreaDrawFunc function) {
    GtkWidget *area = gtk_drawing_area_new();
    gtk_widget_set_name(area, called);
    gtk_widget_set_size_request(area, 160, 120);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), function, NULL, NULL);
    add(area);
    return area;
}

static gboolean poll_pipe(gpointer area) {
    calls++;
    gtk_widget_queue_draw(area); // place: poll_pipe
    return G_SOURCE_CONTINUE;
}

static gboolean tick_only(GtkWidget *widget, GdkFrameClock *clock, gpointer context) { // place: tick_only
    (void)widget, (void)clock, (void)context;
    calls++;
    return G_SOURCE_CONTINUE;
}

static void add_ticker(void) {
    GtkWidget *label = gtk_label_new("ticks");
    gtk_widget_set_name(label, "ticker");
    add(label);
    gtk_widget_add_tick_callback(label, tick_only, NULL, NULL);
}

// MARK: Sources that are always due

static gboolean is_never_ready(GSource *source, gint *timeout) {
    (void)source;
    calls++;
    *timeout = 0;
    return FALSE;
}

static gboolean is_not_ready(GSource *source) {
    (void)source;
    return FALSE;
}

/// Without a function that GLib would call: it never does.
static GSourceFuncs pump_functions = {is_never_ready, is_not_ready, NULL, NULL, NULL, NULL};

static void add_pump(void) {
    GSource *source = g_source_new(&pump_functions, sizeof(GSource));
    g_source_set_name(source, "pump");
    g_source_attach(source, NULL);
}

static gboolean idle_stays(gpointer context) { // place: idle_stays
    (void)context;
    calls++;
    return G_SOURCE_CONTINUE;
}

static gboolean not_read(gint file, GIOCondition condition, gpointer context) { // place: not_read
    (void)file, (void)condition, (void)context;
    calls++;
    return G_SOURCE_CONTINUE;
}

static gboolean read_end(gint file, GIOCondition condition, gpointer context) { // place: read_end
    char byte;
    (void)condition, (void)context;
    calls++;
    return read(file, &byte, 1) <= 0;
}

static void add_closed_pipe(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    close(ends[1]);
    g_unix_fd_add(ends[0], G_IO_IN | G_IO_HUP, read_end, NULL);
}

static gboolean probed(gpointer context) { // place: probed
    (void)context;
    calls++;
    return G_SOURCE_REMOVE;
}

static gpointer probe(gpointer context) {
    for (;;) {
        g_usleep(3000);
        g_idle_add(probed, context);
    }
    return NULL;
}

// MARK: What is made anew

static GtkWidget *list;

static gboolean rebuild(gpointer context) {
    GtkWidget *row;
    (void)context;
    calls++;
    while ((row = gtk_widget_get_first_child(list))) gtk_list_box_remove(GTK_LIST_BOX(list), row);
    for (int number = 0; number < ROWS; number++) {
        char text[32];
        snprintf(text, sizeof text, "row %d", number);
        row = new_box();
        gtk_box_append(GTK_BOX(row), gtk_label_new(text));
        gtk_box_append(GTK_BOX(row), gtk_label_new("detail"));
        gtk_list_box_append(GTK_LIST_BOX(list), row); // place: rebuild
    }
    return G_SOURCE_CONTINUE;
}

static GtkWidget *scrolled(GtkWidget *content) {
    GtkWidget *around = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(around), content);
    gtk_widget_set_vexpand(around, TRUE);
    return around;
}

static void add_list(void) {
    list = gtk_list_box_new();
    rebuild(NULL);
    add(scrolled(list));
    g_timeout_add(1500, rebuild, NULL);
}

// MARK: Spinners

static GtkWidget *in_stack(GtkWidget *spinner) {
    GtkWidget *stack = gtk_stack_new();
    gtk_stack_add_named(GTK_STACK(stack), gtk_label_new("front"), "front");
    gtk_stack_add_named(GTK_STACK(stack), spinner, "back");
    return stack;
}

static GtkWidget *in_revealer(GtkWidget *spinner) {
    GtkWidget *revealer = gtk_revealer_new();
    gtk_revealer_set_child(GTK_REVEALER(revealer), spinner);
    return revealer;
}

static GtkWidget *below_label(GtkWidget *spinner) {
    GtkWidget *content = new_box(), *tall = gtk_label_new("tall");
    gtk_widget_set_size_request(tall, 10, 3000);
    gtk_box_append(GTK_BOX(content), tall);
    gtk_box_append(GTK_BOX(content), spinner);
    return scrolled(content);
}

static GtkWidget *behind_label(GtkWidget *spinner) {
    GtkWidget *overlay = gtk_overlay_new(), *cover = gtk_label_new("cover");
    gtk_overlay_set_child(GTK_OVERLAY(overlay), spinner);
    gtk_widget_add_css_class(cover, "background");
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), cover);
    gtk_widget_set_size_request(overlay, 100, 100);
    return overlay;
}

static gboolean begin_spinning(gpointer spinner) {
    gtk_widget_set_opacity(spinner, 0);
    gtk_spinner_start(spinner); // place: begin_spinning
    return G_SOURCE_REMOVE;
}

static void add_spinner(void) {
    GtkWidget *spinner = gtk_spinner_new();
    gtk_widget_set_name(spinner, "busy");
    if (is("clear"))
        g_timeout_add(500, begin_spinning, spinner);
    else
        gtk_spinner_start(GTK_SPINNER(spinner));
    if (is("stack"))
        add(in_stack(spinner));
    else if (is("closed"))
        add(in_revealer(spinner));
    else if (is("below"))
        add(below_label(spinner));
    else if (is("covered"))
        add(behind_label(spinner));
    else
        add(spinner);
}

// MARK: Hangs

static void on_clicked(GtkButton *button, gpointer context) {
    (void)button, (void)context;
    GError *error = NULL;
    GVariant *ask = g_variant_new("(ss)", "org.slow.Service", "Value");
    const char *peer = "org.slow.Service", *interface = "org.freedesktop.DBus.Properties";
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
    calls++;
    // In one line, so that its place is known.
    // clang-format off
    GVariant *value = bus ? g_dbus_connection_call_sync(bus, peer, "/slow", interface, "Get", ask, NULL, 0, 20000, NULL, &error) : NULL; // place: on_clicked
    // clang-format on
    printf("answered\t%d\n", value != NULL);
    if (error) fprintf(stderr, "%s\n", error->message);
}

static gboolean click(gpointer button) {
    g_signal_emit_by_name(button, "clicked");
    return G_SOURCE_REMOVE;
}

static void add_button(void) {
    GtkWidget *button = gtk_button_new_with_label("go");
    gtk_widget_set_name(button, "go");
    g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), NULL);
    add(button);
    g_timeout_add(2000, click, button);
}

static void on_activated(GSimpleAction *action, GVariant *value, gpointer context) {
    (void)action, (void)value, (void)context;
    if (calls++ == 0) g_usleep(1500000); // place: on_activated
}

/// A button whose action is activated, again and again, by a source that calls a function of GTK's.
static void add_action(void) {
    GSimpleAction *action = g_simple_action_new("wait", NULL);
    GSimpleActionGroup *group = g_simple_action_group_new();
    GtkWidget *button = gtk_button_new_with_label("act");
    g_signal_connect(action, "activate", G_CALLBACK(on_activated), NULL);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
    gtk_widget_insert_action_group(window, "case", G_ACTION_GROUP(group));
    gtk_widget_set_name(button, "act");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "case.wait");
    add(button);
    g_timeout_add(2000, (GSourceFunc)(void (*)(void))gtk_widget_activate, button);
}

static gboolean wait_first(gpointer context) {
    (void)context;
    g_usleep(800000);
    return G_SOURCE_REMOVE;
}

static gboolean wait_second(gpointer context) {
    (void)context;
    calls++;
    g_usleep(700000); // place: wait_second
    return G_SOURCE_REMOVE;
}

static void add_waits(void) {
    g_timeout_add(2000, wait_first, NULL);
    g_timeout_add(2000, wait_second, NULL);
}

static gboolean leave_late(gpointer context) {
    (void)context;
    g_usleep(1500000);
    exit(0);
}

// MARK: Writers

static GtkWidget *number_label;

static void update_label(void) {
    char text[32];
    snprintf(text, sizeof text, "%lu", calls / 20);
    gtk_label_set_text(GTK_LABEL(number_label), text); // place: update_label
}

static void toggle_class(void) {
    if (calls % 2)
        gtk_widget_add_css_class(number_label, "odd");
    else
        gtk_widget_remove_css_class(number_label, "odd");
}

static gboolean count_up(gpointer context) {
    (void)context;
    calls++;
    if (calls % 20 == 0) update_label();
    toggle_class();
    return G_SOURCE_CONTINUE;
}

static void add_number(GSourceFunc function, unsigned interval) {
    number_label = gtk_label_new("0");
    gtk_widget_set_name(number_label, "number");
    add(number_label);
    g_timeout_add(interval, function, NULL);
}

// MARK: A window that grows with its content

static GString *found_lines;

static double own_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void compute_for(double duration) {
    double end_at = own_time() + duration;
    while (own_time() < end_at) continue;
}

static gboolean scan_devices(gpointer context) { // place: scan_devices
    (void)context;
    compute_for(0.02);
    return G_SOURCE_CONTINUE;
}

static gboolean add_device(gpointer context) {
    (void)context;
    calls++;
    g_string_append(found_lines, "a device was found\n");
    gtk_label_set_text(GTK_LABEL(number_label), found_lines->str);
    return G_SOURCE_CONTINUE;
}

static void add_devices(void) {
    found_lines = g_string_new("");
    gtk_window_set_default_size(GTK_WINDOW(window), -1, -1);
    add_number(add_device, 1500);
    g_timeout_add(100, scan_devices, NULL);
}

// MARK: Callbacks that GIO calls

static GFile *file;

static gboolean load_again(gpointer context);

static void on_loaded(GObject *source, GAsyncResult *result, gpointer context) {
    char *text = NULL;
    (void)source, (void)context;
    calls++;
    if (!g_file_load_contents_finish(file, result, &text, NULL, NULL, NULL)) exit(1);
    g_free(text);
    compute_for(0.02); // place: on_loaded
    g_timeout_add(60, load_again, NULL);
}

static gboolean load_again(gpointer context) {
    (void)context;
    g_file_load_contents_async(file, NULL, on_loaded, NULL);
    return G_SOURCE_REMOVE;
}

static void begin_loading(void) {
    file = g_file_new_for_path("/proc/self/status");
    load_again(NULL);
}

// MARK: Without a fault

static void draw_picture(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer context) {
    (void)area, (void)context;
    calls++;
    cairo_set_source_rgb(cairo, (double)(calls % 100) / 100, 0.5, 0);
    cairo_rectangle(cairo, 0, 0, width, height);
    cairo_fill(cairo);
}

static gboolean next_picture(GtkWidget *area, GdkFrameClock *clock, gpointer context) { // place: next_picture
    (void)clock, (void)context;
    gtk_widget_queue_draw(area);
    return G_SOURCE_CONTINUE;
}

/// One pixel further each time.
static void draw_bar(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer context) {
    draw_same(area, cairo, width, height, context);
    cairo_set_source_rgb(cairo, 0, 0, 0);
    cairo_rectangle(cairo, 0, 0, calls++ % (unsigned long)width, height);
    cairo_fill(cairo);
}

static void add_picture(GtkDrawingAreaDrawFunc function) {
    gtk_widget_add_tick_callback(new_area(name, function), next_picture, NULL, NULL);
}

static gboolean show_time(gpointer context) {
    (void)context;
    char text[32];
    snprintf(text, sizeof text, "%02lu:%02lu", calls / 60, calls % 60);
    calls++;
    gtk_label_set_text(GTK_LABEL(number_label), text);
    return G_SOURCE_CONTINUE;
}

static GtkWidget *text_view;

static gboolean write_line(gpointer context) {
    (void)context;
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(text_view));
    GtkTextIter first, last;
    char text[64];
    snprintf(text, sizeof text, "line %lu of what another program says\n", ++calls);
    gtk_text_buffer_get_end_iter(buffer, &last);
    gtk_text_buffer_insert(buffer, &last, text, -1);
    if (gtk_text_buffer_get_line_count(buffer) > LINES) {
        gtk_text_buffer_get_start_iter(buffer, &first);
        gtk_text_buffer_get_iter_at_line(buffer, &last, 1);
        gtk_text_buffer_delete(buffer, &first, &last);
    }
    GtkTextMark *mark = gtk_text_buffer_get_insert(buffer);
    gtk_text_buffer_get_end_iter(buffer, &last);
    gtk_text_buffer_place_cursor(buffer, &last);
    gtk_text_view_scroll_mark_onscreen(GTK_TEXT_VIEW(text_view), mark);
    return G_SOURCE_CONTINUE;
}

static void add_terminal(void) {
    text_view = gtk_text_view_new();
    gtk_text_view_set_monospace(GTK_TEXT_VIEW(text_view), TRUE);
    gtk_text_view_set_cursor_visible(GTK_TEXT_VIEW(text_view), FALSE);
    add(scrolled(text_view));
    g_timeout_add(50, write_line, NULL);
}

static gint64 painted_at;

static void painted(GdkFrameClock *clock, gpointer context) {
    (void)clock, (void)context;
    painted_at = g_get_monotonic_time();
}

static gboolean end_if_still(gpointer context) {
    gint64 shown_at = *(gint64 *)context, now = g_get_monotonic_time();
    gboolean is_over = now - painted_at > 4000000 && now - shown_at > seconds * (gint64)1000000;
    return is_over ? end(NULL) : G_SOURCE_CONTINUE;
}

static void add_entry(void) {
    GtkWidget *entry = gtk_entry_new();
    add(entry);
    gtk_widget_grab_focus(entry);
}

static gpointer compute(gpointer context) {
    volatile unsigned long *sum = context;
    for (;;) *sum += 1;
    return NULL;
}

static void start_thread(void) {
    static unsigned long sum;
    g_thread_unref(g_thread_new("worker", compute, &sum));
}

// MARK: The program

/// Returns false for a name that is no case.
static gboolean add_fault(void) {
    if (is("moves") || is("sizes") || is("styles"))
        add_labels(is("moves") ? move_same : is("sizes") ? size_same : css_same);
    else if (is("redraw"))
        add_redrawn();
    else if (is("sameimage"))
        g_timeout_add(50, poll_pipe, new_area("centre", draw_same));
    else if (is("ticks"))
        add_ticker();
    else if (is("pump"))
        add_pump();
    else if (is("idle"))
        g_idle_add(idle_stays, NULL);
    else if (is("unread"))
        g_unix_fd_add(eventfd(1, 0), G_IO_IN, not_read, NULL);
    else if (is("hangup"))
        add_closed_pipe();
    else if (is("probes"))
        g_thread_unref(g_thread_new("scanner", probe, NULL));
    else if (is("rows"))
        add_list();
    else if (is("call"))
        add_button();
    else if (is("action"))
        add_action();
    else if (is("halves"))
        add_waits();
    else if (is("leaves"))
        g_timeout_add(4000, leave_late, NULL);
    else if (is("writers"))
        add_number(count_up, 20);
    else if (is("loads"))
        begin_loading();
    else if (is("grows"))
        add_devices();
    else
        return FALSE;
    return TRUE;
}

static gboolean add_clean(void) {
    if (is("video"))
        add_picture(draw_picture);
    else if (is("wipe"))
        add_picture(draw_bar);
    else if (is("clock"))
        add_number(show_time, 1000);
    else if (is("terminal"))
        add_terminal();
    else if (is("entry"))
        add_entry();
    else if (is("thread"))
        start_thread();
    else
        return FALSE;
    return TRUE;
}

static gboolean has_spinner(void) {
    static const char *const names[] = {"stack", "clear", "closed", "below", "covered", "shown"};
    for (size_t index = 0; index < G_N_ELEMENTS(names); index++)
        if (is(names[index])) return TRUE;
    return FALSE;
}

static gboolean add_content(void) {
    if (!has_spinner()) return add_fault() || add_clean();
    add_spinner();
    return TRUE;
}

int main(int count, char **arguments) {
    name = count > 1 ? arguments[1] : "";
    if (count > 2) seconds = atoi(arguments[2]);
    gtk_init();
    loop = g_main_loop_new(NULL, FALSE);
    window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), 640, 480);
    gtk_window_set_child(GTK_WINDOW(window), box = new_box());
    add(gtk_label_new("case"));
    if (!add_content()) {
        fprintf(stderr, "there is no case '%s'\n", name);
        return 64;
    }
    gtk_window_present(GTK_WINDOW(window));
    gint64 shown_at = g_get_monotonic_time();
    if (is("entry")) {
        g_signal_connect(gtk_widget_get_frame_clock(window), "paint", G_CALLBACK(painted), NULL);
        g_timeout_add_seconds(2, end_if_still, &shown_at);
    } else {
        g_timeout_add_seconds((guint)seconds, end, NULL);
    }
    g_main_loop_run(loop);
    printf("calls\t%lu\n", calls);
    return 0;
}

G_GNUC_END_IGNORE_DEPRECATIONS

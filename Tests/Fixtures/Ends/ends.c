// SPDX-License-Identifier: MIT
// Windows, popovers and widgets that end in any order while they are marked, and while the HUD is above them. It is compiled with the C
// files of the part for GTK, so that Valgrind sees one program.
//
// ends [plain] CASE...: does each case, such as `random SEED COUNT`, and prints its name once it is over. With `plain`, the program
// does the same without Rerender. RERENDER_SECOND_DISPLAY names another display.

#include "ends.h"
#include "crerender_gtk.h"
#include "crerender_hud.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: Rerender

static bool is_plain;

static void nothing(void *context) { (void)context; }
static void *view(void *context, const char *key) { return (void)context, (void *)key; }
static void *run_memory(void) {
    static char memory[1];
    return memory;
}
static bool run_began(void *view, uint64_t instance, uint32_t *hint, void *memory) {
    return (void)view, (void)instance, (void)hint, (void)memory, true;
}
static uint64_t run_ended(void *memory, struct crerender_gtk_run *run) {
    (void)memory;
    crerender_gtk_judge(run);
    return 1;
}
static void laid_out(void *view, uint64_t count, uint64_t time) { (void)view, (void)count, (void)time; }
static void *phase(void *view, enum crerender_gtk_phase phase) { return (void)view, (void)phase, NULL; }
static void *handler(void *context, void *view, const char *name) {
    return (void)context, (void)view, (void)name, NULL;
}
static void *step(void *view, uint64_t instance, bool is_layout, void *previous, uintptr_t writer, uint64_t outside) {
    return (void)view, (void)instance, (void)is_layout, (void)previous, (void)writer, (void)outside, NULL;
}
static void idle_added(uintptr_t caller) { (void)caller; }
static void *queued_step(void *step) { return (void)step, NULL; }
static uint64_t frame_began(void *context) {
    static uint64_t number;
    return (void)context, ++number;
}
static uint32_t row(void *context, int kind, uintptr_t function, const char *of) {
    return (void)context, (void)kind, (void)function, (void)of, 0;
}
static void row_ran(void *context, uint32_t row, uint64_t wall) { (void)context, (void)row, (void)wall; }
static uintptr_t script(void *context, uintptr_t *frame) { return (void)context, (void)frame, 0; }
static uintptr_t script_callable(void *context, uintptr_t callback, const void *data) {
    return (void)context, (void)callback, (void)data, 0;
}
static bool is_passed_over(uintptr_t address) { return (void)address, false; }
static void handler_began(void *context, uintptr_t function, uintptr_t frame, struct crerender_gtk_script *around) {
    (void)context, (void)function, (void)frame, (void)around;
}
static void handler_ended(void *context, const struct crerender_gtk_script *around) { (void)context, (void)around; }
static void frames_compared(void *context, uint64_t compared, uint64_t same, uint64_t likely, uint64_t likely_same) {
    (void)context, (void)compared, (void)same, (void)likely, (void)likely_same;
}
static uint32_t part_enter(void *context, uint32_t part, uint64_t now) {
    return (void)context, (void)part, (void)now, 0;
}
static void part_leave(void *context, uint32_t around, uint64_t now) { (void)context, (void)around, (void)now; }
static void parts(void *context, uint64_t now, uint64_t *wall) { (void)context, (void)now, (void)wall; }
static void frame_seen(void *context, bool is_painted, bool is_same, bool has_slow) {
    (void)context, (void)is_painted, (void)is_same, (void)has_slow;
}
static void frame_ended(void *context, const struct crerender_gtk_frame *frame) { (void)context, (void)frame; }
static void frame_presented(void *context, uint64_t time) { (void)context, (void)time; }
static void ended(void *view, uint64_t instance) { (void)view, (void)instance; }
static void say(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "rerender: %s\n", text);
}
static void replaced(void *context, size_t count, const char *names) { (void)context, (void)count, (void)names; }

static void stands_in(void *context, uintptr_t function, const char *name) {
    (void)context;
    (void)function;
    (void)name;
}

static void begin_rerender(void) {
    const struct crerender_gtk_callbacks callbacks = {
        .begin = nothing,
        .view = view,
        .run_memory = run_memory,
        .run_began = run_began,
        .run_ended = run_ended,
        .run_forgotten = nothing,
        .run_dropped = nothing,
        .laid_out = laid_out,
        .phase = phase,
        .handler = handler,
        .step = step,
        .keep_step = nothing,
        .forget_step = nothing,
        .queued_step = queued_step,
        .idle_added = idle_added,
        .input = nothing,
        .frame_began = frame_began,
        .frame_ended = frame_ended,
        .frame_presented = frame_presented,
        .ended = ended,
        .row = row,
        .row_ran = row_ran,
        .stands_in = stands_in,
        .script = script,
        .script_callable = script_callable,
        .is_passed_over = is_passed_over,
        .handler_began = handler_began,
        .handler_ended = handler_ended,
        .frames_compared = frames_compared,
        .part_enter = part_enter,
        .part_leave = part_leave,
        .parts = parts,
        .frame_seen = frame_seen,
        .report = say,
        .refused = say,
        .was_full = nothing,
        .replaced = replaced,
    };
    const char *why = crerender_gtk_start_linked(&callbacks);
    if (!why) why = crerender_hud_find();
    if (!why) return;
    fprintf(stderr, "ends: %s\n", why);
    exit(1);
}

size_t pulse(GtkWidget *widget) { return is_plain ? 0 : crerender_pulse((void *const[]){widget}, 1); }

void highlight(bool is_on) {
    if (!is_plain) crerender_highlight_set(is_on);
}

// MARK: The HUD

static bool event(void *window, const struct crerender_hud_event *event) { return (void)window, (void)event, false; }
static void resized(void *window, double width, double height, double top) {
    (void)window, (void)width, (void)height, (void)top;
}
static void update(void *window) {
    (void)window;
    const struct crerender_hud_operation text = {.kind = CRERENDER_TEXT,
                                                 .width = 60,
                                                 .height = 20,
                                                 .color = {1, 0, 0, 1},
                                                 .bytes = 3,
                                                 .size = 12,
                                                 .weight = 400};
    crerender_hud_show(&text, 1, "HUD");
}
static const struct crerender_hud_host host = {event, resized, update, nothing};

void show_hud(GtkWidget *window) {
    if (is_plain) return;
    crerender_hud_attach(window, &host);
    update(window);
}

void wait_for_hud(void) {
    if (is_plain) return;
    crerender_hud_wait(&host);
    crerender_hud_choose();
}

void hide_hud(void) {
    if (!is_plain) crerender_hud_detach();
}

// MARK: Widgets

GtkWidget *new_button(void) {
    GtkWidget *button = gtk_button_new_with_label("button");
    // A window holds what has the focus.
    gtk_widget_set_focusable(button, FALSE);
    return button;
}

GtkWidget *new_window(void) {
    GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_window_set_default_size(GTK_WINDOW(window), 200, 200);
    gtk_window_set_child(GTK_WINDOW(window), box);
    for (int index = 0; index < 3; index++) gtk_box_append(GTK_BOX(box), new_button());
    gtk_window_present(GTK_WINDOW(window));
    return g_object_ref(window);
}

GtkWidget *first_button(GtkWidget *window) {
    return gtk_widget_get_first_child(gtk_window_get_child(GTK_WINDOW(window)));
}

GtkWidget *new_popover(GtkWidget *button) {
    GtkWidget *popover = gtk_popover_new();
    gtk_popover_set_autohide(GTK_POPOVER(popover), FALSE);
    gtk_popover_set_child(GTK_POPOVER(popover), gtk_label_new("popover"));
    gtk_widget_set_parent(popover, button);
    gtk_popover_popup(GTK_POPOVER(popover));
    return popover;
}

static void on_painted(GdkFrameClock *clock, unsigned *painted) {
    (void)clock;
    ++*painted;
}

void draw(GtkWidget *window) {
    GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
    if (!clock || !gtk_widget_get_mapped(window)) return;
    unsigned painted = 0;
    g_object_ref(clock);
    gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), &painted);
    for (GtkWidget *button = first_button(window); button; button = gtk_widget_get_next_sibling(button))
        gtk_widget_queue_draw(button);
    gtk_widget_queue_draw(window);
    // A window that another program closes, or whose display goes, draws no more.
    while (painted == 0 && g_signal_handler_is_connected(clock, handler)) g_main_context_iteration(NULL, TRUE);
    if (g_signal_handler_is_connected(clock, handler)) g_signal_handler_disconnect(clock, handler);
    g_object_unref(clock);
}

void settle(void) {
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}

static gpointer unref(gpointer object) {
    g_object_unref(object);
    return NULL;
}

void unref_elsewhere(GtkWidget *widget) { g_thread_join(g_thread_new("elsewhere", unref, widget)); }

void end_window(GtkWidget *window) {
    gtk_window_destroy(GTK_WINDOW(window));
    g_object_unref(window);
}

// MARK: The program

int main(int count, char **arguments) {
    int index = 1;
    is_plain = count > 1 && strcmp(arguments[1], "plain") == 0;
    index += is_plain;
    setvbuf(stdout, NULL, _IOLBF, 0);
    gtk_init();
    if (!is_plain) begin_rerender();
    while (index < count) {
        if (strcmp(arguments[index], "random") == 0 && index + 2 < count) {
            do_random((uint64_t)atoll(arguments[index + 1]), atoi(arguments[index + 2]));
            index += 2;
        } else if (!do_case(arguments[index])) {
            fprintf(stderr, "ends: no case %s\n", arguments[index]);
            return 1;
        }
        settle();
        printf("over %s\n", arguments[index]);
        index++;
    }
    return 0;
}

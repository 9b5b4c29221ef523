// SPDX-License-Identifier: MIT
// A program with a main loop of GLib and sources of all kinds. It knows nothing of Rerender, and prints how often it called each
// function. `sources unread` has a descriptor that it never reads, `sources counter` one that does not say how much it has, and `sources
// output` one that it can always write to. `sources busy` takes a core for 14 seconds in a source whose table cannot be written, and the
// loop of `sources woken` is woken by another thread 2,000 times a second.

#include <glib-unix.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static GMainLoop *loop;
static int ends[2], channel_ends[2];
static unsigned ticks, idles, reads, owns, fixed, others, channels, children, left;
static GThread *other_loop;

static gpointer run_other(gpointer data);

static gboolean on_tick(gpointer data) {
    (void)data;
    left++;
    (void)!write(ends[1], "x", 1);
    (void)!write(channel_ends[1], "x", 1);
    // Not before the loop runs: Rerender begins with that, and would know of no earlier call.
    if (!other_loop) other_loop = g_thread_new("other-loop", run_other, NULL);
    if (++ticks < 20 || children == 0) return G_SOURCE_CONTINUE;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static gboolean on_channel(GIOChannel *channel, GIOCondition condition, gpointer data) {
    (void)condition;
    (void)data;
    char bytes[16];
    (void)!read(g_io_channel_unix_get_fd(channel), bytes, sizeof bytes);
    channels++;
    return G_SOURCE_CONTINUE;
}

static void on_child(GPid process, gint status, gpointer data) {
    (void)process;
    (void)status;
    (void)data;
    (void)!write(ends[1], "x", 1);
    children++;
}

/// Has a child that ends at once.
static void watch_child(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    g_child_watch_add(child, on_child, NULL);
}

static gboolean on_idle(gpointer data) {
    (void)data;
    return ++idles < 100;
}

static gboolean on_read(gint file, GIOCondition condition, gpointer data) {
    (void)condition;
    (void)data;
    char bytes[16];
    (void)!read(file, bytes, sizeof bytes);
    reads++;
    return G_SOURCE_CONTINUE;
}

static gboolean is_left(GSource *source, gint *timeout) {
    (void)source;
    *timeout = -1;
    return left > 0;
}

static gboolean is_still_left(GSource *source) {
    (void)source;
    return left > 0;
}

static gboolean on_own(GSource *source, GSourceFunc function, gpointer data) {
    (void)source;
    (void)function;
    (void)data;
    left--;
    owns++;
    return G_SOURCE_CONTINUE;
}

/// Can be written while the program runs.
static GSourceFuncs own_table = {is_left, is_still_left, on_own, NULL, NULL, NULL};

static gboolean on_fixed(GSource *source, GSourceFunc function, gpointer data) {
    (void)source;
    (void)function;
    (void)data;
    fixed++;
    return G_SOURCE_REMOVE;
}

static gboolean is_always(GSource *source, gint *timeout) {
    (void)source;
    *timeout = 0;
    return TRUE;
}

/// Cannot.
static const GSourceFuncs fixed_table = {is_always, NULL, on_fixed, NULL, NULL, NULL};

static GSource *attach(const GSourceFuncs *table) {
    GSource *source = g_source_new((GSourceFuncs *)table, sizeof(GSource));
    g_source_attach(source, NULL);
    return source;
}

static gboolean on_other(gpointer data) {
    if (++others < 5) return G_SOURCE_CONTINUE;
    g_main_loop_quit(data);
    return G_SOURCE_REMOVE;
}

static gpointer run_other(gpointer data) {
    (void)data;
    GMainContext *context = g_main_context_new();
    GMainLoop *own = g_main_loop_new(context, FALSE);
    GSource *timer = g_timeout_source_new(1);
    g_source_set_callback(timer, on_other, own, NULL);
    g_source_attach(timer, context);
    g_main_loop_run(own);
    return NULL;
}

static gboolean on_unread(gint file, GIOCondition condition, gpointer data) {
    (void)file;
    (void)condition;
    (void)data;
    if (++reads == 1000) g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

static int run_descriptor(const char *which) {
    bool is_output = strcmp(which, "output") == 0;
    (void)!write(ends[1], "x", 1);
    int file = strcmp(which, "counter") == 0 ? eventfd(1, 0) : ends[is_output];
    g_unix_fd_add(file, is_output ? G_IO_OUT : G_IO_IN, on_unread, NULL);
    g_main_loop_run(loop);
    printf("on_unread %u\n", reads);
    return 0;
}

static volatile unsigned long burnt;

static gboolean on_busy(GSource *source, GSourceFunc function, gpointer data) {
    (void)source;
    (void)function;
    (void)data;
    for (unsigned step = 0; step < 200000; step++) burnt++;
    owns++;
    return G_SOURCE_CONTINUE;
}

/// Cannot be written, either.
static const GSourceFuncs busy_table = {is_always, NULL, on_busy, NULL, NULL, NULL};

static gboolean end(gpointer data) {
    (void)data;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static int run_busy(void) {
    attach(&busy_table);
    g_timeout_add_seconds(14, end, NULL);
    g_main_loop_run(loop);
    printf("on_busy %u\n", owns);
    return 0;
}

static unsigned wakeups;

static gpointer feed_loop(gpointer data) {
    (void)data;
    for (; wakeups < 6000; wakeups++) {
        g_main_context_wakeup(NULL);
        g_usleep(500);
    }
    g_main_loop_quit(loop);
    return NULL;
}

static GThread *pump;

static gboolean start_pump(gpointer data) {
    (void)data;
    // The loop's own thread wakes nothing.
    g_main_context_wakeup(NULL);
    pump = g_thread_new("event-pump", feed_loop, NULL);
    return G_SOURCE_REMOVE;
}

static int run_woken(void) {
    g_timeout_add(100, start_pump, NULL);
    g_main_loop_run(loop);
    g_thread_join(pump);
    printf("feed_loop %u\n", wakeups);
    return 0;
}

static unsigned posted, turned;

static gboolean take_work(gpointer data) {
    if (data) g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static gpointer post_work(gpointer data) {
    (void)data;
    for (; posted < 1000; posted++) {
        g_idle_add(take_work, NULL);
        g_usleep(500);
    }
    return NULL;
}

/// Turns the loop as programs do that have a loop of their own.
static gboolean turn_loop(gpointer data) {
    (void)data;
    pump = g_thread_new("poster", post_work, NULL);
    for (; turned < 20000; turned++) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(50);
    }
    g_thread_join(pump);
    g_idle_add(take_work, loop);
    return G_SOURCE_REMOVE;
}

static int run_turned(void) {
    g_timeout_add(100, turn_loop, NULL);
    g_main_loop_run(loop);
    printf("turn_loop %u post_work %u\n", turned, posted);
    return 0;
}

int main(int count, char **arguments) {
    if (pipe(ends) != 0 || pipe(channel_ends) != 0) return 1;
    loop = g_main_loop_new(NULL, FALSE);
    if (count > 1 && strcmp(arguments[1], "busy") == 0) return run_busy();
    if (count > 1 && strcmp(arguments[1], "woken") == 0) return run_woken();
    if (count > 1 && strcmp(arguments[1], "turned") == 0) return run_turned();
    if (count > 1) return run_descriptor(arguments[1]);
    watch_child();
    g_io_add_watch(g_io_channel_unix_new(channel_ends[0]), G_IO_IN, on_channel, NULL);
    g_timeout_add(2, on_tick, NULL);
    g_idle_add(on_idle, NULL);
    g_unix_fd_add(ends[0], G_IO_IN, on_read, NULL);
    GSource *own = attach(&own_table), *constant = attach(&fixed_table);
    g_main_loop_run(loop);
    g_thread_join(other_loop);
    printf("on_tick %u\non_idle %u\non_read %u\non_own %u\n", ticks, idles, reads, owns);
    printf("on_channel %u\non_child %u\n", channels, children);
    printf("same %d fixed %u others %u\n", own->source_funcs == &own_table && constant->source_funcs == &fixed_table,
           fixed, others);
    return 0;
}

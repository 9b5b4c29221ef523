// SPDX-License-Identifier: MIT
// A program with a main loop of GLib and without windows. It knows nothing of Rerender.
//
// service NAME [SECONDS]: does for so long what it is called, 12 seconds if no number is given, prints how often its timer's function was
// called, and exits:
//
//   quiet    looks at the clock twice a second
//   busy     computes ten times a second, for 30 ms of processor time
//
// A comment "place: NAME" is behind each line that may be named as the place of the function NAME.

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static GMainLoop *loop;
static unsigned long calls;
static volatile unsigned long sum;

static double processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static gboolean look_at_clock(gpointer context) {
    (void)context;
    calls++;
    return g_get_monotonic_time() >= 0;
}

static gboolean compute(gpointer context) { // place: compute
    (void)context;
    double end = processor_time() + 0.03;
    calls++;
    while (processor_time() < end) sum++;
    return G_SOURCE_CONTINUE;
}

static gboolean end(gpointer context) {
    (void)context;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(int count, char **arguments) {
    gboolean is_busy = count > 1 && strcmp(arguments[1], "busy") == 0;
    loop = g_main_loop_new(NULL, FALSE);
    g_timeout_add(is_busy ? 100 : 500, is_busy ? compute : look_at_clock, NULL);
    g_timeout_add_seconds(count > 2 ? (guint)atoi(arguments[2]) : 12, end, NULL);
    g_main_loop_run(loop);
    printf("calls\t%lu\n", calls);
    return 0;
}

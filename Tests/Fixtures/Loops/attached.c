// SPDX-License-Identifier: MIT
// A program with a main loop of GLib that counts what an attach could change: calls of poll that were interrupted or refused, its timer
// and its signals. `attached timer` waits most of the time, `spin` never waits, `signals` gets 100 signals a second, and `stuck` does
// not come to a loop for 20 seconds. It prints its counts when its input ends, and exits with status 7.

#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static GMainLoop *loop;
static volatile sig_atomic_t signals;
static unsigned ticks, interrupted, refused, early;

static void on_signal(int number) {
    (void)number;
    signals++;
}

static gboolean on_tick(gpointer data) {
    (void)data;
    ticks++;
    return G_SOURCE_CONTINUE;
}

static gboolean on_idle(gpointer data) {
    (void)data;
    return G_SOURCE_CONTINUE;
}

static gboolean on_end(gint file, GIOCondition condition, gpointer data) {
    (void)file;
    (void)condition;
    (void)data;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

/// In the place of GLib's own, so that it sees what the kernel answers.
static gint counting_poll(GPollFD *files, guint count, gint timeout) {
    gint64 start = g_get_monotonic_time();
    gint ready = poll((struct pollfd *)files, count, timeout);
    if (ready < 0 && errno == EINTR) interrupted++;
    if (ready < 0 && errno != EINTR) refused++;
    // The kernel waits no shorter than it is asked to.
    if (ready == 0 && timeout > 0 && g_get_monotonic_time() - start < timeout * 1000) early++;
    return ready;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    const char *way = arguments[1];
    printf("begun\n");
    fflush(stdout);
    if (!strcmp(way, "stuck")) {
        // As it is not interrupted, nothing is left of it.
        return sleep(20) == 0 ? 7 : 1;
    }
    loop = g_main_loop_new(NULL, FALSE);
    g_main_context_set_poll_func(NULL, counting_poll);
    g_timeout_add(50, on_tick, NULL);
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_end, NULL);
    if (!strcmp(way, "spin")) g_idle_add(on_idle, NULL);
    if (!strcmp(way, "signals")) {
        signal(SIGALRM, on_signal);
        const struct itimerval often = {{0, 10000}, {0, 10000}};
        setitimer(ITIMER_REAL, &often, NULL);
    }
    g_main_loop_run(loop);
    printf("ticks %u interrupted %u refused %u early %u signals %d\n", ticks, interrupted, refused, early,
           (int)signals);
    return 7;
}

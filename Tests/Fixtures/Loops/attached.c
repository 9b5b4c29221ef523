// SPDX-License-Identifier: MIT
// A program with a main loop of GLib that counts what an attach could change: calls of poll that were interrupted or refused, its timer
// and its signals. `attached timer` waits most of the time, `spin` never waits, and `signals` gets 100 signals a second. `held` has a
// thread that keeps the loader's lock for 15 seconds. `epoll` waits for one second at a time in epoll_wait, and says `moment N` meanwhile,
// seven times a second. `away` waits so on another stack than its own, and ignores 100 signals a second. `gtk` has GTK 4 loaded and never
// calls it. `stuck` does not come to a loop for 20 seconds. It prints its counts when its input ends, and exits with status 7.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static GMainLoop *loop;
static volatile sig_atomic_t signals;
static unsigned ticks, interrupted, refused, early;
/// By how many milliseconds a wait was too long, at most.
static gint64 late;

static void note_end(gint64 start, gint timeout) {
    // The kernel waits no shorter than it is asked to.
    gint64 over = g_get_monotonic_time() - start - timeout * (gint64)1000;
    if (over < 0) early++;
    late = MAX(late, over / 1000);
}

static void on_signal(int number) {
    (void)number;
    signals++;
}

/// Each call lasts 0.1 ms longer than the one before.
static gboolean on_tick(gpointer data) {
    (void)data;
    gint64 end = g_get_monotonic_time() + 100 * (gint64)++ticks;
    while (g_get_monotonic_time() < end) {
    }
    return G_SOURCE_CONTINUE;
}

static gboolean on_idle(gpointer data) {
    (void)data;
    return G_SOURCE_CONTINUE;
}

static gboolean on_own(GSource *source, GSourceFunc function, gpointer data) {
    (void)function;
    (void)data;
    g_source_set_ready_time(source, g_source_get_time(source) + 50000);
    return G_SOURCE_CONTINUE;
}

/// Nothing leads to it but the source, as to the table of GDK.
static GSourceFuncs own_table = {.dispatch = on_own};

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
    if (ready == 0 && timeout > 0) note_end(start, timeout);
    return ready;
}

static int hold(struct dl_phdr_info *file, size_t size, void *data) {
    (void)file;
    (void)size;
    (void)data;
    return write(STDOUT_FILENO, "held\n", 5) == 5 && sleep(15) == 0;
}

static void *hold_loader(void *data) {
    dl_iterate_phdr(hold, NULL);
    return data;
}

/// On a thread of its own, so that something may happen at any moment of a wait.
static void *tell_moments(void *data) {
    char text[32];
    for (int number = 1;; number++) {
        usleep(150000);
        int size = snprintf(text, sizeof text, "moment %d\n", number);
        if (write(STDOUT_FILENO, text, (size_t)size) != size) return data;
    }
}

static ucontext_t own, other;

/// Returns when the input ends.
static void wait_away(void) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(set, EPOLL_CTL_ADD, STDIN_FILENO, &event)) refused++;
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        gint64 start = g_get_monotonic_time();
        ready = epoll_wait(set, &event, 1, 1000);
        if (ready == 0) note_end(start, 1000);
        if (ready < 0 && errno == EINTR) interrupted++;
        if (ready < 0 && errno != EINTR) refused++;
    }
}

static void signal_often(void (*handler)(int)) {
    signal(SIGALRM, handler);
    const struct itimerval often = {{0, 10000}, {0, 10000}};
    setitimer(ITIMER_REAL, &often, NULL);
}

static int end(void) {
    printf("ticks %u interrupted %u refused %u early %u late %d signals %d\n", ticks, interrupted, refused, early,
           (int)late, (int)signals);
    return 7;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    const char *way = arguments[1];
    if (!strcmp(way, "gtk") && !dlopen("libgtk-4.so.1", RTLD_NOW)) return 1;
    printf("begun\n");
    fflush(stdout);
    if (!strcmp(way, "stuck")) {
        // As it is not interrupted, nothing is left of it.
        return sleep(20) == 0 ? 7 : 1;
    }
    pthread_t thread;
    if (!strcmp(way, "epoll")) {
        if (pthread_create(&thread, NULL, tell_moments, NULL)) return 1;
        wait_away();
        return end();
    }
    if (!strcmp(way, "away")) {
        static char stack[256 << 10];
        signal_often(SIG_IGN);
        getcontext(&other);
        other.uc_stack.ss_sp = stack;
        other.uc_stack.ss_size = sizeof stack;
        other.uc_link = &own;
        makecontext(&other, wait_away, 0);
        swapcontext(&own, &other);
        return end();
    }
    if (!strcmp(way, "held") && pthread_create(&thread, NULL, hold_loader, NULL)) return 1;
    loop = g_main_loop_new(NULL, FALSE);
    g_main_context_set_poll_func(NULL, counting_poll);
    g_timeout_add(50, on_tick, NULL);
    GSource *source = g_source_new(&own_table, sizeof *source);
    g_source_set_ready_time(source, 0);
    g_source_attach(source, NULL);
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_end, NULL);
    if (!strcmp(way, "spin")) g_idle_add(on_idle, NULL);
    if (!strcmp(way, "signals")) signal_often(on_signal);
    g_main_loop_run(loop);
    return end();
}

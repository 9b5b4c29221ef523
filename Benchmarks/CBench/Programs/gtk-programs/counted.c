// SPDX-License-Identifier: MIT
// A program of GTK 4 that counts what an attach could change, for `Scripts/soak attach`: its clicks, its signals, the ends of a timer, its
// children, and calls that end too early or say so without a handler that ran. A third of the time it is where a stop could do harm: in
// a handler of a signal, in `malloc`, in `fork`, or in a call with a time-out.
//
// `counted window` counts clicks, too; `counted plain` has no window. It tells the signal that it counts. It answers each line of its
// input with its counts. When its input ends, it tells them once more and exits with status 7.
#include <errno.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MICROSECONDS = 10000, EXPIRY_MICROSECONDS = 7000, CHURN_MICROSECONDS = 1000, HANDLER_MICROSECONDS = 200 };
enum { BLOCKS = 64, LARGEST = 4096, CHILD_STATUS = 11, OWN_STATUS = 7 };

static GMainLoop *loop;
static atomic_uint handled, signals, expired;
static unsigned clicks, ticks, interrupted, refused, early, children, lost, damaged;
static gint64 late, next_tick, timer_start;
static timer_t timer;
static int ends[2];

static gint64 microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (gint64)1000000 + now.tv_nsec / 1000;
}

static void on_signal(int number) {
    (void)number;
    int saved = errno;
    atomic_fetch_add(&signals, 1);
    atomic_fetch_add(&handled, 1);
    gint64 end = microseconds() + HANDLER_MICROSECONDS;
    while (microseconds() < end) continue;
    errno = saved;
}

static void on_expiry(int number) {
    (void)number;
    int saved = errno;
    atomic_fetch_add(&expired, 1 + (unsigned)timer_getoverrun(timer));
    atomic_fetch_add(&handled, 1);
    errno = saved;
}

/// Counts what a call says that failed. The kernel interrupts a call for a handler alone.
static void note_error(unsigned before) {
    if (errno != EINTR)
        refused++;
    else if (atomic_load(&handled) == before)
        interrupted++;
}

/// In the place of GLib's own, so that it sees what the kernel answers.
static gint counting_poll(GPollFD *files, guint count, gint timeout) {
    unsigned before = atomic_load(&handled);
    gint64 start = microseconds();
    gint ready = poll((struct pollfd *)files, count, timeout);
    if (ready < 0) note_error(before);
    // The kernel waits no shorter than it is asked to.
    if (ready == 0 && timeout > 0 && microseconds() - start < timeout * (gint64)1000) early++;
    return ready;
}

static void churn(void) {
    static unsigned char *blocks[BLOCKS];
    static unsigned random = 1;
    for (gint64 end = microseconds() + CHURN_MICROSECONDS; microseconds() < end;) {
        random = random * 1103515245 + 12345;
        unsigned place = (random >> 16) % BLOCKS;
        size_t size = 1 + (random >> 8) % LARGEST;
        if (blocks[place] && blocks[place][0] != place) damaged++;
        free(blocks[place]);
        blocks[place] = malloc(size);
        if (blocks[place]) memset(blocks[place], (int)place, size);
    }
}

static void have_child(void) {
    pid_t child = fork(), ended;
    if (child == 0) _exit(CHILD_STATUS);
    int status = 0;
    do {
        unsigned before = atomic_load(&handled);
        ended = waitpid(child, &status, 0);
        if (ended < 0) note_error(before);
    } while (ended < 0 && errno == EINTR);
    children++;
    if (child < 0 || ended != child || !WIFEXITED(status) || WEXITSTATUS(status) != CHILD_STATUS) lost++;
}

/// Nothing comes: the call ends by its time-out.
static void receive(void) {
    char byte;
    unsigned before = atomic_load(&handled);
    if (recv(ends[0], &byte, 1, 0) >= 0)
        refused++;
    else if (errno != EAGAIN)
        note_error(before);
}

static gboolean on_tick(GSource *source, GSourceFunc function, gpointer data) {
    (void)function, (void)data;
    ticks++;
    late = MAX(late, microseconds() - next_tick);
    churn();
    if (ticks % 5 == 0) receive();
    if (ticks % 10 == 0) have_child();
    next_tick += TICK_MICROSECONDS;
    g_source_set_ready_time(source, next_tick);
    return G_SOURCE_CONTINUE;
}

static void on_click(GtkButton *button, gpointer data) {
    (void)button, (void)data;
    clicks++;
    churn();
}

/// How many ends of the timer never came.
static unsigned lost_expiries(void) {
    unsigned due = (unsigned)((microseconds() - timer_start) / EXPIRY_MICROSECONDS);
    for (int look = 0; look < 1000 && atomic_load(&expired) < due; look++) usleep(1000);
    unsigned came = atomic_load(&expired);
    return came < due ? due - came : 0;
}

static void tell(void) {
    printf("clicks %u signals %u expired %u lost-expiries %u ticks %u late-ms %d ", clicks, atomic_load(&signals),
           atomic_load(&expired), lost_expiries(), ticks, (int)(late / 1000));
    printf("interrupted %u refused %u early %u children %u lost-children %u damaged %u\n", interrupted, refused, early,
           children, lost, damaged);
    fflush(stdout);
}

static gboolean on_input(gint file, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    char text[64];
    ssize_t size = read(file, text, sizeof text);
    if (size < 0) return G_SOURCE_CONTINUE;
    if (size > 0)
        tell();
    else
        g_main_loop_quit(loop);
    return size > 0;
}

static void begin(void) {
    printf("begun %d\n", SIGRTMIN + 1);
    fflush(stdout);
}

/// The first frame is due: the button is where it will be.
static gboolean on_frame(GtkWidget *window, GdkFrameClock *clock, gpointer data) {
    (void)window, (void)clock, (void)data;
    begin();
    return G_SOURCE_REMOVE;
}

static void show_window(void) {
    gtk_init();
    GtkWidget *window = gtk_window_new(), *button = gtk_button_new_with_label("Click");
    gtk_window_set_title(GTK_WINDOW(window), "counted");
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    gtk_window_set_child(GTK_WINDOW(window), button);
    g_signal_connect(button, "clicked", G_CALLBACK(on_click), NULL);
    gtk_widget_add_tick_callback(window, on_frame, NULL, NULL);
    gtk_window_present(GTK_WINDOW(window));
}

static void start_timer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 2};
    const struct itimerspec often = {{0, EXPIRY_MICROSECONDS * 1000}, {0, EXPIRY_MICROSECONDS * 1000}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL)) refused++;
    timer_start = microseconds();
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    // The main thread alone handles them: others are made while it blocks them.
    sigset_t counted;
    sigemptyset(&counted);
    sigaddset(&counted, SIGRTMIN + 1);
    sigaddset(&counted, SIGRTMIN + 2);
    sigprocmask(SIG_BLOCK, &counted, NULL);
    // Calls go on after one of them, and end with EINTR after the other.
    sigaction(SIGRTMIN + 1, &(struct sigaction){.sa_handler = on_signal}, NULL);
    sigaction(SIGRTMIN + 2, &(struct sigaction){.sa_handler = on_expiry, .sa_flags = SA_RESTART}, NULL);
    const struct timeval while_waiting = {.tv_usec = 5000};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ||
        setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &while_waiting, sizeof while_waiting))
        return 1;
    loop = g_main_loop_new(NULL, FALSE);
    g_main_context_set_poll_func(NULL, counting_poll);
    if (!strcmp(arguments[1], "window"))
        show_window();
    else
        begin();
    static GSourceFuncs functions = {.dispatch = on_tick};
    GSource *source = g_source_new(&functions, sizeof *source);
    next_tick = microseconds();
    g_source_set_ready_time(source, next_tick);
    g_source_attach(source, NULL);
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_input, NULL);
    start_timer();
    sigprocmask(SIG_UNBLOCK, &counted, NULL);
    g_main_loop_run(loop);
    tell();
    return OWN_STATUS;
}

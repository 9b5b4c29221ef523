// SPDX-License-Identifier: MIT
// Taking a terminal over and giving it back, also where the program crashes.
#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// What ends a program without running what atexit was given. SIGINT and the like are the caller's to await.
static const int deadly[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGTRAP, SIGABRT, SIGSYS, SIGQUIT, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGIO,  SIGPWR,  SIGSTKFLT};
enum { deadly_count = sizeof deadly / sizeof *deadly };

static struct termios before;
static struct sigaction handled_before[deadly_count];
static atomic_int is_taken;

// A reader that has left is no reason to stop: what cannot be written is nobody's to see.
static void say(const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

void terminal_give_back(void) {
    if (!atomic_exchange(&is_taken, 0)) return;
    int error = errno;
    say("\033[?25h\033[?1049l");
    while (tcsetattr(STDIN_FILENO, TCSANOW, &before) != 0 && errno == EINTR) {
    }
    errno = error;
}

// A fault happens again when its handler returns.
static bool happens_again(int number, const siginfo_t *information) {
    bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGSYS;
    return is_fault && information->si_code > 0;
}

// Leaves a signal ignored that our parent had us ignore: it ends nothing.
static void watch(int index, const struct sigaction *action) {
    sigaction(deadly[index], action, &handled_before[index]);
    if (handled_before[index].sa_handler == SIG_IGN) sigaction(deadly[index], &handled_before[index], NULL);
}

// Gives the terminal back and lets whoever was to handle the signal have it: a fault happens again when this returns, what was
// sent is sent again.
static void on_deadly(int number, siginfo_t *information, void *context) {
    (void)context;
    terminal_give_back();
    for (int index = 0; index < deadly_count; index++) {
        if (deadly[index] == number) sigaction(number, &handled_before[index], NULL);
    }
    if (!happens_again(number, information)) raise(number);
}

int terminal_take(void) {
    if (tcgetattr(STDIN_FILENO, &before) != 0) return errno;
    struct termios raw = before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    // Before the terminal changes, so that there is no moment without somebody to restore it.
    if (atexit(terminal_give_back) != 0) return ENOMEM;
    struct sigaction action = {.sa_sigaction = on_deadly, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < deadly_count; index++) watch(index, &action);
    atomic_store(&is_taken, 1);
    while (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0) {
        if (errno == EINTR) continue;
        int error = errno;
        atomic_store(&is_taken, 0);
        return error;
    }
    say("\033[?1049h\033[?25l");
    return 0;
}

size_t terminal_read(void *bytes, size_t capacity) {
    ssize_t count;
    do {
        count = read(STDIN_FILENO, bytes, capacity);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0;
}

void terminal_size(int *columns, int *lines) {
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    *columns = size.ws_col;
    *lines = size.ws_row;
}

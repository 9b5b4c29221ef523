// SPDX-License-Identifier: MIT
// Taking a terminal over and giving it back, also where the program crashes.
#define _GNU_SOURCE
#include "CTerminal.h"
#include "CTerminalRestore.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

void terminal_give_back(void) { terminal_restore_now(); }

int terminal_take(void) {
    int fault = terminal_restore_prepare();
    if (fault != 0) return fault;
    struct termios raw = *terminal_restore_saved();
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (atexit(terminal_give_back) != 0) return ENOMEM;
    // Armed before the terminal changes, so that there is no moment in which nothing would restore it.
    terminal_restore_arm("\033[?25h\033[?1049l");
    while (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0) {
        if (errno == EINTR) continue;
        int error = errno;
        terminal_restore_disarm();
        return error;
    }
    static const char open_screen[] = "\033[?1049h\033[?25l";
    ssize_t written = write(STDOUT_FILENO, open_screen, sizeof open_screen - 1);
    // A terminal that is gone ends the input too.
    (void)written;
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

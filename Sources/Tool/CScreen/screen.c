// SPDX-License-Identifier: MIT
// Calls curses, and prepares what restores the terminal if the process is killed.
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "screen.h"
#include "CTerminalRestore.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#else
#include <curses.h>
#include <term.h>
#endif

enum { pair_notice = 1, pair_bad = 2, escape_wait_milliseconds = 25 };

// What undoes all that was switched on, made beforehand: curses may not be called in a signal handler.
static char undo[512];
static bool has_colours;

// A capability without its padding ("$<5>"), which no terminal of today needs.
static void add_undo(const char *capability) {
    const char *text = tigetstr(capability);
    if (text == NULL || text == (char *)-1) return;
    size_t length = strlen(undo);
    while (*text && length + 1 < sizeof undo) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end) {
            text = end + 1;
        } else {
            undo[length++] = *text++;
        }
    }
    undo[length] = 0;
}

// Orange if available, otherwise magenta: yellow is unreadable on white.
static void prepare_colours(bool wanted) {
    has_colours = wanted && has_colors() && start_color() == OK && use_default_colors() == OK;
    if (!has_colours) return;
    init_pair(pair_notice, COLORS >= 256 ? 166 : COLOR_MAGENTA, -1);
    init_pair(pair_bad, COLOR_RED, -1);
}

static void prepare_undo(void) {
    undo[0] = 0;
    add_undo("rmkx");
    add_undo("op");
    add_undo("sgr0");
    add_undo("cnorm");
    add_undo("rmcup");
}

// Ctrl-S must not stop us in the middle of a frame: then nothing would answer a signal.
static void prepare_keys(void) {
    set_escdelay(escape_wait_milliseconds);
    cbreak();
    noecho();
    nonl();
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) == 0) {
        now.c_iflag &= ~(tcflag_t)IXON;
        tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
        def_prog_mode();
    }
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
}

enum cscreen_fault cscreen_open(bool wants_colours) {
    setlocale(LC_CTYPE, "");
    // All text is UTF-8. A locale that names another encoding, as C does, is nearly always that of a script, and not the terminal's.
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    int known = 0;
    if (setupterm(NULL, STDOUT_FILENO, &known) != OK) return CSCREEN_UNKNOWN_TERMINAL;
    const char *placing = tigetstr("cup");
    if (placing == NULL || placing == (char *)-1) return CSCREEN_NO_CURSOR;
    if (atexit(cscreen_close) != 0 || cterminal_restore_prepare() != 0) return CSCREEN_SYSTEM;
    prepare_undo();
    cterminal_restore_arm(undo);
    if (newterm(NULL, stdout, stdin) == NULL) {
        cterminal_restore_disarm();
        return CSCREEN_UNKNOWN_TERMINAL;
    }
    prepare_colours(wants_colours);
    prepare_keys();
    curs_set(0);
    leaveok(stdscr, TRUE);
    return CSCREEN_OPEN;
}

void cscreen_close(void) {
    if (!cterminal_restore_is_armed()) return;
    if (exit_ca_mode == NULL) {
        // Without a screen of our own the last frame would stay, and the shell would write over it.
        erase();
        refresh();
    }
    curs_set(1);
    endwin();
    cterminal_restore_disarm();
    while (tcsetattr(STDIN_FILENO, TCSADRAIN, cterminal_restore_saved()) != 0 && errno == EINTR) {
    }
}

void cscreen_resume(void) {
    cterminal_restore_arm(undo);
    reset_prog_mode();
    clearok(curscr, TRUE);
    refresh();
    curs_set(0);
}

void cscreen_measure(int *width, int *height) {
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        if (size.ws_col != COLS || size.ws_row != LINES) resizeterm(size.ws_row, size.ws_col);
    }
    *width = COLS;
    *height = LINES;
}

void cscreen_begin(void) { erase(); }

void cscreen_clear(int line) {
    if (line < 0 || line >= LINES) return;
    move(line, 0);
    clrtoeol();
}

static attr_t attributes(uint32_t style) {
    attr_t shown = A_NORMAL;
    if (style & CSCREEN_BOLD) shown |= A_BOLD;
    if (style & CSCREEN_DIM) shown |= A_DIM;
    if (style & CSCREEN_REVERSE) shown |= A_REVERSE;
    if (has_colours && (style & CSCREEN_BAD)) return shown | (attr_t)COLOR_PAIR(pair_bad);
    if (has_colours && (style & CSCREEN_NOTICE)) return shown | (attr_t)COLOR_PAIR(pair_notice);
    // Without colours what matters is at least bold.
    if (style & (CSCREEN_BAD | CSCREEN_NOTICE)) shown |= A_BOLD;
    return shown;
}

void cscreen_put(int line, int column, const char *text, uint32_t style) {
    if (line < 0 || line >= LINES || column < 0 || column >= COLS) return;
    attrset(attributes(style));
    mvaddstr(line, column, text);
    attrset(A_NORMAL);
}

void cscreen_show(void) { refresh(); }

void cscreen_repaint(void) { clearok(curscr, TRUE); }

static enum cscreen_input_kind special(wint_t key) {
    switch (key) {
    case KEY_UP: return CSCREEN_UP;
    case KEY_DOWN: return CSCREEN_DOWN;
    case KEY_LEFT: return CSCREEN_LEFT;
    case KEY_RIGHT: return CSCREEN_RIGHT;
    case KEY_BTAB: return CSCREEN_BACK_TAB;
    case KEY_PPAGE: return CSCREEN_PAGE_UP;
    case KEY_NPAGE: return CSCREEN_PAGE_DOWN;
    case KEY_HOME: return CSCREEN_HOME;
    case KEY_END: return CSCREEN_END;
    case KEY_ENTER: return CSCREEN_ENTER;
    case KEY_BACKSPACE: return CSCREEN_BACKSPACE;
    default: return CSCREEN_OTHER;
    }
}

struct cscreen_input cscreen_read(void) {
    wint_t key = 0;
    int kind = get_wch(&key);
    if (kind == ERR) return (struct cscreen_input){.kind = CSCREEN_NOTHING};
    if (kind == KEY_CODE_YES) return (struct cscreen_input){.kind = special(key)};
    switch (key) {
    case '\r':
    case '\n': return (struct cscreen_input){.kind = CSCREEN_ENTER};
    case 8:
    case 127: return (struct cscreen_input){.kind = CSCREEN_BACKSPACE};
    case '\t': return (struct cscreen_input){.kind = CSCREEN_TAB};
    case 27: return (struct cscreen_input){.kind = CSCREEN_ESCAPE};
    default: return (struct cscreen_input){.kind = CSCREEN_CHARACTER, .code = (uint32_t)key};
    }
}

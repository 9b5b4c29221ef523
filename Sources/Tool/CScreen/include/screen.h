// SPDX-License-Identifier: MIT
// A full-screen terminal through ncursesw. Only screen.c calls curses, from one thread.
#ifndef RERENDER_CSCREEN_H
#define RERENDER_CSCREEN_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Why a screen could not be opened.
enum cscreen_fault {
    CSCREEN_OPEN,
    /// No terminfo entry for $TERM.
    CSCREEN_UNKNOWN_TERMINAL,
    /// The terminal cannot place its cursor.
    CSCREEN_NO_CURSOR,
    /// The system refused; errno says why.
    CSCREEN_SYSTEM,
};

/// Takes the terminal over on standard input and output: keys come one by one and are not shown, on a screen of their own.
/// Ctrl-C and Ctrl-Z still are signals; catch them first, or curses does. From here on every end of the process but
/// SIGKILL gives the terminal back. Once in a process.
enum cscreen_fault cscreen_open(bool wants_colours);

/// Gives the terminal back; nothing if it is given back. cscreen_resume takes it again.
void cscreen_close(void);
void cscreen_resume(void);

/// Learns the terminal's size, in cells.
void cscreen_measure(int *columns, int *lines);

/// How a text is shown; added up.
enum cscreen_style {
    CSCREEN_BOLD = 1,
    CSCREEN_DIM = 2,
    CSCREEN_REVERSE = 4,
    CSCREEN_NOTICE = 8,
    CSCREEN_BAD = 16,
};

/// Begins an empty frame.
void cscreen_begin(void);
/// Empties one line of the frame.
void cscreen_clear(int line);
/// Puts a text at a place; what does not fit there is cut.
void cscreen_put(int line, int column, const char *text, uint32_t style);
/// Shows the frame: what differs from the one before is sent.
void cscreen_show(void);
/// Has the next frame sent whole.
void cscreen_repaint(void);

/// User input.
enum cscreen_input_kind {
    CSCREEN_NOTHING,
    /// `code` is a Unicode scalar, control characters included.
    CSCREEN_CHARACTER,
    CSCREEN_UP,
    CSCREEN_DOWN,
    CSCREEN_LEFT,
    CSCREEN_RIGHT,
    CSCREEN_TAB,
    CSCREEN_BACK_TAB,
    CSCREEN_PAGE_UP,
    CSCREEN_PAGE_DOWN,
    CSCREEN_HOME,
    CSCREEN_END,
    CSCREEN_ENTER,
    CSCREEN_BACKSPACE,
    CSCREEN_ESCAPE,
    /// A key that means nothing here.
    CSCREEN_OTHER,
};

struct cscreen_input {
    enum cscreen_input_kind kind;
    uint32_t code;
};

/// The next input, or CSCREEN_NOTHING. Waits 25 ms for the rest of a key's bytes, and for
/// nothing else.
struct cscreen_input cscreen_read(void);

#pragma clang assume_nonnull end
#endif

// SPDX-License-Identifier: MIT
// A terminal for a program that draws: taken over, and given back on every way out but SIGKILL.
#ifndef RERENDER_CTERMINAL_H
#define RERENDER_CTERMINAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes the terminal over: keys come as bytes and are not shown, on a screen of their own without a cursor. Ctrl-C still
/// is SIGINT; Ctrl-Z is not SIGTSTP. Once in a process. Returns 0, or an errno.
int terminal_take(void);

/// Gives the terminal back as it was; nothing if it was not taken, or the second time. Safe in signal handlers.
void terminal_give_back(void);

/// Reads what was typed: the number of bytes, 0 at the end of the input, which a terminal that is gone is too.
/// To be called when there is something to read.
size_t terminal_read(void *_Nonnull bytes, size_t capacity);

/// The size of the terminal in cells; 0 where it does not say.
void terminal_size(int *_Nonnull columns, int *_Nonnull lines);

#ifdef __cplusplus
}
#endif
#endif

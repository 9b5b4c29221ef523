// SPDX-License-Identifier: MIT
// Restores a terminal when the process ends, also when a signal kills it. Shared by `top` and the demo's screens.
#ifndef RERENDER_CTERMINALRESTORE_H
#define RERENDER_CTERMINALRESTORE_H

#include <stdbool.h>
#include <termios.h>

#pragma GCC visibility push(hidden)

/// Saves the terminal's settings and handles every signal that would kill the process without running exit handlers.
///
/// The signals that users send (SIGINT, SIGTERM, SIGHUP) stay the caller's. So do signals that the process handles
/// or ignores already, except faults: after a fault the earlier handler runs too. Call it once in a process.
/// Returns 0, or an errno.
int cterminal_restore_prepare(void);

/// The settings that cterminal_restore_prepare saved.
const struct termios *_Nonnull cterminal_restore_saved(void);

/// Starts to restore: `text` is written first, and must live as long as the process.
void cterminal_restore_arm(const char *_Nonnull text);

bool cterminal_restore_is_armed(void);
void cterminal_restore_disarm(void);

/// Restores the terminal if it is armed, and disarms. Safe in signal handlers.
void cterminal_restore_now(void);

#pragma GCC visibility pop

#endif

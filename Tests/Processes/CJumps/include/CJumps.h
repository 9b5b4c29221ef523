// SPDX-License-Identifier: MIT
// Leaves functions as C and C++ do: by longjmp, and by an exception. Those in between do not return.
#ifndef CJUMPS_H
#define CJUMPS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cjumps_kind { CJUMPS_LONGJMP, CJUMPS_EXCEPTION };

/// Calls `body`; true if it was left.
bool cjumps_catch(enum cjumps_kind kind, void (*body)(void *context), void *context);
/// Leaves the innermost body of this thread that `cjumps_catch` called with the same kind.
void cjumps_leave(enum cjumps_kind kind);
/// Calls `body` on two stacks of their own, by turns: each goes on where it was when the other has called `cjumps_yield`, or has ended.
void cjumps_interleave(void (*body)(void *context, int number), void *context);
void cjumps_yield(void);
/// Calls `body` on two threads with stacks of so many bytes, with the numbers 0 and 1, and waits until both are gone.
void cjumps_threads(void (*body)(void *context, int number), void *context, unsigned long stack);
/// Writes to so many kilobytes of the stack below the caller.
void cjumps_overwrite(int kilobytes);

#ifdef __cplusplus
}
#endif
#endif

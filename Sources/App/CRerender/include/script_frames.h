// SPDX-License-Identifier: MIT
// The functions of scripts that run in this process, for stacks, and those that a loop calls through a language's binding.
#ifndef CRERENDER_SCRIPT_FRAMES_H
#define CRERENDER_SCRIPT_FRAMES_H

#include "interpreter_frames.h"
#include <sys/types.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A function of a script that runs.
struct crerender_script_frame {
    /// Its place, as an address.
    uintptr_t place;
    /// An address in the frame of the interpreter's function that runs it; 0 where that is not known.
    uintptr_t call;
};

/// As many as a stack has that is shown. Of deeper ones, the innermost.
enum { CRERENDER_SCRIPT_FRAMES = 64 };
struct crerender_script_stack {
    uint32_t count;
    struct crerender_script_frame frames[CRERENDER_SCRIPT_FRAMES];
};

/// Looks for an interpreter in this process; again for files that were loaded since. On a thread that may wait for the loader.
void crerender_find_scripts(void);
/// Why functions of scripts have no names, as a sentence; null where they have. For as long as the process runs.
const char *_Nullable crerender_script_gap(void);

/// Writes the sentence for a version of Python that is not known, or for a build of one that is: 0x030f00f0 for 3.15.0, and 0 before 3.11.
void crerender_python_gap(uint64_t version, char *text, size_t room);

/// What code objects of Python said of the layout by which they are read. All 0 at first.
struct crerender_layout_trust {
    uint32_t right, wrong;
};
/// Counts a code object that looked right or did not. False from the eighth on that did not, where none before it did: then the layout is that
/// of another version. Any thread, also in a signal handler.
bool crerender_trusts_layout(struct crerender_layout_trust *trust, bool is_right);

/// How long names were looked for since a second began, in nanoseconds. All 0 at first.
struct crerender_naming {
    uint64_t second, spent;
    /// Whether a name was left out.
    bool left_out;
};
/// Whether a name may be looked for: not where others took 20 ms of this second, by the monotonic clock. Any thread.
bool crerender_may_name(struct crerender_naming *naming, uint64_t now);

/// Tells the innermost function of a script that runs on the calling thread and that is not passed over. False without one. It takes one load
/// where no interpreter is in the process, and some microseconds elsewhere.
bool crerender_script_here(struct crerender_script_frame *frame);

/// The place of the script's function that is called by what a binding gave to GLib: a callback with its data, or a closure with its
/// marshaller as the callback. 0 where that is not known. Some microseconds where an interpreter is in the process.
uintptr_t crerender_script_callable(uintptr_t callback, const void *_Nullable data);

/// A function that stays what it is: 0 for one in no file, which a binding may have made for one call alone, and for a binding's own; else the
/// function. Some ten nanoseconds; any thread.
uintptr_t crerender_lasting_function(uintptr_t function);
/// The function that is called for a callback with its data: that of a script where it is known, else what stays of the callback.
uintptr_t crerender_called_function(uintptr_t callback, const void *_Nullable data);
/// Where the code of the binding begins that makes functions as the program runs; 0 where it is not known. Any thread.
uintptr_t crerender_binding(void);

/// What `crerender_script_stack` needs of a thread; 0 where no script runs on it.
uintptr_t crerender_script_thread(pid_t thread);
/// Reads the functions on a thread's stack, innermost first, without those that are passed over. The thread stands still, or runs
/// this in a signal handler. Empty where they do not end at a call of the interpreter.
void crerender_read_script_stack(uintptr_t thread, struct crerender_script_stack *stack);

/// Who has the lock of an interpreter: of Python the GIL, without which none of its functions run.
struct crerender_script_lock {
    /// The thread that has it, by the kernel's number; 0 where that is not known.
    pid_t holder;
    /// The place of the innermost function of that thread that is not of the language's own library, or else of any; 0 where that is not known.
    uintptr_t place;
    /// Where it is the same again, one thread had the lock all the time.
    uint64_t switches;
};
/// Whether a thread waits for such a lock that waits in futex(2) at an address, and who has it. Some hundred microseconds; not in a signal
/// handler. The thread that has the lock may run meanwhile.
bool crerender_find_script_lock(uintptr_t address, pid_t waiting, struct crerender_script_lock *lock);

/// Copies addresses, innermost first, with the functions of scripts in the place of the interpreter's. Where there are none of scripts it
/// copies all: a wait for the interpreter's lock is known by its functions. Returns how many it copied, `room` at most.
///
/// - Parameters:
///   - ends: Where the frame of each address ends on the stack.
///   - is_interpreter: Whether an address is the interpreter's or a binding's.
uint32_t crerender_merge_scripts(const uintptr_t *addresses, const uintptr_t *ends, uint32_t count,
                                 const struct crerender_script_stack *stack, bool (*is_interpreter)(uintptr_t address),
                                 uintptr_t *merged, uint32_t room);
/// Whether an address is that of a function of an interpreter or a binding, by its file. Takes the loader's lock for microseconds.
bool crerender_is_interpreter(uintptr_t address);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// Which functions of Python run on a thread, read from memory alone: no Python code runs, no reference is taken, no lock is waited for.
#ifndef CRERENDER_PYTHON_FRAMES_H
#define CRERENDER_PYTHON_FRAMES_H

#include "python_layout.h"
#include "script_places.h"

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// An interpreter in this process, or in other memory. Everything that is read of it is looked at before it is believed.
struct crerender_python {
    struct crerender_python_layout layout;
    struct crerender_python_memory memory;
    uintptr_t runtime;
    /// The types of objects that are read.
    uintptr_t code, text, bytes, function, method, tuple;
};

/// A step of a walk: a function that runs, or the beginning of a call of the interpreter, or both.
struct crerender_python_frame {
    /// 0 where the step is no function.
    uintptr_t code, instruction;
    /// Where on C's stack the interpreter was called that runs this function, and those before it; 0 where it was called further out.
    uintptr_t call;
};

/// A walk from a thread's innermost function outwards.
struct crerender_python_walk {
    const struct crerender_python *_Nonnull python;
    uintptr_t frame, call;
    uint32_t steps;
    /// Whether something did not look right, and whether the call of the last function is yet to come.
    bool is_broken, is_open;
};

/// Begins a walk of a thread, by its state.
struct crerender_python_walk crerender_python_begin(const struct crerender_python *python, uintptr_t thread);
/// Takes a step; false at the end. Walks end after some hundred steps.
bool crerender_python_next(struct crerender_python_walk *walk, struct crerender_python_frame *frame);
/// Whether the walk came to the end of the outermost call.
bool crerender_python_is_whole(const struct crerender_python_walk *walk);

/// Tells the place of an instruction of a code object, or of its first line for 0. False where it does not look right.
bool crerender_python_place(const struct crerender_python *python, uintptr_t code, uintptr_t instruction,
                            struct crerender_script_place *place);

/// The line of a code unit, from a location table; 0 where it has none.
uint32_t crerender_python_line(const struct crerender_python_memory *memory, uintptr_t table, size_t size,
                               uint32_t first_line, uint32_t unit);

/// The state of a thread by the kernel's number; 0 where it has none.
uintptr_t crerender_python_thread(const struct crerender_python *python, int32_t number);

/// The lock of an interpreter (the GIL) whose condition an address is in, as that of a thread's futex; 0 for others.
uintptr_t crerender_python_lock(const struct crerender_python *python, uintptr_t address);
/// Who has a lock.
struct crerender_python_holder {
    /// The state of the thread, and the kernel's number of it; 0 where none has the lock, or that is not known.
    uintptr_t thread;
    int32_t number;
    /// How often another thread took it than the one before: where it is the same again, one thread had the lock all the time.
    uint64_t switches;
};
/// Finds who has a lock, which may be any address.
struct crerender_python_holder crerender_python_find_holder(const struct crerender_python *python, uintptr_t lock);

/// The code of what can be called: a function, a method of an object, or a `functools.partial` of these; 0 for others.
uintptr_t crerender_python_callable(const struct crerender_python *python, uintptr_t object);
/// The code of the first thing that a function captured and that can be called so, as a wrapper has what it calls; 0 without one.
uintptr_t crerender_python_captured(const struct crerender_python *python, uintptr_t object);
/// Copies the name of an object's class, where a script made that and its instances can be called. False of others, and without room.
bool crerender_python_class(const struct crerender_python *python, uintptr_t object, char *name, size_t room);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

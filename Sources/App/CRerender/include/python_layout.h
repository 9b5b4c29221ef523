// SPDX-License-Identifier: MIT
// Where CPython's versions have what tells which functions run: offsets in its runtime, threads, frames and code objects.
#ifndef CRERENDER_PYTHON_LAYOUT_H
#define CRERENDER_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Memory that may be anything: it is copied, and what cannot be read ends the copy.
struct crerender_python_memory {
    /// Returns how many bytes it copied.
    size_t (*_Nonnull read)(void *_Nullable context, uintptr_t address, void *to, size_t size);
    void *_Nullable context;
};

/// Offsets in bytes.
struct crerender_python_layout {
    /// Of the runtime: the first interpreter. Of an interpreter: the next one, and the first thread.
    uint32_t interpreters, next_interpreter, threads;
    /// Of a thread's state: the next one, the kernel's number, and the frame that runs or the call of the interpreter that has it.
    uint32_t next_thread, thread_number, current;
    /// Whether `current` leads to a call of the interpreter: to a structure on the stack of C, with the frame, and behind that the call
    /// around it.
    bool has_call;
    uint32_t call_frame;
    /// Of a frame. The mark is a byte.
    uint32_t code, previous, instruction, mark;
    /// From which mark on a frame is the first one of a call, or is no function's and stands for the call itself.
    uint8_t least_mark;
    bool marks_function;
    /// Of a code object. The name is the qualified one: with the class of a method.
    uint32_t file, name, lines, first_line, instructions;
    /// The sizes of texts in front of their characters, and the bytes of a bytes object.
    uint32_t ascii, compact, bytes;
    /// Of a tuple: the first element. Of a type: its name.
    uint32_t elements, type_name;
    /// The lock of the interpreter (the GIL): in the runtime, or with `has_locks` where each interpreter has the address of its own. 0 where
    /// that is not known.
    uint32_t lock;
    bool has_locks;
};

/// Of the lock, in all versions: the thread that has or had it, whether it is taken, how often another thread took it than the one before, and
/// the condition that threads wait for who want it.
enum {
    CRERENDER_LOCK_HOLDER = 8,
    CRERENDER_LOCK_TAKEN = 16,
    CRERENDER_LOCK_SWITCHES = 24,
    CRERENDER_LOCK_CONDITION = 32
};

/// How many bytes of a frame and of a code object are read: all offsets in them are below.
enum { CRERENDER_PYTHON_FRAME = 128, CRERENDER_PYTHON_CODE = 256 };

/// The layout of a version, 0x030b02f0 for 3.11.2; false where it is not known. From 3.13 on, the runtime tells it itself.
bool crerender_python_layout(const struct crerender_python_memory *memory, uint64_t version, uintptr_t runtime,
                             struct crerender_python_layout *layout);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

// SPDX-License-Identifier: MIT
// Where CPython's versions have what tells which functions run: offsets in its runtime, threads, frames and code objects.
#ifndef CRERENDER_INTERPRETER_FRAMES_H
#define CRERENDER_INTERPRETER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

// Addresses that stand for places in scripts: where native addresses travel, an interpreter's function has one of these.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A place in a script.
struct crerender_script_place {
    /// Empty where the language tells none.
    char function[128];
    /// The path; its end, where it is longer.
    char file[256];
    /// 0 where it is not known.
    uint32_t line;
};

/// Copies the texts of a place; false for an address that stands for none.
///
/// The addresses next to that of a place stand for it, too: return addresses lie behind their calls.
bool crerender_script_place(uintptr_t address, struct crerender_script_place *place);

/// The address of a place, the same for the same one; 0 where there is no room. Any thread, also in a signal handler: it takes no lock and
/// no memory.
uintptr_t crerender_address_of_script_place(const char *function, const char *file, uint32_t line);

/// How many places had no room.
uint32_t crerender_missed_script_places(void);

/// Whether a path is that of code which scripts call through: a binding's, the interpreter's own, or one that the user passes over.
bool crerender_passes_over_script(const char *file);
/// Names of further files and directories that are passed over, with a colon between them. Copied. On one thread, once.
void crerender_pass_over_scripts(const char *names);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

// Which functions of Python run on a thread, read from memory alone: no Python code runs, no reference is taken, no lock is waited for.

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

// Places in JavaScript of gjs: of the line that calls now, and of the functions that it gave to GLib.
//
// SpiderMonkey tells them itself, by functions that its library exports and that collect no garbage. Not in signal handlers. Elsewhere than on
// the engine's thread, which is the process's first one, and while the engine collects, there is no place.

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// Looks for gjs and its engine in this process. On a thread that may wait for the loader; one caller at a time; any number of times.
void javascript_find(void);
/// Whether this process has an engine whose lines are known. A load. Any thread.
bool javascript_is_known(void);
/// Why they are not, as a sentence; null where they are, and where there is no engine. For as long as the process runs. Any thread.
const char *_Nullable javascript_gap(void);

/// The line that calls now, as the address of a place: of the innermost script that was entered since the main loop called its last
/// source. 0 for none, and for one of gjs's own modules. Any thread.
///
/// It takes 130 ns, and 60 ns more for each line that is in front of it in the same function.
uintptr_t javascript_place(void);

/// The first line of the function of a script that a closure of gjs calls, as the address of a place. 0 for what is no closure of gjs: it
/// may be any address. What gjs gives to GLib as the data of a callback is a closure, too. Some microseconds. Any thread.
///
/// Of `setTimeout` and `setInterval`, it is the function that the program gave to them.
uintptr_t javascript_closure(const void *_Nullable closure);
/// Whether it is a closure of gjs, also of one without a place. As `javascript_closure`.
bool javascript_is_closure(const void *_Nullable closure);
/// Where the code of gjs begins; 0 where gjs is not in the process. Any thread.
uintptr_t javascript_code(void);
/// Whether an address is in the code of gjs. Any thread.
bool javascript_has_code(uintptr_t address);

// What the main loop calls.

/// A function of a script that runs: its place, or 0, and an address in the frame of the function that calls it.
struct javascript_handler {
    uintptr_t place, frame;
};

/// A call of a source by the main loop.
struct javascript_call {
    /// The engine whose scripts are hidden; null for none.
    void *_Nullable engine;
    struct javascript_handler around;
};

/// A source is about to be called, with a function that is a script's or not. The scripts that run now do not write what it writes: they are
/// hidden up to the end, as the engine provides for those who run a loop. Both on one thread, the latest call ends first.
struct javascript_call javascript_begins(uintptr_t function, uintptr_t frame);
void javascript_ends(struct javascript_call call);

/// A handler of a signal is about to be called; returns what ran, for the end. Nothing changes where its function is not a script's.
struct javascript_handler javascript_handler_begins(uintptr_t function, uintptr_t frame);
void javascript_handler_ends(struct javascript_handler around);

/// Whether scripts run on a thread. Any thread.
bool javascript_is_thread(pid_t thread);
/// What runs on that thread, which stands still, or runs this in a signal handler.
struct javascript_handler javascript_running(void);

// What closures are made of. Nothing that is read is believed before it was compared.

/// Whose a closure has to be: an engine's, and of a library with this code.
struct javascript_owner {
    uintptr_t engine, low, high;
};

/// The object that a Gjs::Closure calls; 0 for one of another owner, and for other memory. It is a GClosure with the engine, the object where
/// that is not rooted, and the root; the root has its object behind a list's element. Its first notifier, or marshaller, is a function of gjs.
uintptr_t javascript_object(const struct crerender_python_memory *memory, uintptr_t closure,
                            const struct javascript_owner *owner);
/// The script of a function object; 0 of one that has none, or that the engine made itself.
uintptr_t javascript_script(const struct crerender_python_memory *memory, uintptr_t function);

/// How many variables a timer of gjs has: the source, and what it calls.
enum { JAVASCRIPT_VARIABLES = 2 };
/// Copies the objects that the variables around a function hold, 0 for what is no object. False where they are not so many, or not those of
/// a scope in a function.
///
/// - Parameters:
///   - slots: Which bit of a shape's flags is the lowest one of the number of slots.
bool javascript_variables(const struct crerender_python_memory *memory, uintptr_t function, uint32_t slots,
                          uintptr_t *objects);

// What is known of versions and names.

/// The version in the name of the engine's library: `libmozjs-128.so.0`. 0 for other files.
uint32_t javascript_version(const char *file);
/// The name of the function by which a version tells who calls; null where the version is not known.
const char *_Nullable javascript_function(uint32_t version);
/// What a script is called, as a part of its URI; null for gjs's own modules, and for none.
const char *_Nullable javascript_file(const char *_Nullable uri);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

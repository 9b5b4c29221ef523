// SPDX-License-Identifier: MIT
// Places in JavaScript of gjs: of the line that calls now, and of the functions that it gave to GLib.
//
// SpiderMonkey tells them itself, by functions that its library exports and that collect no garbage. Not in signal handlers. Elsewhere than on
// the engine's thread, which is the process's first one, and while the engine collects, there is no place.
#ifndef CRERENDER_JAVASCRIPT_FRAMES_H
#define CRERENDER_JAVASCRIPT_FRAMES_H

#include "python_layout.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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

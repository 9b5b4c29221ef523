// SPDX-License-Identifier: MIT
// The file of analyses. In C, because the Swift compiler takes many seconds for as many bytes in an array.
//
// The file is written by hand. Raise the `version` of an analysis that changes: Trace Compass keeps the states that it built. The
// timelines and the chart read the states of `com.rerender.states`:
//
//     Processes/PID/Pid, Name, IsNamed, Hang, Turn, TurnNumber, Loop (with Name)
//     Processes/PID/Views/VIEW/State, Depth, LastID, LastInstance, LastTurn, IsOpen
//     Processes/PID/Threads/TID/Name, Stack/1…, Outermost
//     Processes/PID/Stores/STORE/Commits
//     Texts/TEXT
//
// `Depth` counts the bodies of a view that run, in all threads: its bar lasts from the first begin to the last end.
//
// XML has no loops. Change all copies of a part that is written out:
// - `com.rerender.states` closes twelve levels of a thread's stack, from 12 to 1. It does so where an outermost evaluation begins or
//   ends, and where a turn begins.
// - `com.rerender.wasted` keeps the last eight evaluations of an instance: as many as a commit decides about. Each of the eight
//   places has two tests, two actions and two transitions.
//
// Traps of the engine:
// - A script takes milliseconds. So a text of the trace goes through a script once, and `Texts` or `Labels` keep the result. A
//   script has no `&`, `<` or `"`.
// - The scripts make UTF-8 of bytes. Those of the tables write what is not ASCII as Swift does, and `com.rerender.callstack` puts a
//   space behind each name. At the times of a trace, JavaScript's numbers are good to some hundred nanoseconds.
// - A value of an enumeration is compared by its label. As a state or in a row it ends the analysis. So `Codes` keep the numbers of
//   `wasted`, and a script makes a text of the two of a hang. Each condition asks for the number, too, which older recordings have.
// - Contexts are read as UTF-8, and fields byte by byte. So the script for a thread's name keeps what cannot be decoded once more.
// - In a path, `*` stands for "as before" when a file of states is read back. Each row needs a `State` from its first event on, or
//   the view complains of it.
// - `storedField` does nothing, and doubles come out wrong. State changes keep values, and all numbers are integers.
// - A value that was never set compares as the text `null`, which is greater than any digit. So a condition `ne` with `null` stands
//   beside each `gt` and `ge`.
// - A pop takes the top of a stack, whatever it is. A condition first compares the top with what ends.
// - The engine asks each scenario of a machine at every event. So waste and double evaluations have one scenario each, which keeps a
//   state for each instance.
// - A call stack takes each attribute below it for a level. So `Processes` has only threads below it in `com.rerender.callstack`.
//
// Traps of the trace:
// - The name in an event is the thread's. A process has the name of its first thread, whose number is the process's.
// - `rerenderd` emits the events of hangs: the hanging process is in the field `pid`.
// - One space stands for no view, and 2⁶⁴−1, which the engine reads as −1, for no instance.
// - Inferred waste at an end is final only if the store has no commits and the kind is not "twice in a turn". Of two evaluations in
//   a turn, the first was wasted, while the end of the second says so.
#include "embedded.h"

// This is C23, which clang takes in every language.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t trace_compass_bytes[] = {
#embed "rerender-trace-compass.xml"
};

struct canalyses_file canalyses_trace_compass(void) {
    return (struct canalyses_file){trace_compass_bytes, sizeof trace_compass_bytes};
}

// SPDX-License-Identifier: MIT
// Processes that are measured from inside, with a `malloc` that counts. The first argument says what:
//
//     measured allocations COUNT         what evaluations allocate (`Allocations.swift`)
//     measured hang KIND                 the stack of a thread that hangs (`Hanging.swift`)
//     measured emit|cost|fill COUNT      stacks of writers, and writes for a trace (`WriterCosts.swift`)

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let count = arguments.count == 2 ? Int(arguments[1]) : nil
switch (arguments.first, count) {
case ("hang", _): Hanging.run(Array(arguments.dropFirst()))
case ("allocations", let count?) where count > 0: Allocations.run(count)
case ("emit", let count?): WriterCosts.emit(count)
case ("cost", let count?): WriterCosts.measure(count)
case ("fill", let count?): WriterCosts.fill(count)
default:
    print("usage: measured allocations|emit|cost|fill COUNT, or measured hang KIND")
    exit(EX_USAGE)
}

// SPDX-License-Identifier: MIT
// Calls every function of the twins equally often, stops if they do not agree, and prints what should be 0. With a number, it
// evaluates one view so often, for callgrind.

import Bare
import Probed

let calls = 1000

// Not optimised, so that it calls the functions as they are and not copies made for it.
@_optimize(none)
func callBare() -> Int {
    let screen = Bare.Screen()
    var sum = 0
    for id in 0..<calls {
        sum &+= Bare.withLabel(id) &+ Bare.withoutLabel(id) &+ Bare.withEverything(id)
        sum &+= Bare.asParameter(Bare.NoStore(), id) &+ Bare.nested(id) &+ Bare.changingLocals(id)
        sum &+= Bare.aroundCommit(id) &+ Bare.inHandler(id) &+ Bare.returningTexts(id).count &+ screen.row(id)
        sum &+= ((try? Bare.throwing(id)) ?? -1) &+ ((try? Bare.throwingTyped(id)) ?? -1)
        sum &+= Bare.RowView(id: id).body()
    }
    return sum
}

@_optimize(none)
func callProbed() -> Int {
    let screen = Probed.Screen()
    var sum = 0
    for id in 0..<calls {
        sum &+= Probed.withLabel(id) &+ Probed.withoutLabel(id) &+ Probed.withEverything(id)
        sum &+= Probed.asParameter(Probed.anyStore(), id) &+ Probed.nested(id) &+ Probed.changingLocals(id)
        sum &+= Probed.aroundCommit(id) &+ Probed.inHandler(id) &+ Probed.returningTexts(id).count &+ screen.row(id)
        sum &+= ((try? Probed.throwing(id)) ?? -1) &+ ((try? Probed.throwingTyped(id)) ?? -1)
        sum &+= Probed.RowView(id: id).body()
    }
    return sum
}

if CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]) {
    print(Probed.repeated(count))
} else {
    precondition(callBare() == callProbed())
    print(evaluatedArguments)
}

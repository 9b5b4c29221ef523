// SPDX-License-Identifier: MIT
// Programs with probes of their own. The first argument says which one:
//
//     probes jumps longjmp|exception STEP…   bodies are left by a jump (`Jumps.swift`)
//     probes own [ROUNDS]                    views that are injected, too (`HookedView.swift`)
//     probes deep LEVELS                     evaluations in each other, on the first thread's stack

import Glibc
import Rerender

/// Evaluates bodies in each other, then one alone, and prints what was evaluated.
func evaluateDeep(_ levels: Int) {
    let store = RerenderStore(name: "main")
    func nest(_ left: Int) {
        if left > 0 { store.evaluate("Nested") { nest(left - 1) } }
    }
    nest(levels)
    store.evaluate("After") {}
    print("Nested\t\(levels)\nAfter\t1")
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "jumps": Jumps.run(Array(arguments.dropFirst(2)))
case "own": OwnProbes.run(arguments.dropFirst().first.flatMap(Int.init) ?? 3)
case "deep": evaluateDeep(arguments.dropFirst().first.flatMap(Int.init) ?? 0)
default:
    print("usage: probes jumps longjmp|exception STEP..., probes own [ROUNDS], or probes deep LEVELS")
    exit(EX_USAGE)
}

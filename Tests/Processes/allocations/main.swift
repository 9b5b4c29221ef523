// SPDX-License-Identifier: MIT
// `allocations COUNT` evaluates views that have been met COUNT times each and prints what the thread allocated meanwhile,
// a line for each way to call the probe.

import CAllocationCount
import Glibc
import Rerender

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
    print("usage: allocations COUNT")
    exit(EX_USAGE)
}

struct Row {
    let cents: Int
    let name: String
}

struct Problem: Error {}

let store = RerenderStore(name: "main")
let row = Row(cents: 12, name: "a name too long to be kept inside of the string itself")
/// Too long to be kept in the string itself, so that a copy would be an allocation.
let label = String(repeating: "CartTotal", count: 4)
nonisolated(unsafe) var sum = 0

/// What `body` allocates in `count` turns, once it has run for the first time.
func allocations(_ body: () -> Void) -> UInt64 {
    for _ in 0..<3 { body() }
    let before = callocation_count()
    for _ in 0..<count { body() }
    return callocation_count() - before
}

let results: [(String, UInt64)] = [
    ("literal", allocations { store.evaluate("Literal") { sum &+= 1 } }),
    ("place", allocations { store.evaluate { sum &+= 1 } }),
    ("long label", allocations { store.evaluate(label) { sum &+= 1 } }),
    ("inputs and instance", allocations { store.evaluate("Inputs", of: row, instance: 7) { sum &+= row.cents } }),
    ("reason", allocations { store.evaluate("Reason", reason: "a reason that the caller knows") { sum &+= 1 } }),
    (
        "nested",
        allocations { store.evaluate("Outer") { store.evaluate("Inner", parent: "Outer") { sum &+= 1 } } }
    ),
    ("committed", allocations { store.committed("Literal") }),
    // A check that cannot fail is none: this one allocates each time.
    ("control", allocations { store.evaluate("Control") { sum &+= Array(repeating: sum, count: 100).count } }),
]
for (name, count) in results { print("\(name)=\(count)") }

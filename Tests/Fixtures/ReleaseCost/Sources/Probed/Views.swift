// SPDX-License-Identifier: MIT
// Every shape of call that an app may write, with arguments that are dear to evaluate. `Bare` has the same functions.

import Rerender

let store = RerenderStore(name: "release \(expensive(1))")

/// How often an argument of a probe was evaluated.
package private(set) nonisolated(unsafe) var evaluatedArguments = 0

/// What no release build may ever call.
@inline(never)
func expensive(_ id: Int) -> Int {
    evaluatedArguments += 1
    return (0..<1000).reduce(id) { $0 &* 31 &+ $1 }
}

struct CartTotal {
    let cents: Int
}

/// The same view again and again, which nothing explains.
@inline(never)
package func repeated(_ count: Int) -> Int {
    let view = CartTotal(cents: count)
    var sum = 0
    for step in 0..<count {
        sum &+= store.evaluate("CartTotal", of: view, instance: 1) { view.cents &+ step }
    }
    return sum
}

package struct Problem: Error {
    let id: Int
}

@inline(never)
package func withLabel(_ id: Int) -> Int {
    store.evaluate("Row \(expensive(id))") { id &* 3 }
}

@inline(never)
package func withoutLabel(_ id: Int) -> Int {
    store.evaluate { id &* 5 }
}

@inline(never)
package func withEverything(_ id: Int) -> Int {
    store.evaluate(
        "Row \(expensive(id))", of: Array(repeating: expensive(id), count: 1000),
        instance: InstanceID(rawValue: UInt64(truncatingIfNeeded: expensive(id))),
        parent: ViewKey(rawValue: "List \(expensive(id))"), reason: "tick \(expensive(id))"
    ) {
        id &* 5 &+ 1
    }
}

@inline(never)
package func asParameter(_ store: RerenderStore, _ id: Int) -> Int {
    store.evaluate("Row \(expensive(id))", of: [expensive(id)]) { id &* 7 }
}

/// The store, for who has none.
package func anyStore() -> RerenderStore { store }

@inline(never)
package func throwing(_ id: Int) throws -> Int {
    try store.evaluate("Row \(expensive(id))") {
        if id == 7 { throw Problem(id: id) }
        return id &* 17
    }
}

@inline(never)
package func throwingTyped(_ id: Int) throws(Problem) -> Int {
    try store.evaluate("Row \(expensive(id))") { () throws(Problem) -> Int in
        if id & 7 == 7 { throw Problem(id: id) }
        return id &* 19
    }
}

@inline(never)
package func nested(_ id: Int) -> Int {
    store.evaluate("List \(expensive(id))") {
        store.evaluate(
            "Row \(expensive(id))", instance: InstanceID(rawValue: UInt64(truncatingIfNeeded: expensive(id)))
        ) { id &* 3 }
            &+ store.evaluate("Row \(expensive(id))") { id &* 11 }
    }
}

@inline(never)
package func changingLocals(_ id: Int) -> Int {
    var sum = 0
    for step in 0..<8 {
        store.evaluate("Step \(expensive(step))") { sum &+= step &* id }
    }
    return sum
}

@inline(never)
package func aroundCommit(_ id: Int) -> Int {
    let result = store.evaluate("Row \(expensive(id))") { id &* 9 }
    store.committed("Row \(expensive(id))")
    store.ended("Row \(expensive(id))", instance: InstanceID(rawValue: UInt64(truncatingIfNeeded: expensive(id))))
    return result
}

@inline(never)
package func inHandler(_ id: Int) -> Int {
    store.handling("tap \(expensive(id))", of: "Row \(expensive(id))") {
        store.invalidate("Row \(expensive(id))", cause: "tap \(expensive(id))", by: store.causeWriter())
        return id &* 23
    }
}

@inline(never)
package func returningTexts(_ id: Int) -> [String] {
    store.evaluate("Row \(expensive(id))") { ["a", id == 0 ? "none" : "some"] }
}

package final class Screen {
    private let store = RerenderStore(name: "screen \(expensive(1))")
    private var rows = 0

    package init() {}

    @inline(never)
    package func row(_ id: Int) -> Int {
        store.evaluate("Row \(expensive(id))", of: self) {
            rows &+= 1
            return id &* rows
        }
    }
}

package struct RowView {
    private let store: RerenderStore
    private let id: Int

    @inline(never)
    package init(id: Int) {
        self.id = id
        store = RerenderStore(name: "row \(expensive(id))")
    }

    @inline(never)
    package func body() -> Int {
        store.evaluate("Row \(expensive(id))", of: self) { id &* 13 }
    }
}

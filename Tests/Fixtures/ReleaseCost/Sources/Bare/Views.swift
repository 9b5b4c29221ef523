// SPDX-License-Identifier: MIT
// The functions of `Probed` without their probes.

package struct Problem: Error {
    let id: Int
}

/// Stands where `Probed` takes a store.
package struct NoStore {
    package init() {}
}

@inline(never)
package func withLabel(_ id: Int) -> Int {
    id &* 3
}

@inline(never)
package func withoutLabel(_ id: Int) -> Int {
    id &* 5
}

@inline(never)
package func withEverything(_ id: Int) -> Int {
    id &* 5 &+ 1
}

@inline(never)
package func asParameter(_ store: NoStore, _ id: Int) -> Int {
    id &* 7
}

@inline(never)
package func throwing(_ id: Int) throws -> Int {
    if id == 7 { throw Problem(id: id) }
    return id &* 17
}

@inline(never)
package func throwingTyped(_ id: Int) throws(Problem) -> Int {
    if id & 7 == 7 { throw Problem(id: id) }
    return id &* 19
}

@inline(never)
package func nested(_ id: Int) -> Int {
    (id &* 3) &+ (id &* 11)
}

@inline(never)
package func changingLocals(_ id: Int) -> Int {
    var sum = 0
    for step in 0..<8 {
        sum &+= step &* id
    }
    return sum
}

@inline(never)
package func aroundCommit(_ id: Int) -> Int {
    let result = id &* 9
    return result
}

@inline(never)
package func inHandler(_ id: Int) -> Int {
    id &* 23
}

@inline(never)
package func returningTexts(_ id: Int) -> [String] {
    ["a", id == 0 ? "none" : "some"]
}

package final class Screen {
    private var rows = 0

    package init() {}

    @inline(never)
    package func row(_ id: Int) -> Int {
        rows &+= 1
        return id &* rows
    }
}

package struct RowView {
    private let id: Int

    @inline(never)
    package init(id: Int) {
        self.id = id
    }

    @inline(never)
    package func body() -> Int {
        id &* 13
    }
}

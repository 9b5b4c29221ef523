// SPDX-License-Identifier: MIT
// `types`: views with values of twice as many types as a process knows.

import Rerender

/// Makes a type of its own for each one that it is given.
private enum First<Inner> {}
private enum Second<Inner> {}

private struct Typed<Inner> {
    var number: Int
}

private struct TypeRun {
    static let known = 4_096
    /// So many choices of two make twice as many types.
    static let choices = 13

    let store = RerenderStore(name: "types")
    /// How many there were when some were known last.
    private var (count, lastKnown) = (0, 0)
    private var (changes, wasted) = (UInt64(0), UInt64(0))

    @inline(never)
    @_optimize(none)
    mutating func visit<Inner>(_ type: Inner.Type, _ choices: Int) {
        guard choices > 0 else { return evaluate(type) }
        visit(First<Inner>.self, choices - 1)
        visit(Second<Inner>.self, choices - 1)
    }

    /// The second of three evaluations is wasted, and the third is not.
    @inline(never)
    @_optimize(none)
    private mutating func evaluate<Inner>(_ type: Inner.Type) {
        for number in [1, 1, 2] {
            store.evaluate("View", of: Typed<Inner>(number: number), instance: InstanceID(UInt64(count))) {}
        }
        count += 1
        // To ask after each would take minutes.
        if count.isMultiple(of: 256) { look() }
    }

    private mutating func look() {
        guard let view = store.stats.first else { return }
        let now = view.reasons.first { $0.reason == "number" }?.count ?? 0
        if now > changes { lastKnown = count }
        (changes, wasted) = (now, view.wasted.count)
    }

    /// Whether what was said is true, and something is known of as many types as the limit says.
    func report() -> Bool {
        print("\(count) types: \(changes) changes known, the last before \(lastKnown), \(wasted) wasted")
        // Of the last ones a change is known, and not that all the rest is the same.
        let isRight = wasted <= changes && changes <= UInt64(Self.known) && lastKnown <= Self.known
        return isRight && count == 2 * Self.known && wasted >= UInt64(Self.known) * 9 / 10
    }
}

/// Whether nothing is known of values of types beyond the limit, and all answers about the others are true.
func checkTypes() -> Bool {
    var run = TypeRun()
    run.visit(Never.self, TypeRun.choices)
    return run.report()
}

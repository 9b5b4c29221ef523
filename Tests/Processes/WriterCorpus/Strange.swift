// SPDX-License-Identifier: MIT
// Writers that are easily passed over, or taken for others: operators, subscripts, observers, borrowed accessors.
// A function's write and its `#line` share a line, as in Models.swift.

import Observation

@Observable package final class Grid {
    package var cells = [0, 0, 0]
    package var first = 0 { didSet { second = first } }
    package var second = 0
    package var third = 0 {
        willSet { second = newValue + 1 }
        didSet {
            second = 10
            cells[0] = third
        }
    }
    package var order = 0

    package init() {}

    package subscript(at index: Int) -> Int {
        get { cells[index] }
        set { cells[index] = newValue }
    }
    package subscript<Key: Hashable>(key key: Key) -> Int {
        get { cells[0] }
        set {
            cells[0] = newValue
            second = newValue
        }
    }
    package static subscript(_ grid: Grid) -> Int {
        get { grid.order }
        set { grid.order = newValue }
    }
    @ObservationIgnored package var borrowed: [Int] {
        _read { yield cells }
        _modify { yield &cells }
    }

    package func setFirst() -> Int { first += 1; return #line }
    package func setThird() -> Int { third += 1; return #line }
    package func setAt() -> Int { self[at: 1] = 5; return #line }
    package func setKey() -> Int { self[key: "a"] = 6; return #line }
    package func setStatic() -> Int { Grid[self] += 1; return #line }
    package func setBorrowed() -> Int { borrowed.append(1); return #line }
    package func setInout() -> Int { increase(&order); return #line }
    package func deferred() -> Int { defer { order += 1 }; return #line }
    package func byDynamicPath(_ path: ReferenceWritableKeyPath<Grid, Int>) -> Int {
        self[keyPath: path] += 1; return #line
    }
    /// The same, which is never inlined together with the key path.
    @inline(never) package func byPathApart(_ path: ReferenceWritableKeyPath<Grid, Int>) -> Int {
        self[keyPath: path] += 1; return #line
    }
}

func increase(_ value: inout Int) { value += 1 }

/// Comparisons that write, as a cache or a counter of accesses does.
package struct Noisy: Comparable {
    package let grid: Grid
    package let number: Int
    package static let equalLine: Int = #line + 2
    package static func == (lhs: Noisy, rhs: Noisy) -> Bool {
        lhs.grid.order += 1
        return lhs.number == rhs.number
    }
    package static let lessLine: Int = #line + 2
    package static func < (lhs: Noisy, rhs: Noisy) -> Bool {
        lhs.grid.order += 2
        return lhs.number < rhs.number
    }

    package init(_ grid: Grid, _ number: Int) { (self.grid, self.number) = (grid, number) }
}

/// The same for a generic type, and hashing.
package struct NoisyKey<Value: Hashable>: Hashable {
    package let grid: Grid
    package let value: Value
    package static var equalLine: Int { let line: Int = #line + 2; return line }
    package static func == (lhs: NoisyKey, rhs: NoisyKey) -> Bool {
        lhs.grid.order += 3
        return lhs.value == rhs.value
    }
    package static var hashLine: Int { let line: Int = #line + 2; return line }
    package func hash(into hasher: inout Hasher) {
        grid.order += 4
        hasher.combine(value)
    }

    package init(_ grid: Grid, _ value: Value) { (self.grid, self.value) = (grid, value) }
}

/// A value whose description writes.
package struct Telling: CustomStringConvertible {
    package let grid: Grid
    package static let line: Int = #line + 2
    package var description: String {
        grid.order += 1
        return "telling"
    }

    package init(_ grid: Grid) { self.grid = grid }
}

package actor Keeper {
    private let grid: Grid
    package init(_ grid: Grid) { self.grid = grid }
    package func keep() -> Int { grid.order += 1; return #line }
    package func keepLater() async -> Int {
        await Task.yield()
        return write()
    }
    private func write() -> Int { grid.order += 1; return #line }
}

extension Grid {
    package convenience init(order: Int, into other: Grid) {
        self.init()
        other.order = order
    }
    package static let initLine: Int = #line - 2

    package static prefix func - (grid: Grid) -> Int { grid.order -= 1; return #line }
    package func raise() -> Int {
        func step(_ by: Int) -> Int { order += by; return #line }
        return [1].map { step($0) }[0]
    }
    /// A key path goes to a function that is declared behind this one.
    @inline(never) package func raiseBelow() -> Int { raise(by: \.order) }
    package func raise(by path: ReferenceWritableKeyPath<Grid, Int>) -> Int { self[keyPath: path] += 2; return #line }
    /// A key path of its own, behind a closure.
    package func raiseOwn() -> Int {
        let added = [1].map { (number: Int) -> Int in
            number + order
        }
        self[keyPath: \.order] += added[0]; return #line
    }
}

@available(*, unavailable) extension Grid: Sendable {}
@available(*, unavailable) extension Noisy: Sendable {}
@available(*, unavailable) extension NoisyKey: Sendable {}
@available(*, unavailable) extension Telling: Sendable {}

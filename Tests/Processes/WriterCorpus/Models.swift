// SPDX-License-Identifier: MIT
// Models and functions that write to them. A function's write and its `#line` share a line: that is the ground truth.

import Dispatch
import Glibc
import Observation
import WriterKit

@Observable package class Ticker {
    package var tick = 0
    package var items: [Int] = []
    package var pair = (left: 0, right: 0)
    package var watched = 0 { didSet { changes += 1 } }
    @ObservationIgnored package var changes = 0
    package var double: Int {
        get { tick * 2 }
        set { tick = newValue / 2 }
    }
    package static let doubleLine: Int = #line - 2
    package var quadruple: Int {
        get { double * 2 }
        set { double = newValue / 2 }
    }
    package subscript(index: Int) -> Int {
        get { items[index] }
        set { items[index] = newValue }
    }

    package init() {}
    package func advance() -> Int { tick += 1; return #line }
    package func assign(_ value: Int, to other: Int) -> Int { tick = value; return #line }
    package func append(_ item: Int) -> Int { items.append(item); return #line }
    package func setDouble() -> Int { double = 8; return #line }
    package func setQuadruple() -> Int { quadruple = 160; return #line }
    package func setElement() -> Int { self[0] = 5; return #line }
    package func setPart() -> Int { pair.left = 3; return #line }
    package func setWatched() -> Int { watched = 3; return #line }
    package func swap() -> Int { items.swapAt(0, 1); return #line }
    package func byKeyPath() -> Int {
        let path = \Ticker.tick; let me: Ticker = self; me[keyPath: path] = 4; return #line
    }
    package static func += (ticker: Ticker, amount: Int) { ticker.tick += amount }
    static func make(_ ticker: Ticker) -> Int { ticker.tick = 9; return #line }
    package static let operatorLine: Int = #line - 2

    package func later() async -> Int { await Task.yield(); tick += 1; return #line }
    package func twice() async -> Int {
        await Task.yield()
        let line = await later2()
        return line
    }
    private func later2() async -> Int { tick += 1; return #line }

    package func escaping() -> () -> Int {
        return {
            self.tick += 1; return #line
        }
    }
    package func viaLocal() -> Int {
        func helper() -> Int { tick += 1; return #line }
        return helper()
    }
    package func inForEach() -> Int {
        var line = 0
        [1].forEach {
            tick += $0; line = #line
        }
        return line
    }
    package func spread() -> Int {
        let line: Int = #line
        _ = line
        tick =
            tick + 1
        return line + 2
    }
}

package final class FastTicker: Ticker {
    package func sprint() -> Int { tick += 10; return #line }
}

@Observable package final class Box<Value> {
    package var value: Value
    package init(_ value: Value) { self.value = value }
    package func put(_ new: Value) -> Int { value = new; return #line }
}

extension Box where Value == Int {
    package func bump() -> Int { value += 1; return #line }
}

package struct Thermostat {
    let ticker: Ticker
    static let line: Int = #line + 3
    var celsius: Int {
        get { ticker.tick }
        nonmutating set { ticker.tick = newValue }
    }
    var observed = 0 { didSet { ticker.tick = observed } }
    static let observedLine: Int = #line - 1
}

package struct Bump {
    static let line: Int = #line + 1
    init(_ ticker: Ticker) { ticker.tick += 7 }
}

final class Closer {
    let ticker: Ticker
    init(_ ticker: Ticker) { self.ticker = ticker }
    static let line: Int = #line + 1
    deinit { ticker.tick += 3 }
}

protocol Advancing { func go(_ ticker: Ticker) -> Int }
struct Walker: Advancing { func go(_ ticker: Ticker) -> Int { ticker.tick += 1; return #line } }
extension Advancing { func goTwice(_ ticker: Ticker) -> Int { ticker.tick += 2; return #line } }

enum Outer { enum Inner { static func set(_ ticker: Ticker) -> Int { ticker.tick = 77; return #line } } }

func recalculate(_ ticker: Ticker) -> Int { ticker.tick = 42; return #line }
func generic<T: Equatable>(_ ticker: Ticker, _ a: T, with b: T) -> Int { ticker.tick = a == b ? 5 : 6; return #line }
func throwing(_ ticker: Ticker) throws -> Int { ticker.tick += 1; return #line }

nonisolated(unsafe) private var compared: Ticker?
nonisolated(unsafe) private var comparedLine = 0
func sorts(_ ticker: Ticker) -> Int {
    compared = ticker
    var numbers: [CInt] = [2, 1]
    qsort(&numbers, 2, MemoryLayout<CInt>.size) { _, _ in
        compared?.tick += 1; comparedLine = #line; return 0
    }
    return comparedLine
}

@available(*, unavailable) extension Ticker: Sendable {}

@available(*, unavailable) extension Box: Sendable {}

@available(*, unavailable) extension Thermostat: Sendable {}

@available(*, unavailable) extension Bump: Sendable {}

/// The ticker under a name that no test beside it has.
package typealias WrittenTicker = Ticker

/// Two functions of the same code: an optimised program may have it once, for both.
package let pressLine: Int = #line + 1
@inline(never) package func pressLeft(_ ticker: Ticker) { ticker.tick += 71 }
@inline(never) package func pressRight(_ ticker: Ticker) { ticker.tick += 71 }

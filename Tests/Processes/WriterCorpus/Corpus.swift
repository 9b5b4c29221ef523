// SPDX-License-Identifier: MIT
// Runs every writer under a hook and compares the name that the library finds with the one that the source says.

import Dispatch
@_spi(SwiftUI) import Observation
import Rerender
import Synchronization
import WriterKit

/// What the debug information of an optimised build does not have of a writer that was inlined.
package enum Loss: Sendable {
    /// An operator's file.
    case file
    /// The line of code that the compiler added at the end of a key path's use.
    case line
    /// The function: its code stands under the name of the one that wrote the key path.
    case function
}

/// A write and what is said about its writer.
package struct WriterCase: Sendable {
    package let name: String
    package let expected: String
    package let actual: String
    var loss: Loss?
    /// A function with the same code, of which the optimiser may make one with the writer.
    package var twin: String? = nil

    package var isRight: Bool {
        if actual == expected { return true }
        #if !DEBUG
            switch loss {
            case .file: return actual == name + " in corpus"
            case .line: return actual == expected[..<(expected.lastIndex(of: ":") ?? expected.endIndex)]
            case .function: return actual == WriterStacks.unknown
            case nil: break
            }
        #endif
        guard let twin else { return false }
        return [name, twin].contains { actual.hasPrefix($0 + " (merged) in ") }
    }
}

/// Keeps the stack of the first change.
private final class Hook: Sendable {
    private let first = Mutex(StackID.none)
    var stack: StackID { first.withLock { $0 } }
    func hit() {
        let stack = StackID.capture()
        first.withLock { if $0 == .none { $0 = stack } }
    }
}

/// One observed write at a time.
package final class WriterCorpus {
    private let ticker = FastTicker()
    package private(set) var cases: [WriterCase] = []
    private let file: String

    package init(file: String = "WriterCorpus/Models.swift") {
        StackID.prepare()
        self.file = file
    }

    /// Observes what `reading` reads while `write` runs, which returns the line of its write.
    package func check(
        _ function: String, root: String? = "WriterCorpus.Ticker", file: String? = nil, twin: String? = nil,
        loss: Loss? = nil, reading: (() -> Void)? = nil, write: () async throws -> Int
    ) async rethrows {
        let hook = Hook()
        withObservationTracking(
            reading ?? { [ticker] in _ = (ticker.tick, ticker.items, ticker.pair, ticker.watched) },
            willSet: { _ in hook.hit() })
        let line = try await write()
        cases.append(
            WriterCase(
                name: function, expected: "\(function) \(file ?? self.file):\(line)",
                actual: WriterStacks.name(of: hook.stack, accessorsOf: root), loss: loss, twin: twin))
    }

    package func run() async throws {
        ticker.items = [1, 2]
        await methods()
        await accessors()
        await closures()
        try await functions()
        await otherModels()
        await accessorsOfGrid()
        await comparisons()
        await strange()
    }

    /// Hears of what each property of a grid says, one at a time.
    private func check(
        _ function: String, _ grid: Grid, loss: Loss? = nil, reading path: KeyPath<Grid, some Any>,
        _ write: () async -> Int
    ) async {
        await check(
            function, root: "WriterCorpus.Grid", file: "WriterCorpus/Strange.swift", loss: loss,
            reading: { _ = grid[keyPath: path] }, write: write)
    }

    private func accessorsOfGrid() async {
        let grid = Grid()
        await check("Grid.setFirst()", grid, reading: \.first) { grid.setFirst() }
        await check("Grid.setFirst()", grid, reading: \.second) { grid.setFirst() }
        await check("Grid.setThird()", grid, reading: \.second) { grid.setThird() }
        await check("Grid.setThird()", grid, reading: \.cells) { grid.setThird() }
        await check("Grid.setAt()", grid, reading: \.cells) { grid.setAt() }
        await check("Grid.setKey()", grid, reading: \.cells) { grid.setKey() }
        // A value that was there is no change.
        grid.second = 0
        await check("Grid.setKey()", grid, reading: \.second) { grid.setKey() }
        await check("Grid.setStatic()", grid, reading: \.order) { grid.setStatic() }
        await check("Grid.setBorrowed()", grid, reading: \.cells) { grid.setBorrowed() }
        await check("Grid.setInout()", grid, reading: \.order) { grid.setInout() }
        await check("Grid.byDynamicPath(_:)", grid, loss: .function, reading: \.order) { grid.byDynamicPath(\.order) }
        await check("Grid.byDynamicPath(_:)", grid, loss: .function, reading: \.second) { grid.byDynamicPath(\.first) }
        await check("Grid.byDynamicPath(_:)", grid, loss: .line, reading: \.cells) { grid.byDynamicPath(\.[at: 1]) }
        await check("Grid.byPathApart(_:)", grid, reading: \.order) { grid.byPathApart(\.order) }
        await check("Grid.byPathApart(_:)", grid, reading: \.second) { grid.byPathApart(\.first) }
        await check("Grid.byPathApart(_:)", grid, reading: \.cells) { grid.byPathApart(\.[at: 1]) }
        await check("$defer #1 () in Grid.deferred()", grid, reading: \.order) { grid.deferred() }
    }

    private func comparisons() async {
        let grid = Grid()
        let values = [Noisy(grid, 1), Noisy(grid, 0)]
        await check("Noisy.==(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values[0] == values[1]; return Noisy.equalLine
        }
        await check("Noisy.==(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values.contains(Noisy(grid, 5)); return Noisy.equalLine
        }
        await check("Noisy.==(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values == Array(values.reversed()); return Noisy.equalLine
        }
        await check("Noisy.<(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values[0] < values[1]; return Noisy.lessLine
        }
        await check("Noisy.<(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values.sorted(); return Noisy.lessLine
        }
        await check("Noisy.<(_:_:)", grid, loss: .file, reading: \.order) {
            _ = values[0] > values[1]; return Noisy.lessLine
        }
        await check("Noisy.<(_:_:)", grid, loss: .file, reading: \.order) {
            _ = max(values[0], values[1]); return Noisy.lessLine
        }
        let key = NoisyKey(grid, "a")
        await check("NoisyKey.==(_:_:)", grid, reading: \.order) {
            _ = key == NoisyKey(grid, "b"); return NoisyKey<String>.equalLine
        }
        await check("NoisyKey.hash(into:)", grid, reading: \.order) {
            _ = key.hashValue; return NoisyKey<String>.hashLine
        }
        await check("NoisyKey.hash(into:)", grid, reading: \.order) {
            _ = Set([key]); return NoisyKey<String>.hashLine
        }
    }

    private func strange() async {
        let grid = Grid()
        await check("Telling.description.getter", grid, reading: \.order) {
            _ = "\(Telling(grid))"; return Telling.line
        }
        await check("Grid.init(order:into:)", grid, reading: \.order) {
            _ = Grid(order: 3, into: grid); return Grid.initLine
        }
        await check("Grid.-(_:)", grid, reading: \.order) { -grid }
        await check("step #1 (_:) in Grid.raise()", grid, reading: \.order) { grid.raise() }
        await check("Grid.raise(by:)", grid, loss: .function, reading: \.order) { grid.raiseBelow() }
        await check("Grid.raiseOwn()", grid, reading: \.order) { grid.raiseOwn() }
        nonisolated(unsafe) let handed: Grid = grid
        let keeper = Keeper(handed)
        await check("Keeper.keep()", grid, reading: \.order) { await keeper.keep() }
        await check("Keeper.write()", grid, reading: \.order) { await keeper.keepLater() }
    }

    private func methods() async {
        await check("Ticker.advance()") { ticker.advance() }
        await check("Ticker.assign(_:to:)") { ticker.assign(100, to: 2) }
        await check("Ticker.append(_:)") { ticker.append(1) }
        await check("Ticker.swap()") { ticker.swap() }
        await check("Ticker.setPart()") { ticker.setPart() }
        await check("Ticker.byKeyPath()") { ticker.byKeyPath() }
        await check("Ticker.spread()") { ticker.spread() }
        await check("Ticker.later()") { await ticker.later() }
        await check("Ticker.later2()") { await ticker.twice() }
        await check("Ticker.make(_:)") { Ticker.make(ticker) }
        await check("Ticker.+=(_:_:)") {
            ticker += 1; return Ticker.operatorLine
        }
        await check("FastTicker.sprint()") { ticker.sprint() }
    }

    private func accessors() async {
        await check("Ticker.setDouble()") { ticker.setDouble() }
        await check("Ticker.setQuadruple()") { ticker.setQuadruple() }
        await check("Ticker.setElement()") { ticker.setElement() }
        await check("Ticker.setWatched()") { ticker.setWatched() }
        await check("Thermostat.celsius.setter") {
            Thermostat(ticker: ticker).celsius = 20; return Thermostat.line
        }
        await check("Thermostat.observed.didset") {
            var thermostat = Thermostat(ticker: ticker)
            thermostat.observed = 3
            return Thermostat.observedLine
        }
        await check("Bump.init(_:)") {
            _ = Bump(ticker); return Bump.line
        }
        await check("Closer.deinit") {
            _ = Closer(ticker); return Closer.line
        }
    }

    private func closures() async {
        await check("closure #1 in Ticker.escaping()") { ticker.escaping()() }
        await check("helper #1 () in Ticker.viaLocal()") { ticker.viaLocal() }
        await check("closure #1 in Ticker.inForEach()") { ticker.inForEach() }
        nonisolated(unsafe) let handed: Ticker = ticker
        await check("closure #1 in inTask(_:)", file: "WriterCorpus/Threads.swift") { await inTask(handed) }
        await check("closure #1 in onQueue(_:)", file: "WriterCorpus/Threads.swift") { onQueue(handed) }
        await check("closure #1 in onThread(_:)", file: "WriterCorpus/Threads.swift") { onThread(handed) }
        await check("closure #1 in sorts(_:)") { sorts(ticker) }
    }

    private func functions() async throws {
        await check("recalculate(_:)") { recalculate(ticker) }
        await check("generic(_:_:with:)") { generic(ticker, 1, with: 1) }
        try await check("throwing(_:)") { try throwing(ticker) }
        await check("Walker.go(_:)") { (Walker() as any Advancing).go(ticker) }
        await check("Advancing.goTwice(_:)") { (Walker() as any Advancing).goTwice(ticker) }
        await check("Outer.Inner.set(_:)") { Outer.Inner.set(ticker) }
        await check("pressLeft(_:)", twin: "pressRight(_:)") {
            pressLeft(ticker); return pressLine
        }
        await check("pressRight(_:)", twin: "pressLeft(_:)") {
            pressRight(ticker); return pressLine + 1
        }
    }

    private func otherModels() async {
        let box = Box("a"), number = Box(1), remote = Remote()
        await check("Box.put(_:)", root: "WriterCorpus.Box<Swift.String>", reading: { _ = box.value }) { box.put("b") }
        await check("Box.bump()", root: "WriterCorpus.Box<Swift.Int>", reading: { _ = number.value }) { number.bump() }
        await check(
            "Remote.raise()", root: "WriterKit.Remote", file: "WriterKit/Kit.swift", reading: { _ = remote.level }
        ) { remote.raise() }
        await check(
            "Array.raiseAll()", root: "WriterKit.Remote", file: "WriterKit/Kit.swift", reading: { _ = remote.level }
        ) { [remote].raiseAll() }
    }
}

@available(*, unavailable) extension WriterCorpus: Sendable {}

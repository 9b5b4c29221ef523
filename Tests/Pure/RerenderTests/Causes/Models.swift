// SPDX-License-Identifier: MIT
// What the tests of causes observe, and a view as a framework would keep it.

import Foundation
import Observation
import Synchronization
import TestSupport

@_spi(Bridge) @testable import Rerender

@Observable final class Piston { var strokes = 0 }
@Observable final class Engine {
    var rpm = 0
    var temperature = 0.0
    var piston: Piston? = Piston()
}
@Observable class Ticker {
    var tick = 0
    var engine = Engine()
    var spare: Engine?
    var engines: [Engine] = []
    private var secret = 0
    var revealed: Int { secret }
    var total: Int { tick + secret }
    func conceal(_ value: Int) { secret = value }
}
final class FastTicker: Ticker {}
@Observable final class TurboTicker: Ticker { var boost = 0 }
@Observable private final class Hidden { var depth = 0 }
@Observable final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

@Observable final class Leaning {
    weak var parent: Ticker?
    var number = 0
}

/// Observable by hand, its value guarded, so that threads may write while others read.
final class SharedCounter: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let first = Atomic(0)
    private let second = Atomic(0)

    var left: Int {
        get {
            registrar.access(self, keyPath: \.left)
            return first.load(ordering: .relaxed)
        }
        set { registrar.withMutation(of: self, keyPath: \.left) { first.store(newValue, ordering: .relaxed) } }
    }

    var right: Int {
        get {
            registrar.access(self, keyPath: \.right)
            return second.load(ordering: .relaxed)
        }
        set { registrar.withMutation(of: self, keyPath: \.right) { second.store(newValue, ordering: .relaxed) } }
    }
}

/// Observable by hand, with a lock in its accessors.
final class Garage: Observable {
    private let registrar = ObservationRegistrar()
    private let lock = NSLock()
    private var _engine = Engine()

    var engine: Engine {
        get {
            registrar.access(self, keyPath: \.engine)
            return lock.withLock { _engine }
        }
        set { registrar.withMutation(of: self, keyPath: \.engine) { lock.withLock { _engine = newValue } } }
    }
}

@propertyWrapper struct Bound<Value> {
    var wrappedValue: Value
}

enum Private {
    struct View { fileprivate var hidden = Hidden() }
    static func read(_ view: View) -> Int { view.hidden.depth }
    static func write(_ view: View) { view.hidden.depth += 1 }
}

/// One view instance: evaluates a body and says what the writes since then are called.
final class Host<View> {
    var view: View
    private(set) var reads: ObservedReads?
    private(set) var paths = ModelPaths()
    private let log = Log()

    private final class Log: Sendable {
        let writes = Mutex<[ObservedWrite]>([])
    }

    init(_ view: View) { self.view = view }

    var writes: [ObservedWrite] { log.writes.withLock { $0 } }

    @discardableResult func evaluate<Output>(_ body: (View) throws -> Output) rethrows -> Output {
        let previous = reads
        log.writes.withLock { $0 = [] }
        defer {
            if reads !== previous { previous?.cancel() }
            update()
        }
        return try ObservedReads.track(reads: &reads, previous: previous) { [log] write in
            log.writes.withLock { $0.append(write) }
        } _: {
            try body(view)
        }
    }

    private func update() {
        guard let reads else { return }
        withUnsafeBytes(of: &view) { bytes in
            guard let start = bytes.baseAddress else { return }
            paths.update(view: start, type: View.self, reads: reads)
        }
    }

    /// What was written since the evaluation.
    var causes: [String?] {
        guard let reads else { return [] }
        return writes.map { causeName(of: $0, reads: reads, paths: paths) }
    }

    func end() {
        reads?.cancel()
        reads = nil
    }
}

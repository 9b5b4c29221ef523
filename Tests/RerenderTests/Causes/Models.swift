// SPDX-License-Identifier: MIT
// What the tests of causes observe, and a view as a framework would keep it.

import Observation
import Synchronization

@testable import Rerender

@Observable final class Engine {
    var rpm = 0
    var temperature = 0.0
    var piston: Piston? = Piston()
}
@Observable final class Piston { var strokes = 0 }
@Observable class Ticker {
    var tick = 0
    var engine = Engine()
    var spare: Engine?
    var engines: [Engine] = []
    fileprivate var secret = 0
    var total: Int { tick + secret }
    var next: Ticker?
    func conceal() { secret += 1 }
    var revealed: Int { secret }
}
final class FastTicker: Ticker {}
@Observable final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
struct Wrapped<Value> {
    var value: Value
    var more = 0
}

/// One view instance with a body: evaluates it and says what caused the writes since.
final class Host<View> {
    var view: View
    private(set) var reads: ObservedReads?
    private(set) var paths = ModelPaths()
    private let log = Log()

    init(_ view: View) { self.view = view }

    final class Log: Sendable {
        let writes = Mutex<[ObservedWrite]>([])
    }

    var writes: [ObservedWrite] { log.writes.withLock { $0 } }

    func evaluate(_ body: (View) -> Void) {
        reads?.cancel()
        log.writes.withLock { $0 = [] }
        ObservedReads.track(reads: &reads) { [log] write in
            log.writes.withLock { $0.append(write) }
        } _: {
            body(view)
        }
        guard let reads else { return }
        withUnsafeBytes(of: &view) { bytes in
            guard let start = bytes.baseAddress else { return }
            paths.update(view: start, type: View.self, reads: reads)
        }
    }

    /// The names of what was written since the evaluation.
    var causes: [String?] {
        guard let reads else { return [] }
        return writes.map { causeName(of: $0, reads: reads, paths: paths) }
    }
}

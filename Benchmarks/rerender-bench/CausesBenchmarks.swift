// SPDX-License-Identifier: MIT
// What it costs to know what a body read and which write invalidated it.

import CBench
import Observation
@_spi(Bridge) import Rerender
import Synchronization

@Observable private final class Engine {
    var rpm = 0
    var temperature = 1.0
    var name = "engine"
}

enum CausesBenchmarks {
    private struct Dashboard {
        let engine = Engine()

        @inline(never)
        func body() -> Int { engine.rpm &+ Int(engine.temperature) &+ engine.name.utf8.count }
    }

    /// The cause by name included, against Observation's own tracking of the same three reads and the same write.
    static func tracking() throws -> Row {
        guard ObservedReads.isAvailable else { throw Fault("Observation is not as it is known") }
        let view = Dashboard()
        var watched = Watched()
        guard watched.turn(view, 1) == "engine.rpm" else { throw Fault("the cause was not found") }
        let rounds = Rounds(201, of: 2_000) { count in
            time(count) { turns(&watched, view, $0) }
        } baseline: { count in
            time(count) {
                for step in 0..<$0 {
                    cbench_use(
                        Int64(
                            withObservationTracking {
                                view.body()
                            } onChange: {
                            }))
                    view.engine.rpm = step &- 1
                }
            }
        }
        var row = rounds.row("causes.tracking", target: "ratio at most 1.15")
        row.more = [("naming", time(100_000) { for _ in 0..<$0 { watched.name() } })]
        row.more.append(("paths", time(100_000) { for _ in 0..<$0 { watched.update(view) } }))
        row.more.append(("nothing read", time(100_000) { for _ in 0..<$0 { watched.readNothing() } }))
        return row
    }

    /// So many turns, for callgrind.
    static func run(_ count: Int) {
        let view = Dashboard()
        var watched = Watched()
        turns(&watched, view, count)
    }

    @inline(never)
    private static func turns(_ watched: inout Watched, _ view: Dashboard, _ count: Int) {
        for step in 0..<count { cbench_use(Int64(watched.turn(view, step)?.utf8.count ?? 0)) }
    }

    /// Evaluates as a view's record would.
    private struct Watched {
        private final class Last: Sendable {
            let write = Mutex<ObservedWrite?>(nil)
        }

        private let last = Last()
        private var reads: ObservedReads?
        private var paths = ModelPaths()

        @inline(never)
        mutating func turn(_ view: Dashboard, _ step: Int) -> String? {
            let previous = reads
            cbench_use(
                Int64(
                    ObservedReads.track(reads: &reads, previous: previous) { [last] write in
                        last.write.withLock { $0 = write }
                    } _: {
                        view.body()
                    }))
            if reads !== previous { previous?.cancel() }
            update(view)
            view.engine.rpm = step
            return name()
        }

        mutating func update(_ view: Dashboard) {
            guard let reads else { return }
            unsafe withUnsafePointer(to: view) { pointer in
                unsafe paths.update(view: UnsafeRawPointer(pointer), type: Dashboard.self, reads: reads)
            }
        }

        @inline(never) @discardableResult
        func name() -> String? {
            guard let write = last.write.withLock({ $0 }), let reads else { return nil }
            return causeName(of: write, reads: reads, paths: paths)
        }

        @inline(never)
        func readNothing() {
            var reads: ObservedReads?
            cbench_use(
                Int64(
                    ObservedReads.track(reads: &reads) { _ in
                    } _: {
                        1
                    }))
        }
    }
}

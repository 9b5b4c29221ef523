// SPDX-License-Identifier: MIT
// What an evaluation costs with everything switched on: reads, writers, stored properties, names, counts.

import CBench
import Observation
import Rerender

@Observable private final class Engine {
    var rpm = 0
    var temperature = 1.0
    var name = "engine"
}

enum FullEvaluationBenchmark {
    /// Eight fields of the kinds that views have.
    private struct Dashboard {
        let engine = Engine()
        var title = "Dashboard"
        var subtitle = String(repeating: "a subtitle over fifteen bytes ", count: 2)
        var price = 9.99
        var isSelected = true
        var badge: Int? = 3
        var recent = [1, 2, 3]
        var number = 7

        @inline(never)
        func body() -> Int { engine.rpm &+ Int(engine.temperature) &+ engine.name.utf8.count }
    }

    /// Evaluated for each write, writers recorded, against Observation's own tracking of the same reads and writes.
    static func full() throws -> Row {
        #if !RERENDER_PROBES
            throw Fault("the probes are compiled out: build with --traits AlwaysOn")
        #endif
        let store = RerenderStore(name: "bench")
        let view = Dashboard()
        turns(store, view, 1_000)
        guard let reason = store.stats.first?.reasons.first, reason.reason == "engine.rpm", !reason.writers.isEmpty
        else {
            throw Fault("the cause was not found")
        }
        let rounds = Rounds(201, of: 2_000) { count in
            time(count) { turns(store, view, $0) }
        } baseline: { count in
            time(count) { plainTurns(view, $0) }
        }
        return rounds.row("evaluate.full", target: "ratio at most 1.6")
    }

    /// So many turns, for callgrind.
    static func run(_ count: Int) throws { turns(RerenderStore(name: "bench"), Dashboard(), count) }

    @inline(never)
    private static func turns(_ store: RerenderStore, _ view: Dashboard, _ count: Int) {
        for step in 0..<count {
            cbench_use(Int64(store.evaluate("Dashboard", of: view, instance: 1) { view.body() }))
            write(view, step)
        }
    }

    @inline(never)
    private static func plainTurns(_ view: Dashboard, _ count: Int) {
        for step in 0..<count {
            let output = withObservationTracking {
                view.body()
            } onChange: {
            }
            cbench_use(Int64(output))
            write(view, step &- 1)
        }
    }

    @inline(never)
    private static func write(_ view: Dashboard, _ step: Int) {
        view.engine.rpm = step
    }
}

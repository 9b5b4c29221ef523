// SPDX-License-Identifier: MIT
// What an evaluation costs: the probe with a body of one instruction, of a view that has been seen before.

import CBench
import Foundation
import Rerender

enum EvaluateBenchmarks {
    private struct CartTotal {
        let cents: Int
    }

    /// Nobody records: against four readings of the clock.
    static func on() throws -> Row {
        let store = try preparedStore()
        let rounds = Rounds(1_001, of: 2_000) {
            time($0) { evaluations(store, $0) }
        } baseline: {
            time($0) { cbench_four_clocks(Int64($0)) }
        }
        return rounds.row(
            "evaluate.on", target: "ratio at most 1.2, no allocation after the first (a test counts them)")
    }

    /// Does what the row of that name measures, for callgrind or for the row.
    static func run(_ benchmark: Benchmark, _ count: Int) throws {
        switch benchmark {
        case .evaluateCount: plainEvaluations(try preparedStore(), count)
        case .evaluateFull: try FullEvaluationBenchmark.run(count)
        case .causesTracking: CausesBenchmarks.run(count)
        case .storeFirst: StoreBenchmarks.tellFirst()
        default: repeatedEvaluations(try preparedStore(), count)
        }
    }

    /// The instructions of an evaluation, by callgrind.
    ///
    /// - Parameter program: This program, without debug information: valgrind does not know all of what Swift writes.
    static func instructions(_ program: String) throws -> Row {
        let directory = FileManager.default.temporaryDirectory.appending(path: "rerender-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "callgrind.out")
        func total(_ count: Int) throws -> Double {
            _ = try Child.output(
                [
                    "valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)",
                    "--toggle-collect=*repeatedEvaluations*", program, Benchmark.evaluateOn.rawValue, "--repeat",
                    "\(count)",
                ], adding: ["LD_BIND_NOW": "1"])
            return try GTKBenchmarks.total(String(contentsOf: file, encoding: .utf8)).unwrapped(
                "callgrind tells no total")
        }
        let (few, many) = (10_000, 60_000)
        let each = try (total(many) - total(few)) / Double(many - few)
        return Row(
            name: "evaluate.instructions", unit: "instructions", ours: each, baseline: nil, ratio: nil,
            target: "at most 5 % more than the number in ReleaseCostTests")
    }

    @inline(never)
    private static func repeatedEvaluations(_ store: RerenderStore, _ count: Int) { evaluations(store, count) }

    /// No view's value and no instance: counted and timed alone, against four readings of the clock.
    static func count() throws -> Row {
        let store = try preparedStore()
        plainEvaluations(store, 10_000)
        let rounds = Rounds(1_001, of: 2_000) {
            time($0) { plainEvaluations(store, $0) }
        } baseline: {
            time($0) { cbench_four_clocks(Int64($0)) }
        }
        return rounds.row("evaluate.count", target: "ratio at most 0.6")
    }

    /// A session records: against the same evaluation while it does not, and the pair of LTTng's own macros.
    static func recording(_ yardstick: Yardstick, _ session: Session) throws -> Row {
        try yardstick.waitUntilRecording()
        // Or the preparation would fill the session's buffers.
        try session.waitUntilRecording()
        try session.record(false)
        let store = try preparedStore()
        let rounds = try Rounds(31, of: 5_000) { count in
            try session.record(true)
            return time(count) { evaluations(store, $0) }
        } baseline: { count in
            try session.record(false)
            return time(count) { evaluations(store, $0) } + time(count, yardstick.bodyPairs)
        }
        return rounds.row("evaluate.recording", target: "ratio at most 1.05")
    }

    /// A store whose view exists and whose clock has been calibrated, as in an app that has run for a second.
    private static func preparedStore() throws -> RerenderStore {
        #if !RERENDER_PROBES
            throw Fault("the probes are compiled out: build with --traits AlwaysOn")
        #endif
        let store = RerenderStore(name: "bench")
        guard store.isEnabled else { throw Fault("RERENDER=0 is in the environment") }
        let end = Date() + 0.5
        while Date() < end { evaluations(store, 1000) }
        return store
    }

    @inline(never)
    private static func plainEvaluations(_ store: RerenderStore, _ count: Int) {
        for step in 0..<count {
            cbench_use(Int64(store.evaluate("CartCount") { count &+ step }))
        }
    }

    @inline(never)
    private static func evaluations(_ store: RerenderStore, _ count: Int) {
        let view = CartTotal(cents: count)
        for step in 0..<count {
            cbench_use(Int64(store.evaluate("CartTotal", of: view, instance: 1) { view.cents &+ step }))
        }
    }
}

// SPDX-License-Identifier: MIT
// What a begin and an end of a signpost cost, with and without a session that records them.

import CBench
import Signpost

enum SignpostBenchmarks {
    private static let signposter = Signposter(subsystem: "com.rerender", category: "Bench")

    /// Nobody records: against a loop that does nothing.
    static func disabled() throws -> Row {
        guard SignpostTracing.waitUntilReady(milliseconds: 10_000) == .ready else { throw Fault("LTTng is not ready") }
        guard !signposter.isEnabled else { throw Fault("a session records com.rerender.Bench: stop it") }
        let rounds = Rounds(201, of: 500_000) {
            time($0, pairs)
        } baseline: {
            time($0, nothing)
        }
        var row = rounds.row("signpost.disabled", target: "difference at most 1 ns for each begin and end")
        let differences = Spread(zip(rounds.ours, rounds.baseline).map { $0 - $1 })
        row.more = [
            ("difference", differences.median), ("differenceMin", differences.min),
            ("differenceMax", differences.max),
        ]
        return row
    }

    /// A session records: against LTTng's own macros with the same fields.
    static func enabled(_ yardstick: Yardstick) throws -> Row {
        _ = SignpostTracing.waitUntilReady(milliseconds: 10_000)
        try yardstick.waitUntilRecording()
        try wait(for: "the session records com.rerender.Bench:*") { signposter.isEnabled }
        let rounds = Rounds(61, of: 5_000) {
            time($0, pairs)
        } baseline: {
            time($0, yardstick.genericPairs)
        }
        return rounds.row("signpost.enabled", target: "ratio at most 1.15")
    }

    @inline(never)
    private static func pairs(_ count: Int) {
        let signposter = signposter
        for _ in 0..<count {
            let interval = signposter.beginInterval("Evaluate")
            signposter.endInterval("Evaluate", interval)
            cbench_barrier()
        }
    }

    @inline(never)
    private static func nothing(_ count: Int) {
        for _ in 0..<count { cbench_barrier() }
    }
}

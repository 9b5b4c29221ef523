// SPDX-License-Identifier: MIT
// Ours and the yardstick in turn, so that what else the machine does meets both.

import CBench

/// Times of both, in nanoseconds for each repetition.
struct Rounds {
    private(set) var ours: [Double] = []
    private(set) var baseline: [Double] = []

    /// Runs both `rounds` times for `count` repetitions, after one round that does not count.
    init(_ rounds: Int, of count: Int, ours: (Int) throws -> Double, baseline: (Int) throws -> Double) rethrows {
        for round in 0...rounds {
            // Who goes first changes, or one would always find the caches as the other left them.
            var times = (ours: 0.0, baseline: 0.0)
            if round.isMultiple(of: 2) { times.ours = try ours(count) }
            times.baseline = try baseline(count)
            if !round.isMultiple(of: 2) { times.ours = try ours(count) }
            guard round > 0 else { continue }
            self.ours.append(times.ours)
            self.baseline.append(times.baseline)
        }
    }

    /// What was measured elsewhere.
    init(_ pairs: some Sequence<(ours: Double, baseline: Double)>) {
        for pair in pairs {
            ours.append(pair.ours)
            baseline.append(pair.baseline)
        }
    }

    var ratios: [Double] { zip(ours, baseline).map { $0 / $1 } }

    func row(_ name: String, target: String) -> Row {
        Row(
            name: name, unit: "ns", ours: Spread(ours).median, baseline: Spread(baseline).median,
            ratio: Spread(ratios), target: target)
    }
}

/// Nanoseconds of processor time for each of `count` repetitions of what `body` does `count` times.
///
/// Not time that passed: on a machine that others use too, that would measure them.
func time(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    let start = cbench_thread_time()
    try body(count)
    return Double(cbench_thread_time() - start) / Double(count)
}

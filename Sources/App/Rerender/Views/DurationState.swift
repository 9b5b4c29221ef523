// SPDX-License-Identifier: MIT
// How long the evaluations of one view took.

import RerenderModel

/// Durations of the bodies of one view, and of their evaluations as a whole.
///
/// They are the same where no other evaluation ran inside: so only those that are not are counted a second time.
struct DurationState: Sendable {
    // Without the percentiles.
    private var body = DurationTotals()
    /// The latest evaluation as a whole.
    private var lastTotal: UInt64 = 0
    /// The longest evaluation that took longer than its body, and by how much all such evaluations did. A body never takes longer than
    /// its evaluation.
    private var (longest, longer): (UInt64, UInt64) = (0, 0)
    private var histogram = LatencyHistogram(octaves: StoreLimits.histogramOctaves)
    /// Where an evaluation took longer than its body.
    private var shift = LatencyShift(octaves: StoreLimits.histogramOctaves)

    @inline(__always)
    mutating func record(body nanoseconds: UInt64, total all: UInt64) {
        body.add(nanoseconds)
        lastTotal = all
        histogram.record(nanoseconds)
        if all != nanoseconds { shiftLast(from: nanoseconds, to: all) }
    }

    @inline(never)
    private mutating func shiftLast(from body: UInt64, to total: UInt64) {
        shift.move(from: body, to: total)
        longer &+= total &- body
        longest = max(longest, total)
    }

    mutating func removeAll() {
        body = DurationTotals()
        (lastTotal, longest, longer) = (0, 0, 0)
        histogram.removeAll()
        shift.removeAll()
    }

    /// Those of the bodies.
    var bodies: DurationTotals { totals(body, shiftedBy: nil) }

    /// Those of the evaluations.
    var evaluations: DurationTotals {
        var sums = body
        sums.last = lastTotal
        sums.max = max(body.max, longest)
        sums.sum &+= longer
        return totals(sums, shiftedBy: shift)
    }

    private func totals(_ sums: DurationTotals, shiftedBy shift: LatencyShift?) -> DurationTotals {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: sums.max, shiftedBy: shift)
        var totals = sums
        totals.p50 = percentiles[0]
        totals.p95 = percentiles[1]
        totals.p99 = percentiles[2]
        return totals
    }
}

extension DurationTotals {
    @inline(__always)
    fileprivate mutating func add(_ nanoseconds: UInt64) {
        last = nanoseconds
        if nanoseconds > max { max = nanoseconds }
        sum &+= nanoseconds
    }
}

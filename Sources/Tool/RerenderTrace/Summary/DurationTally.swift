// SPDX-License-Identifier: MIT
// Durations of one kind of one view, summed as the app sums them.

internal import RerenderModel

/// The durations of a view's evaluations.
struct DurationTally: Sendable {
    private var last: UInt64 = 0
    private var max: UInt64 = 0
    private var sum: UInt64 = 0
    private var count: UInt64 = 0
    // Few views need more; the others' octaves come when they are met.
    private var histogram = LatencyHistogram(octaves: 4)

    @inline(__always)
    mutating func record(_ nanoseconds: UInt64, isLatest: Bool) {
        if isLatest { last = nanoseconds }
        if nanoseconds > max { max = nanoseconds }
        sum &+= nanoseconds
        count += 1
        histogram.record(nanoseconds)
    }

    mutating func removeAll() { self = DurationTally() }

    var timing: Timing {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: max)
        var timing = Timing()
        timing.lastNanoseconds = last
        timing.averageNanoseconds = count > 0 ? sum / count : 0
        timing.maxNanoseconds = max
        timing.p50Nanoseconds = percentiles[0]
        timing.p95Nanoseconds = percentiles[1]
        timing.p99Nanoseconds = percentiles[2]
        timing.totalNanoseconds = sum
        return timing
    }
}

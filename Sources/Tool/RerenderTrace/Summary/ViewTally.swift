// SPDX-License-Identifier: MIT
// What a report sums up of one view, in its latest epoch.

internal import RerenderModel

/// Sums of one view's evaluations.
struct ViewTally: Sendable {
    private var body = DurationTally()
    private var total = DurationTally()
    private var instances: UInt64 = 0
    private var reasons: [ReasonTally] = []
    private var lastReason = 0
    private var lastEnd: Int64 = 0
    var hangs = HangTotals()

    /// Counts an evaluation of the latest epoch; begins anew with the first of it.
    mutating func record(_ evaluation: ClosedEvaluation) {
        let (end, standing) = (evaluation.end, evaluation.standing)
        guard begin(standing) else { return }
        body.record(end.bodyNanoseconds, isLatest: standing.isLatest)
        total.record(end.totalNanoseconds, isLatest: standing.isLatest)
        let reason = reason(of: end)
        reasons[reason].count(end)
        guard standing.isLatest else { return }
        if !end.storeName.isEmpty { instances = UInt64(end.instances) }
        lastEnd = evaluation.ended
        lastReason = reason
    }

    /// Takes what a commit or an instance's end says.
    mutating func record(_ correction: ViewCorrection) {
        if begin(correction.standing) { instances = UInt64(correction.change.instances) }
    }

    private mutating func begin(_ standing: ClosedEvaluation.Standing) -> Bool {
        if standing.beginsEpoch {
            (body, total, lastReason) = (DurationTally(), DurationTally(), 0)
            reasons.removeAll(keepingCapacity: true)
        }
        return standing.isCurrent
    }

    func stats(_ view: ViewProgress, _ texts: TraceTexts) -> Stats {
        var stats = Stats(key: ViewKey(rawValue: texts[view.key]), file: texts[view.file], line: view.line)
        stats.count = view.seen
        stats.instances = instances
        stats.commits = view.commits
        stats.body = body.timing
        stats.wasted = view.waste(taking: stats.body.totalNanoseconds)
        stats.total = total.timing
        stats.reasons = reasons.map { $0.reasonCount(texts) }.sorted(by: ReasonCount.byCount)
        stats.lastReason = reasons.isEmpty ? "" : texts[reasons[lastReason].reason]
        stats.hangs = hangs
        if view.seen > 0 { stats.lastRenderedAt = Timestamp(nanosecondsSince1970: lastEnd) }
        return stats
    }

    @inline(__always)
    private mutating func reason(of end: EvaluationEnded) -> Int {
        if lastReason < reasons.count, reasons[lastReason].isOf(end) { return lastReason }
        if let index = reasons.firstIndex(where: { $0.isOf(end) }) { return index }
        // The app has no more than 32, `other` included; a trace that has more was not written by it.
        guard reasons.count < TraceLimits.reasonsPerView else { return reasons.count - 1 }
        reasons.append(ReasonTally(end.reason, end.attribution))
        return reasons.count - 1
    }
}

/// The durations of a view's evaluations.
private struct DurationTally: Sendable {
    private var sums = Timing()
    private var count: UInt64 = 0
    // Few views need more; the others' octaves come when they are met.
    private var histogram = LatencyHistogram(octaves: 4)

    @inline(__always)
    mutating func record(_ nanoseconds: UInt64, isLatest: Bool) {
        if isLatest { sums.lastNanoseconds = nanoseconds }
        if nanoseconds > sums.maxNanoseconds { sums.maxNanoseconds = nanoseconds }
        sums.totalNanoseconds &+= nanoseconds
        count += 1
        histogram.record(nanoseconds)
    }

    var timing: Timing {
        var timing = sums
        let percentiles = histogram.percentiles([50, 95, 99], maximum: sums.maxNanoseconds)
        timing.averageNanoseconds = count > 0 ? sums.totalNanoseconds / count : 0
        timing.p50Nanoseconds = percentiles[0]
        timing.p95Nanoseconds = percentiles[1]
        timing.p99Nanoseconds = percentiles[2]
        return timing
    }
}

// SPDX-License-Identifier: MIT
// What a report sums up of one view, in its latest epoch.

internal import CShared
internal import RerenderModel

/// Sums of one view's evaluations. What only the whole trace tells is filled in by ``stats(_:_:)``.
struct ViewTally: Sendable {
    /// The hangs among them are those attributed to the view, in any epoch.
    var sums = Stats(key: "")
    // Few views need more; the others' octaves come when they are met.
    private var bodies = LatencyHistogram(octaves: 4)
    private var totals = LatencyHistogram(octaves: 4)
    private var reasons: [ReasonTally] = []
    private var lastReason = 0
    private var selfNanoseconds: UInt64 = 0

    /// Counts an evaluation of the latest epoch; begins anew with the first of it.
    @inline(__always)
    mutating func record(_ evaluation: ClosedEvaluation) {
        guard begin(evaluation.standing) else { return }
        let isLatest = evaluation.standing.isLatest
        sums.count += 1
        if let isPass = evaluation.end.isPass { sums.passes = (sums.passes ?? 0) + (isPass ? 1 : 0) }
        sums.body.add(evaluation.end.body_ns, isLatest: isLatest)
        sums.total.add(evaluation.end.total_ns, isLatest: isLatest)
        selfNanoseconds &+= evaluation.selfNanoseconds
        bodies.record(evaluation.end.body_ns)
        totals.record(evaluation.end.total_ns)
        let reason = reason(of: evaluation.end)
        reasons[reason].count(evaluation.end)
        guard isLatest else { return }
        if !evaluation.end.store.isEmpty { sums.instances = UInt64(evaluation.end.instances) }
        sums.lastRenderedAt = Timestamp(nanosecondsSince1970: evaluation.ended)
        lastReason = reason
    }

    /// Takes what a commit or an instance's end says.
    mutating func record(_ correction: ViewCorrection) {
        if begin(correction.standing) { sums.instances = UInt64(correction.change.instances) }
    }

    /// Begins anew with the first of an epoch; false for an earlier one.
    private mutating func begin(_ standing: ClosedEvaluation.Standing) -> Bool {
        if standing.beginsEpoch {
            let (hangs, instances) = (sums.hangs, sums.instances)
            self = ViewTally()
            (sums.hangs, sums.instances) = (hangs, instances)
        }
        return standing.isCurrent
    }

    func stats(_ view: ViewProgress, _ texts: TraceTexts) -> Stats {
        var stats = sums
        stats.key = ViewKey(rawValue: texts[view.key])
        (stats.file, stats.line) = (texts[view.file], view.line)
        stats.commits = view.commits
        stats.body.finish(bodies, of: sums.count)
        stats.total.finish(totals, of: sums.count)
        stats.selfNanoseconds = selfNanoseconds
        stats.wasted = view.waste(taking: sums.body.totalNanoseconds)
        stats.reasons = reasons.map { $0.reasonCount(texts) }.sorted(by: ReasonCount.byCount)
        stats.lastReason = reasons.isEmpty ? "" : texts[reasons[lastReason].reason]
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

extension Timing {
    @inline(__always)
    fileprivate mutating func add(_ nanoseconds: UInt64, isLatest: Bool) {
        if isLatest { lastNanoseconds = nanoseconds }
        if nanoseconds > maxNanoseconds { maxNanoseconds = nanoseconds }
        totalNanoseconds &+= nanoseconds
    }

    /// Takes what is known only at the end.
    fileprivate mutating func finish(_ histogram: LatencyHistogram, of count: UInt64) {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: maxNanoseconds)
        (p50Nanoseconds, p95Nanoseconds, p99Nanoseconds) = (percentiles[0], percentiles[1], percentiles[2])
        averageNanoseconds = count > 0 ? totalNanoseconds / count : 0
    }
}

// SPDX-License-Identifier: MIT
// What a trace tells of one view of one store.

internal import RerenderModel

/// Counts the evaluations of one view in its latest epoch.
struct ViewTally: Sendable {
    let key: TextID
    /// The place of its store.
    let store: Int
    var file = TextID.empty
    var line: UInt32 = 0
    private(set) var epoch: UInt32 = 0
    /// Evaluations whose end is in the trace.
    private(set) var seen: UInt64 = 0
    /// The least and the largest cumulative count among them.
    private(set) var first = UInt64.max
    private(set) var last: UInt64 = 0
    /// Whether evaluations of earlier epochs are in the trace: then nothing of this one is older than the trace.
    private(set) var hasEarlierEpochs = false
    /// Evaluations of earlier epochs.
    private(set) var earlier: UInt64 = 0
    private var instances: UInt64 = 0
    /// Commits as the app counts them, and those in the trace.
    private var commits: UInt64 = 0
    private var seenCommits: UInt64 = 0
    private var waste = WasteTally()
    private var body = DurationTally()
    private var total = DurationTally()
    private var reasons: [ReasonTally] = []
    private var lastReason = 0
    private var lastEnd: Int64 = 0
    var hangs = HangTotals()
    /// Turns over the threshold that it had most of, for a trace without a daemon.
    var turnHangs = HangTotals()
    /// Where the view's own time of the turn is, if ``turn`` is the turn.
    var share: (turn: UInt64, index: Int) = (.max, 0)

    init(key: TextID, store: Int) {
        self.key = key
        self.store = store
    }

    /// Counts an evaluation. One of an older epoch, from a thread that was slow, counts as earlier.
    mutating func record(_ event: EvaluationEnded, at nanoseconds: Int64) {
        guard enter(event.epoch) else { return earlier += 1 }
        seen += 1
        if event.count < first { first = event.count }
        // Two threads may count in one order and emit in the other.
        let isLatest = event.count > last
        body.record(event.bodyNanoseconds, isLatest: isLatest)
        total.record(event.totalNanoseconds, isLatest: isLatest)
        waste.record(event, isAfterGap: isLatest && event.count - last > 1)
        let reason = reason(of: event)
        reasons[reason].count(event)
        guard isLatest else { return }
        last = event.count
        if !event.storeName.isEmpty { instances = UInt64(event.instances) }
        lastEnd = nanoseconds
        lastReason = reason
    }

    /// Takes the view's sums as of a commit, or else of an instance's end.
    mutating func record(_ change: ViewChanged, isCommit: Bool) {
        guard enter(change.epoch) else { return }
        instances = UInt64(change.instances)
        commits = change.commits
        if isCommit { seenCommits += 1 }
        let missing = missing
        waste.replace(by: change, missing: missing.before &+ missing.between)
    }

    /// Begins a new epoch if it is one; false for an older one.
    mutating func enter(_ epoch: UInt32) -> Bool {
        guard epoch != self.epoch else { return true }
        guard epoch > self.epoch || (seen == 0 && commits == 0) else { return false }
        if seen > 0 { hasEarlierEpochs = true }
        earlier += seen
        self.epoch = epoch
        (seen, first, last, commits, seenCommits) = (0, .max, 0, 0, 0)
        body.removeAll()
        total.removeAll()
        waste = WasteTally()
        reasons.removeAll(keepingCapacity: true)
        lastReason = 0
        return true
    }

    /// Whether an evaluation is the first one of another store, of the same number in a process of the same number: a
    /// count never goes back to 1, and an epoch to none before it. A trace of an older version has no numbers of stores.
    @inline(__always)
    func isReplaced(by event: EvaluationEnded) -> Bool {
        event.count == 1 && !event.storeName.isEmpty && (event.epoch == epoch ? first == 1 : event.epoch < epoch)
    }

    /// Evaluations that the cumulative counts show and the trace has not: before the view's first one, and between.
    var missing: (before: UInt64, between: UInt64) {
        guard seen > 0, first > 0, last >= first else { return (0, 0) }
        let between = last - first + 1
        let lost = between > seen ? between - seen : 0
        return hasEarlierEpochs ? (0, lost + first - 1) : (first - 1, lost)
    }

    /// Whether there is anything to show of the latest epoch.
    var isVisible: Bool { seen > 0 || seenCommits > 0 || hangs.count > 0 }

    /// Whether the trace has all evaluations of the epoch, as far as their counts tell: then the app's sums are theirs.
    private var isWhole: Bool { seen > 0 && missing == (0, 0) }

    func stats(_ texts: TraceTexts) -> Stats {
        var stats = Stats(key: ViewKey(rawValue: texts[key]), file: texts[file], line: line)
        stats.count = seen
        stats.instances = instances
        stats.commits = isWhole ? commits : seenCommits
        stats.body = body.timing
        stats.wasted = waste.waste(isWhole: isWhole, of: seen, taking: stats.body.totalNanoseconds)
        stats.total = total.timing
        stats.reasons = reasons.map { $0.reasonCount(texts) }.sorted(by: ReasonCount.byCount)
        stats.lastReason = reasons.isEmpty ? "" : texts[reasons[lastReason].reason]
        stats.hangs = hangs
        if seen > 0 { stats.lastRenderedAt = Timestamp(nanosecondsSince1970: lastEnd) }
        return stats
    }

    @inline(__always)
    private mutating func reason(of event: EvaluationEnded) -> Int {
        if lastReason < reasons.count, isReason(lastReason, of: event) { return lastReason }
        if let index = reasons.indices.first(where: { isReason($0, of: event) }) { return index }
        // The app has no more than 32, `other` included; a trace that has more was not written by it.
        guard reasons.count < TraceLimits.reasonsPerView else { return reasons.count - 1 }
        reasons.append(ReasonTally(event.reason, event.attribution))
        return reasons.count - 1
    }

    @inline(__always)
    private func isReason(_ index: Int, of event: EvaluationEnded) -> Bool {
        reasons[index].reason == event.reason && reasons[index].attribution == event.attribution
    }
}

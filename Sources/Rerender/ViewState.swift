// SPDX-License-Identifier: MIT
// What is counted and timed of one view; plain values, guarded by the lock of its record.

import RerenderModel
import RerenderWire

/// One evaluation that has ended.
struct Evaluation {
    /// Clock nanoseconds at its end.
    var endedAt: UInt64
    var bodyNanoseconds: UInt64
    var totalNanoseconds: UInt64
    var instance: UInt64?
    var reason: String?
}

/// Totals of one view since the epoch began.
struct ViewState: Sendable {
    /// Whether the view waits in its store's list of what to send.
    var isDirty = false
    private(set) var epoch: UInt32
    private(set) var count: UInt64 = 0
    private(set) var commits: UInt64 = 0
    private(set) var reasons = ReasonTable()
    private var body = DurationState()
    private var total = DurationState()
    private var instances = InstanceTable()
    private var hasUnnumberedInstance = false
    private var lastEnd: UInt64 = 0
    private var lastEndTime: (end: UInt64, time: Timestamp) = (0, Timestamp(nanosecondsSince1970: 0))

    init(epoch: UInt32) {
        self.epoch = epoch
    }

    /// Whether the view has anything to show in the current epoch.
    var isVisible: Bool { count > 0 || commits > 0 }

    /// Clears the counts if a new epoch has begun; instances live on.
    mutating func enter(epoch: UInt32) {
        guard epoch != self.epoch else { return }
        self.epoch = epoch
        count = 0
        commits = 0
        reasons.removeAll()
        body.removeAll()
        total.removeAll()
        lastEnd = 0
    }

    /// Counts one evaluation.
    mutating func record(_ evaluation: Evaluation) {
        count += 1
        body.record(evaluation.bodyNanoseconds)
        total.record(evaluation.totalNanoseconds)
        lastEnd = evaluation.endedAt
        let isFirst = enterInstance(evaluation.instance)
        if let reason = evaluation.reason {
            reasons.count(reason, .announced)
        } else if isFirst {
            reasons.count(Reason.initial, .exact)
        } else {
            reasons.countUnknown()
        }
    }

    mutating func recordCommit() {
        commits += 1
    }

    /// Forgets an instance; nil stands for the one without a number. False if it was not known.
    mutating func end(instance: UInt64?) -> Bool {
        guard let instance else {
            defer { hasUnnumberedInstance = false }
            return hasUnnumberedInstance
        }
        return instances.remove(instance)
    }

    /// The totals as they travel; remembers the wall-clock time of the last evaluation, so that it never changes.
    mutating func totals(storeID: UInt32, index: UInt32, wallClock: WallClock) -> ViewTotals {
        if lastEnd != lastEndTime.end { lastEndTime = (lastEnd, wallClock.time(at: lastEnd)) }
        var totals = ViewTotals(storeID: storeID, index: index, epoch: epoch)
        totals.count = count
        totals.instances = UInt64(instances.count + (hasUnnumberedInstance ? 1 : 0))
        totals.commits = commits
        totals.body = body.totals()
        totals.total = total.totals()
        totals.lastRenderedAt = lastEndTime.time
        totals.lastReason = reasons.last
        totals.reasonCounts = reasons.counts()
        return totals
    }

    private mutating func enterInstance(_ instance: UInt64?) -> Bool {
        guard let instance else {
            defer { hasUnnumberedInstance = true }
            return !hasUnnumberedInstance
        }
        return instances.insert(instance) == .inserted
    }
}

/// Durations of one kind.
struct DurationState: Sendable {
    private var last: UInt64 = 0
    private var max: UInt64 = 0
    private var sum: UInt64 = 0
    private var histogram = LatencyHistogram()

    mutating func record(_ nanoseconds: UInt64) {
        last = nanoseconds
        if nanoseconds > max { max = nanoseconds }
        sum &+= nanoseconds
        histogram.record(nanoseconds)
    }

    mutating func removeAll() {
        last = 0
        max = 0
        sum = 0
        histogram.removeAll()
    }

    func totals() -> DurationTotals {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: max)
        var totals = DurationTotals()
        totals.last = last
        totals.max = max
        totals.sum = sum
        totals.p50 = percentiles[0]
        totals.p95 = percentiles[1]
        totals.p99 = percentiles[2]
        return totals
    }
}

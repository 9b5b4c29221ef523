// SPDX-License-Identifier: MIT
// The numbers of one view, with its waste: the one value that app, wire, daemon and state file share.

/// Totals of one view since its store's epoch began.
///
/// Integers only and without padding, largest fields first, so that the value's bytes are what travels.
package struct ViewTotals: Hashable, Sendable, BitwiseCopyable {
    /// Stands in ``lastReason``, and for a reason's number, for the reasons beyond the limit.
    package static let otherReason: UInt8 = 255

    package var count: UInt64 = 0
    /// The sum of the self times: time in bodies, without the bodies of evaluations inside of them on the same thread.
    package var selfNanoseconds: UInt64 = 0
    /// Further evaluations of an update; they are in ``count``.
    package var passes: UInt64 = 0
    /// 1 while a value of the view was in an evaluated output, and its body was never seen; else 0.
    package var notSeen: UInt32 = 0
    /// 1 where the body is also called past its hook, so that ``count`` may be too small; else 0.
    package var mayBeMore: UInt32 = 0
    package var instances: UInt64 = 0
    package var commits: UInt64 = 0
    /// Time of the framework's in commits, without bodies; 0 where it is not measured.
    package var commitNanoseconds: UInt64 = 0
    /// Layouts that the framework computed, and its time in them without bodies; 0 where they are not seen.
    package var layouts: UInt64 = 0
    package var layoutNanoseconds: UInt64 = 0
    /// Frames over their interval that the view had most of.
    package var framesOverInterval: UInt64 = 0
    /// Instances whose previous values were dropped to make room.
    package var forgotten: UInt64 = 0
    package var lastRenderedAt = Timestamp(nanosecondsSince1970: 0)
    package var body = DurationTotals()
    package var total = DurationTotals()
    package var waste = WasteTotals()
    package var storeID: UInt32
    package var index: UInt32
    package var epoch: UInt32
    /// The number of the latest evaluation's reason.
    package var lastReason: UInt32 = 0

    package init(storeID: UInt32, index: UInt32, epoch: UInt32) {
        self.storeID = storeID
        self.index = index
        self.epoch = epoch
    }
}

extension ViewTotals {
    /// Whether the view is listed because its body was never seen.
    package var isNotSeen: Bool { count == 0 && notSeen != 0 }
}

/// A ``Timing`` without its average, which is the sum over the count.
package struct DurationTotals: Hashable, Sendable, BitwiseCopyable {
    package var last: UInt64 = 0
    package var max: UInt64 = 0
    package var p50: UInt64 = 0
    package var p95: UInt64 = 0
    package var p99: UInt64 = 0
    package var sum: UInt64 = 0

    package init() {}

    /// The durations of `count` evaluations as the export shows them.
    package func timing(count: UInt64) -> Timing {
        var timing = Timing()
        timing.lastNanoseconds = last
        timing.averageNanoseconds = count == 0 ? 0 : sum / count
        timing.maxNanoseconds = max
        timing.p50Nanoseconds = p50
        timing.p95Nanoseconds = p95
        timing.p99Nanoseconds = p99
        timing.totalNanoseconds = sum
        return timing
    }
}

extension Stats {
    /// A view as the export shows it, but for its reasons: the totals know only their numbers.
    package init(_ totals: ViewTotals, hangs: HangTotals, key: ViewKey, file: String, line: UInt32) {
        self.init(key: key, file: file, line: line)
        count = totals.count
        passes = totals.passes
        notSeen = totals.isNotSeen ? true : nil
        mayBeMore = totals.mayBeMore != 0 ? true : nil
        instances = totals.instances
        commits = totals.commits
        if totals.layouts > 0 {
            framework = FrameworkTime(
                layouts: totals.layouts, layoutNanoseconds: totals.layoutNanoseconds,
                commitNanoseconds: totals.commitNanoseconds)
        }
        wasted = totals.waste.waste
        body = totals.body.timing(count: totals.count)
        total = totals.total.timing(count: totals.count)
        selfNanoseconds = totals.selfNanoseconds
        forgotten = totals.forgotten
        framesOverInterval = totals.framesOverInterval == 0 ? nil : totals.framesOverInterval
        self.hangs = hangs
        lastRenderedAt = totals.count > 0 ? totals.lastRenderedAt : nil
    }
}

/// A ``Waste`` without its sums, which follow from the kinds.
package struct WasteTotals: Hashable, Sendable, BitwiseCopyable {
    /// Evaluations that may have been needed or not: the library cannot tell.
    package var unjudged: UInt64 = 0
    private var sameOutput = KindTotals()
    private var sameValue = KindTotals()
    private var newIdentity = KindTotals()
    private var closureIdentity = KindTotals()
    private var parentOnly = KindTotals()
    private var twiceInATurn = KindTotals()
    private var sameInputs = KindTotals()

    package init() {}

    package subscript(kind: WasteKind) -> UInt64 { self[sums: kind].count }

    /// Self time spent in evaluations of one kind.
    package func nanoseconds(of kind: WasteKind) -> UInt64 { self[sums: kind].nanoseconds }

    /// Counts evaluations of one kind, one if not told otherwise.
    ///
    /// `nanoseconds` is the self time of all of them together. Sums wrap around, so that
    /// ``remove(_:nanoseconds:evaluations:)`` is always the exact opposite.
    package mutating func add(_ kind: WasteKind, nanoseconds: UInt64, evaluations: UInt64 = 1) {
        self[sums: kind].count &+= evaluations
        self[sums: kind].nanoseconds &+= nanoseconds
    }

    /// Takes back what ``add(_:nanoseconds:evaluations:)`` counted.
    ///
    /// Only what was added may be taken back: else the sums wrap around to huge numbers.
    package mutating func remove(_ kind: WasteKind, nanoseconds: UInt64, evaluations: UInt64 = 1) {
        add(kind, nanoseconds: 0 &- nanoseconds, evaluations: 0 &- evaluations)
    }

    /// Evaluations whose output is known to equal the previous one.
    package var measured: UInt64 { sameOutput.count }

    /// Evaluations that their inputs show to be needless, or that were not the last of a turn.
    package var inferred: UInt64 { inferredTotals.count }

    /// Self time spent in those that were not needed.
    package var nanoseconds: UInt64 { sameOutput.nanoseconds &+ inferredTotals.nanoseconds }

    private var inferredTotals: KindTotals {
        sameValue + newIdentity + closureIdentity + parentOnly + twiceInATurn + sameInputs
    }

    /// Evaluations that were not needed; the largest number if hostile numbers do not add up.
    package var count: UInt64 { measured.clampedSum(inferred) }

    /// The waste as the export shows it.
    package var waste: Waste {
        var waste = Waste()
        guard self != WasteTotals() else { return waste }
        waste.count = count
        waste.measured = measured
        waste.inferred = inferred
        waste.unjudged = unjudged
        waste.nanoseconds = nanoseconds
        for kind in WasteKind.allCases {
            let sums = self[sums: kind]
            if sums.count > 0 { waste.kinds[kind] = sums.count }
            if sums.nanoseconds > 0 { waste.kindNanoseconds[kind] = sums.nanoseconds }
        }
        return waste
    }

    /// The sums of one kind.
    private struct KindTotals: Hashable, Sendable, BitwiseCopyable {
        var count: UInt64 = 0
        var nanoseconds: UInt64 = 0

        /// Wraps around, as a hostile app's numbers may.
        static func + (lhs: Self, rhs: Self) -> Self {
            Self(count: lhs.count &+ rhs.count, nanoseconds: lhs.nanoseconds &+ rhs.nanoseconds)
        }
    }

    private subscript(sums kind: WasteKind) -> KindTotals {
        get {
            switch kind {
            case .sameOutput: sameOutput
            case .sameValue: sameValue
            case .newIdentity: newIdentity
            case .closureIdentity: closureIdentity
            case .parentOnly: parentOnly
            case .twiceInATurn: twiceInATurn
            case .sameInputs: sameInputs
            }
        }
        set {
            switch kind {
            case .sameOutput: sameOutput = newValue
            case .sameValue: sameValue = newValue
            case .newIdentity: newIdentity = newValue
            case .closureIdentity: closureIdentity = newValue
            case .parentOnly: parentOnly = newValue
            case .twiceInATurn: twiceInATurn = newValue
            case .sameInputs: sameInputs = newValue
            }
        }
    }
}

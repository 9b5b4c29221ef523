// SPDX-License-Identifier: MIT
// Wasted evaluations of one view: counted as they end, and put right by what a commit says.

internal import CShared
internal import RerenderModel

/// Sums of a view's wasted evaluations.
///
/// A commit says sums since the epoch began, and so also of evaluations that are not in the trace. It names the evaluations that it
/// decides: of a part, the last word on each of those in it counts. Recordings of older versions name none. There, what a commit
/// changes is taken for those of the trace only where none can have come between; else it tells how much is of the others.
struct WasteTracker: Sendable {
    /// As the app counts.
    private var all = WasteSums()
    /// The last word on each evaluation that is in the trace.
    private var own = WasteSums()
    /// Whether commits name evaluations.
    private var hasNames = false
    /// What of ``all`` is of evaluations that are not in the trace.
    private var unseen = WasteSums()
    /// What commits have changed since the latest evaluation: of one that is not in the trace, if the next one shows a gap.
    private var unconfirmed = WasteSums()
    private var hasUnconfirmed = false
    /// How many evaluations were missing when a commit last told its sums.
    private var missing: UInt64 = 0
    private var kindNanoseconds = InlineArray<7, UInt64>(repeating: 0)
    /// Whether a commit has overruled evaluations: then the time of each kind is not known any more.
    private var isOverruled = false
    private var isCorrected = false
    /// Whether each event said whether its evaluation can be judged. Those of older versions do not.
    private var tellsUnjudged = true

    /// Counts an evaluation; `isAfterGap` where others are missing between the latest one and it.
    @inline(__always)
    mutating func record(_ event: EvaluationEnded, isAfterGap: Bool) {
        if hasUnconfirmed { settle(isAfterGap) }
        if event.unjudged != 0 { countUnjudged(event) }
        guard event.waste != .none else { return }
        let verdict = EvaluationVerdict(event)
        all.add(verdict)
        addOwn(verdict)
    }

    /// Takes what a commit decides of an evaluation that is in the trace; nil where it names one that is not.
    mutating func take(_ decision: (before: EvaluationVerdict, now: EvaluationVerdict)?) {
        hasNames = true
        guard let decision else { return }
        addOwn(decision.before, times: .max)
        addOwn(decision.now)
    }

    /// Adds an evaluation's waste, or takes it back where it is added 2⁶⁴−1 times.
    @inline(__always)
    private mutating func addOwn(_ verdict: EvaluationVerdict, times: UInt64 = 1) {
        guard verdict.waste != .none else { return }
        own.add(verdict, times: times)
        guard (1...7).contains(verdict.kind) else { return }
        kindNanoseconds[Int(verdict.kind) - 1] &+= verdict.nanoseconds &* times
    }

    /// Counts one that cannot be judged, or notes that the trace does not say whether it can.
    private mutating func countUnjudged(_ event: EvaluationEnded) {
        if event.unjudged == .max {
            tellsUnjudged = false
        } else if event.waste == .none {
            all[Place.unjudged] &+= 1
        }
    }

    /// Takes a commit's sums; `missing` evaluations are known not to be in the trace by now.
    mutating func replace(by change: ViewChanged, missing: UInt64) {
        let reported = WasteSums(change)
        let difference = reported &- all
        // What was only judged has no time that is not known any more.
        var overruled = difference
        overruled[Place.unjudged] = 0
        let isOverruling = overruled != WasteSums()
        if isOverruling { isOverruled = true }
        if change.unjudged == .max { tellsUnjudged = false }
        if missing != self.missing {
            unseen = unseen &+ difference
            self.missing = missing
        } else {
            unconfirmed = unconfirmed &+ difference
            hasUnconfirmed = true
            if isOverruling { isCorrected = true }
        }
        all = reported
    }

    private mutating func settle(_ isAfterGap: Bool) {
        if isAfterGap { unseen = unseen &+ unconfirmed }
        unconfirmed = WasteSums()
        hasUnconfirmed = false
    }

    /// The waste of `seen` evaluations that took `nanoseconds`; `isWhole` where they are all that there were.
    func waste(isWhole: Bool, of seen: UInt64, taking nanoseconds: UInt64) -> Waste {
        var sums = isWhole ? all : (all &- unseen).positive
        if !isWhole, hasNames {
            let unjudged = sums[Place.unjudged]
            sums = own.positive
            sums[Place.unjudged] = unjudged
        } else if sums.count &+ sums[Place.unjudged] > seen {
            // Also of a whole trace an evaluation may be missing at its very end, with its commit there.
            sums = (all &- unseen &- unconfirmed).positive
        }
        sums.limit(to: seen, nanoseconds)
        // Where each evaluation's last word adds up to what the app counts, so do the times.
        var (known, told) = (own, isWhole ? all : sums)
        (known[Place.unjudged], told[Place.unjudged]) = (0, 0)
        return waste(sums, known == told ? false : isWhole ? isOverruled : isCorrected)
    }

    private func waste(_ sums: WasteSums, _ isOverruled: Bool) -> Waste {
        var waste = Waste()
        waste.unjudged = tellsUnjudged ? sums[Place.unjudged] : nil
        waste.measured = sums[Place.measured]
        waste.inferred = sums[Place.inferred]
        waste.count = sums.count
        waste.nanoseconds = sums[Place.nanoseconds]
        for (index, kind) in WasteKind.allCases.enumerated() {
            let count = sums[Place.kinds.lowerBound + index]
            guard count > 0 else { continue }
            waste.kinds[kind] = count
            // All of it where there is one kind only.
            let time =
                count == waste.count
                ? waste.nanoseconds : isOverruled ? 0 : min(kindNanoseconds[index], waste.nanoseconds)
            if time > 0 { waste.kindNanoseconds[kind] = time }
        }
        return waste
    }
}

/// The numbers of wasted and of unjudged evaluations, or the difference of two such sums: modulo 2⁶⁴, so that no trace can make it trap.
private typealias WasteSums = SIMD16<UInt64>

/// Where they are; the kinds in the order of `WasteKind.allCases`.
private enum Place {
    static let measured = 0
    static let inferred = 1
    static let nanoseconds = 2
    static let kinds = 3..<3 + WasteKind.allCases.count
    static let unjudged = 3 + WasteKind.allCases.count
}

extension WasteSums {
    fileprivate init(_ change: ViewChanged) {
        self.init()
        let kinds = change.wastedKinds
        for kind in kinds.indices {
            // So that their sum cannot overflow.
            self[Place.kinds.lowerBound + kind] = Swift.min(kinds[kind], UInt64(UInt32.max))
        }
        let count = Place.kinds.reduce(0) { $0 + self[$1] }
        self[Place.measured] = Swift.min(change.measured, count)
        self[Place.inferred] = count - self[Place.measured]
        self[Place.nanoseconds] = change.wasted_ns
        if change.unjudged != .max { self[Place.unjudged] = Swift.min(change.unjudged, UInt64(UInt32.max)) }
    }

    fileprivate var count: UInt64 { self[Place.measured] &+ self[Place.inferred] }

    @inline(__always)
    fileprivate mutating func add(_ verdict: EvaluationVerdict, times: UInt64 = 1) {
        self[verdict.waste == .measured ? Place.measured : Place.inferred] &+= times
        self[Place.nanoseconds] &+= verdict.nanoseconds &* times
        if (1...7).contains(verdict.kind) { self[Place.nanoseconds + Int(verdict.kind)] &+= times }
    }

    /// With 0 for what is less than that: a commit may have taken back what was never counted here.
    fileprivate var positive: WasteSums { replacing(with: 0, where: SIMD16<Int64>(truncatingIfNeeded: self) .< 0) }

    /// Cuts to as many evaluations and their time: more cannot have been wasted.
    fileprivate mutating func limit(to evaluations: UInt64, _ time: UInt64) {
        self[Place.nanoseconds] = Swift.min(self[Place.nanoseconds], time)
        self[Place.measured] = Swift.min(self[Place.measured], evaluations)
        self[Place.inferred] = Swift.min(self[Place.inferred], evaluations - self[Place.measured])
        self[Place.unjudged] = Swift.min(self[Place.unjudged], evaluations - count)
        var rest = count
        for kind in Place.kinds {
            self[kind] = Swift.min(self[kind], rest)
            rest -= self[kind]
        }
    }
}

// SPDX-License-Identifier: MIT
// Wasted evaluations of one view: counted as they end, and put right by what a commit says.

internal import RerenderModel

/// Sums of a view's wasted evaluations.
///
/// A commit says sums since the epoch began, and so also of evaluations that are not in the trace. What it changes is
/// therefore taken for those of the trace only where none can have come between; else it tells how much is of the others.
struct WasteTally: Sendable {
    /// As the app counts.
    private var all = WasteSums()
    /// What of ``all`` is of evaluations that are not in the trace.
    private var unseen = WasteSums()
    /// What commits have changed since the latest evaluation: of one that is not in the trace, if the next one shows a gap.
    private var unconfirmed = WasteSums()
    private var hasUnconfirmed = false
    /// How many evaluations were missing when a commit last told its sums.
    private var missing: UInt64 = 0
    private var kindNanoseconds = InlineArray<6, UInt64>(repeating: 0)
    /// Whether a commit has overruled evaluations: then the time of each kind is not known any more.
    private var isOverruled = false
    private var isCorrected = false

    /// Counts an evaluation; `isAfterGap` where others are missing between the latest one and it.
    @inline(__always)
    mutating func record(_ event: EvaluationEnded, isAfterGap: Bool) {
        if hasUnconfirmed { settle(isAfterGap) }
        guard event.waste != .none else { return }
        all.count(event)
        guard (1...6).contains(event.wasteKind) else { return }
        kindNanoseconds[Int(event.wasteKind) - 1] &+= event.bodyNanoseconds
    }

    /// Takes a commit's sums; `missing` evaluations are known not to be in the trace by now.
    mutating func replace(by change: ViewChanged, missing: UInt64) {
        let told = WasteSums(change)
        let difference = told &- all
        if difference != WasteSums() { isOverruled = true }
        if missing != self.missing {
            unseen = unseen &+ difference
            self.missing = missing
        } else {
            unconfirmed = unconfirmed &+ difference
            hasUnconfirmed = true
            if difference != WasteSums() { isCorrected = true }
        }
        all = told
    }

    private mutating func settle(_ isAfterGap: Bool) {
        if isAfterGap { unseen = unseen &+ unconfirmed }
        unconfirmed = WasteSums()
        hasUnconfirmed = false
    }

    /// The waste of `seen` evaluations that took `nanoseconds`; `isWhole` where they are all that there were.
    func waste(isWhole: Bool, of seen: UInt64, taking nanoseconds: UInt64) -> Waste {
        var sums = isWhole ? all : (all &- unseen).positive
        // Also of a whole trace an evaluation may be missing at its very end, with its commit there.
        if sums.count > seen { sums = (all &- unseen &- unconfirmed).positive }
        sums.limit(to: seen, nanoseconds)
        return waste(sums, isWhole ? isOverruled : isCorrected)
    }

    private func waste(_ sums: WasteSums, _ isOverruled: Bool) -> Waste {
        var waste = Waste()
        waste.measured = sums.measured
        waste.inferred = sums.inferred
        waste.count = sums.count
        waste.nanoseconds = sums.nanoseconds
        for (index, kind) in WasteKind.allCases.enumerated() where sums.kinds[index] > 0 {
            waste.kinds[kind] = sums.kinds[index]
            // All of it where there is one kind only.
            let time =
                sums.kinds[index] == waste.count
                ? waste.nanoseconds : isOverruled ? 0 : min(kindNanoseconds[index], waste.nanoseconds)
            if time > 0 { waste.kindNanoseconds[kind] = time }
        }
        return waste
    }
}

/// The numbers of wasted evaluations, or the difference of two such sums: modulo 2⁶⁴, so that no trace can make it trap.
private struct WasteSums: Equatable, Sendable {
    var measured: UInt64 = 0
    var inferred: UInt64 = 0
    var nanoseconds: UInt64 = 0
    var kinds = InlineArray<6, UInt64>(repeating: 0)

    init() {}

    init(_ change: ViewChanged) {
        var count: UInt64 = 0
        for kind in kinds.indices {
            kinds[kind] = UInt64(change.wastedKinds[kind])
            count += kinds[kind]
        }
        measured = min(change.wastedMeasured, count)
        inferred = count - measured
        nanoseconds = change.wastedNanoseconds
    }

    var count: UInt64 { measured &+ inferred }

    @inline(__always)
    mutating func count(_ event: EvaluationEnded) {
        if event.waste == .measured { measured &+= 1 } else { inferred &+= 1 }
        nanoseconds &+= event.bodyNanoseconds
        if (1...6).contains(event.wasteKind) { kinds[Int(event.wasteKind) - 1] &+= 1 }
    }

    /// With 0 for what is less than that: a commit may have taken back what was never counted here.
    var positive: WasteSums {
        var sums = WasteSums()
        let atLeastZero = { (number: UInt64) in Int64(bitPattern: number) < 0 ? 0 : number }
        sums.measured = atLeastZero(measured)
        sums.inferred = atLeastZero(inferred)
        sums.nanoseconds = atLeastZero(nanoseconds)
        for kind in kinds.indices { sums.kinds[kind] = atLeastZero(kinds[kind]) }
        return sums
    }

    /// Cuts to as many evaluations and their time: more cannot have been wasted.
    mutating func limit(to evaluations: UInt64, _ time: UInt64) {
        nanoseconds = min(nanoseconds, time)
        measured = min(measured, evaluations)
        inferred = min(inferred, evaluations - measured)
        var rest = count
        for kind in kinds.indices {
            kinds[kind] = min(kinds[kind], rest)
            rest -= kinds[kind]
        }
    }

    static func &+ (left: WasteSums, right: WasteSums) -> WasteSums { left.merged(right) { $0 &+ $1 } }
    static func &- (left: WasteSums, right: WasteSums) -> WasteSums { left.merged(right) { $0 &- $1 } }

    static func == (left: WasteSums, right: WasteSums) -> Bool {
        left.measured == right.measured && left.inferred == right.inferred && left.nanoseconds == right.nanoseconds
            && left.kinds.indices.allSatisfy { left.kinds[$0] == right.kinds[$0] }
    }

    private func merged(_ other: WasteSums, _ operation: (UInt64, UInt64) -> UInt64) -> WasteSums {
        var sums = WasteSums()
        sums.measured = operation(measured, other.measured)
        sums.inferred = operation(inferred, other.inferred)
        sums.nanoseconds = operation(nanoseconds, other.nanoseconds)
        for kind in kinds.indices { sums.kinds[kind] = operation(kinds[kind], other.kinds[kind]) }
        return sums
    }
}

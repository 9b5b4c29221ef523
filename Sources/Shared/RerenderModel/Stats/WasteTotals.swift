// SPDX-License-Identifier: MIT
// A view's waste as it is counted and as it travels: a fixed number of integers.

/// A ``Waste`` without its sums, which follow from the kinds.
package struct WasteTotals: Hashable, Sendable, BitwiseCopyable {
    /// Evaluations of which it is not known whether they were needed.
    package var unjudged: UInt64 = 0
    private var sameOutput = KindTotals()
    private var sameValue = KindTotals()
    private var newIdentity = KindTotals()
    private var closureIdentity = KindTotals()
    private var parentOnly = KindTotals()
    private var twiceInATurn = KindTotals()
    private var sameInputs = KindTotals()

    package init() {}

    /// The count of one kind.
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

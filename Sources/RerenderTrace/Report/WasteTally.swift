// SPDX-License-Identifier: MIT
// Wasted evaluations of one view: counted as they end, and put right by what a commit says.

internal import RerenderModel

/// Sums of a view's wasted evaluations.
struct WasteTally: Sendable {
    private var measured: UInt64 = 0
    private var inferred: UInt64 = 0
    private var nanoseconds: UInt64 = 0
    private var kinds = InlineArray<6, UInt64>(repeating: 0)
    private var kindNanoseconds = InlineArray<6, UInt64>(repeating: 0)
    /// Whether a commit has overruled evaluations: then the time of each kind is not known any more.
    private var isOverruled = false

    @inline(__always)
    mutating func record(_ event: EvaluationEnded) {
        guard event.waste != .none else { return }
        if event.waste == .measured { measured += 1 } else { inferred += 1 }
        nanoseconds &+= event.bodyNanoseconds
        guard (1...6).contains(event.wasteKind) else { return }
        kinds[Int(event.wasteKind) - 1] += 1
        kindNanoseconds[Int(event.wasteKind) - 1] &+= event.bodyNanoseconds
    }

    mutating func replace(by change: ViewChanged) {
        var count: UInt64 = 0
        var isSame = nanoseconds == change.wastedNanoseconds
        for kind in kinds.indices {
            let number = UInt64(change.wastedKinds[kind])
            if kinds[kind] != number { isSame = false }
            kinds[kind] = number
            count += number
        }
        if !isSame { isOverruled = true }
        measured = min(change.wastedMeasured, count)
        inferred = count - measured
        nanoseconds = change.wastedNanoseconds
    }

    var waste: Waste {
        var waste = Waste()
        waste.measured = measured
        waste.inferred = inferred
        waste.count = measured + inferred
        waste.nanoseconds = nanoseconds
        for (index, kind) in WasteKind.allCases.enumerated() where kinds[index] > 0 {
            waste.kinds[kind] = kinds[index]
            // All of it where there is one kind only.
            let time = kinds[index] == waste.count ? nanoseconds : isOverruled ? 0 : kindNanoseconds[index]
            if time > 0 { waste.kindNanoseconds[kind] = time }
        }
        return waste
    }
}

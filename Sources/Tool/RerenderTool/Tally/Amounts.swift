// SPDX-License-Identifier: MIT
// The three numbers that a check and a comparison are about.

import RerenderModel

/// Evaluations, wasted evaluations and hangs.
struct Amounts: Hashable, Sendable {
    var evaluations: UInt64 = 0
    var wasted: UInt64 = 0
    var hangs: UInt64 = 0

    subscript(measure: Measure) -> UInt64 {
        switch measure {
        case .evaluations: evaluations
        case .wasted: wasted
        case .hangs: hangs
        }
    }

    /// Adds others; what does not fit stays at the largest number, because a file may say anything.
    mutating func add(_ other: Amounts) {
        evaluations = evaluations.clampedSum(other.evaluations)
        wasted = wasted.clampedSum(other.wasted)
        hangs = hangs.clampedSum(other.hangs)
    }

    /// "5 evaluations, 3 wasted, no hangs".
    var text: String {
        "\(Measure.evaluations.text(evaluations)), \(wasted == 0 ? "none" : Counted.grouped(wasted)) wasted, "
            + Measure.hangs.text(hangs)
    }
}

extension UInt64 {
    /// The sum, or the largest number where it does not fit.
    func clampedSum(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

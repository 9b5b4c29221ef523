// SPDX-License-Identifier: MIT
// The three counts that checks and comparisons use.

import RerenderShow

/// What is counted and limited.
enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    case evaluations
    case wasted
    case hangs

    /// "5 evaluations", "1 wasted evaluation", "no hangs".
    package func text(_ count: UInt64) -> String {
        let noun =
            switch self {
            case .evaluations: "evaluation"
            case .wasted: "wasted evaluation"
            case .hangs: "hang"
            }
        return count == 0 ? "no \(noun)s" : Counted.text(count, noun)
    }
}

/// Evaluations, wasted evaluations and hangs.
package struct Amounts: Hashable, Encodable, Sendable {
    var evaluations: UInt64 = 0
    var wasted: UInt64 = 0
    /// The part of ``wasted`` that is inferred from inputs, and not measured.
    var inferred: UInt64 = 0
    /// Hangs in which the machine ran the app.
    var hangs: UInt64 = 0
    /// The others: no budget is for these, and no comparison.
    var starvedHangs: UInt64 = 0

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
        inferred = inferred.clampedSum(other.inferred)
        hangs = hangs.clampedSum(other.hangs)
        starvedHangs = starvedHangs.clampedSum(other.starvedHangs)
    }

    /// The same without what no budget is for.
    var compared: Amounts {
        var amounts = self
        amounts.starvedHangs = 0
        return amounts
    }

    /// "5 evaluations, 3 wasted, no hangs"; "5 evaluations, 3 wasted and ~1 inferred, no hangs (1 more in which …)".
    package var text: String {
        "\(Measure.evaluations.text(evaluations)), \(wastedText), \(Measure.hangs.text(hangs))"
            + (starvedHangs == 0
                ? "" : " (\(Counted.grouped(starvedHangs)) more in which the machine did not run the app)")
    }

    private var wastedText: String {
        let measured = wasted - min(inferred, wasted)
        guard inferred > 0 else { return "\(wasted == 0 ? "none" : Counted.grouped(wasted)) wasted" }
        return
            "\(measured == 0 ? "none" : Counted.grouped(measured)) wasted and ~\(Counted.grouped(inferred)) inferred"
    }
}

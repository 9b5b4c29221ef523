// SPDX-License-Identifier: MIT
// The three counts that checks and comparisons use, and the causes of evaluations.

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

/// A reason of a view with its writer.
package struct Cause: Hashable, Encodable, Sendable {
    let reason: String
    /// Whether comparing values found it.
    let isGuess: Bool
    let count: UInt64
    /// The ancestors down to the first cause, where a parent is the reason.
    let chain: String?
    /// The most frequent writer of the cause; nil if unknown.
    let writer: String?

    /// "4 model.text, written by FormModel.text.setter Form.swift:20"; "4 ~text" where that is a guess.
    package var text: String {
        let sign = isGuess ? "~" : ""
        return "\(Counted.grouped(count)) \(sign)\(Printable.text(reason))\(Self.origin(chain: chain, writer: writer))"
    }

    /// ", began with …, written by …", as far as it is known.
    static func origin(chain: String?, writer: String?) -> String {
        let began = chain.map { ", began with \(Printable.text($0))" } ?? ""
        return began + (writer.map { ", written by \(Printable.text($0))" } ?? "")
    }
}

extension Tally {
    /// The most causes that are named for a view.
    static let namedCauses = 3

    /// Why a view was evaluated, the main reason first.
    package func causes(of view: KeyTally) -> [Cause] { view.reasons.map { cause($0) } }

    /// A reason with who wrote what caused it: for a parent's evaluation the writer of what the chain began with.
    func cause(_ reason: ReasonCount) -> Cause {
        let chain = reason.chains.first
        let writer =
            reason.namedWriter
            ?? chain?.origin.flatMap { views[$0.view]?.reason($0.reason)?.namedWriter }
        return Cause(
            reason: reason.reason, isGuess: reason.isGuess, count: reason.count, chain: chain?.chain,
            writer: writer?.writer)
    }
}

// SPDX-License-Identifier: MIT
// A check for machines.

import FoundationEssentials
import RerenderModel
import RerenderToolBase

/// The document that `check --json` prints; more fields may be added within version 1.
struct CheckJSON: Encodable, Sendable {
    let version = 1
    let budget: String
    let holds: Bool
    let exact: Bool
    let gaps: [String]
    let total: AmountsJSON
    let exceeded: [Exceeded]
    let unknown: [ViewJSON]
    let absent: [String]
    let advice: [Advice]
    let slack: [Limit]

    /// A limit and what was counted.
    struct Limit: Encodable, Sendable {
        /// The line of the budget; absent for the total.
        let line: String?
        let measure: Measure
        let most: UInt64
        let counted: UInt64

        init(_ verdict: BudgetCheck.Verdict) {
            line = if case .line(let pattern) = verdict.scope { pattern.text } else { nil }
            (measure, most, counted) = (verdict.measure, verdict.most, verdict.counted)
        }
    }

    /// A limit that does not hold, with the views that are over it, most first.
    struct Exceeded: Encodable, Sendable {
        let limit: Limit
        let excess: UInt64
        let views: [ViewJSON]
    }

    /// A time that is longer than advised.
    package struct Advice: Encodable, Sendable {
        let line: String
        let key: String
        let advisedNanoseconds: UInt64
        let bodyP95Nanoseconds: UInt64
    }

    init(_ check: BudgetCheck, budget: String) {
        self.budget = budget
        holds = check.holds
        exact = check.isExact
        gaps = check.gaps
        total = AmountsJSON(check.tally.amounts)
        exceeded = check.exceeded.map { verdict in
            let views = verdict.views.prefix(CheckSentences.listedNames)
            return Exceeded(
                limit: Limit(verdict), excess: verdict.excess, views: views.map { ViewJSON($0, in: check.tally) })
        }
        unknown = check.unknown.map { ViewJSON($0, in: check.tally) }
        absent = check.absent.map(\.text)
        advice = check.advice.map {
            Advice(
                line: $0.pattern.text, key: $0.view.key.rawValue, advisedNanoseconds: $0.advisedNanoseconds,
                bodyP95Nanoseconds: $0.view.bodyP95Nanoseconds)
        }
        slack = check.slack.map(Limit.init)
    }

    /// The text, a line end last.
    package func text() throws -> String {
        String(decoding: try StatsExport.encoder().encode(self), as: UTF8.self) + "\n"
    }
}

/// Evaluations, wasted evaluations and hangs in JSON.
package struct AmountsJSON: Encodable, Sendable {
    let evaluations: UInt64
    let wasted: UInt64
    let hangs: UInt64

    init(_ amounts: Amounts) {
        (evaluations, wasted, hangs) = (amounts.evaluations, amounts.wasted, amounts.hangs)
    }
}

/// A view in JSON, with its reasons and their writers.
struct ViewJSON: Encodable, Sendable {
    let key: String
    let place: String
    let amounts: AmountsJSON
    let reasons: [ReasonJSON]

    /// A reason; `chain` and `writer` are absent where they are not known.
    struct ReasonJSON: Encodable, Sendable {
        let reason: String
        let count: UInt64
        let chain: String?
        let writer: String?

        init(_ cause: Cause) {
            (reason, count, chain, writer) = (cause.reason, cause.count, cause.chain, cause.writer)
        }
    }

    init(_ view: KeyTally, in tally: Tally) {
        key = view.key.rawValue
        place = view.place
        amounts = AmountsJSON(view.amounts)
        reasons = tally.causes(of: view).map(ReasonJSON.init)
    }
}

// SPDX-License-Identifier: MIT
// The JSON document of a check.

import RerenderShow

/// The document that `check --json` prints; more fields may be added within version 1.
struct CheckJSON: Encodable, Sendable {
    let version = 1
    let budget: String
    let holds: Bool
    let exact: Bool
    let gaps: [String]
    let total: Amounts
    let exceeded: [Exceeded]
    let unknown: [View]
    let absent: [String]
    let advice: [Advice]
    let slack: [Limit]
    let verdict: Verdict?

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

    /// An exceeded limit with the views that count for it, most first.
    struct Exceeded: Encodable, Sendable {
        let limit: Limit
        let excess: UInt64
        let views: [View]
    }

    /// A time that is longer than advised.
    struct Advice: Encodable, Sendable {
        let line: String
        let key: String
        let advisedNanoseconds: UInt64
        let bodyP95Nanoseconds: UInt64
    }

    /// A view with its reasons and their writers.
    struct View: Encodable, Sendable {
        let key: String
        let place: String
        let amounts: Amounts
        let reasons: [Cause]

        init(_ view: KeyTally, in tally: Tally) {
            (key, place, amounts) = (view.key.rawValue, view.place, view.amounts)
            reasons = tally.causes(of: view)
        }
    }

    init(_ check: BudgetCheck, budget: String) {
        func views(_ views: some Sequence<KeyTally>) -> [View] { views.map { View($0, in: check.tally) } }
        (self.budget, holds, exact, gaps) = (budget, check.holds, check.isExact, check.gaps)
        total = check.tally.amounts
        exceeded = check.exceeded.map {
            Exceeded(
                limit: Limit($0), excess: $0.excess, views: views($0.views.prefix(CheckResult.listedNames)))
        }
        unknown = views(check.unknown)
        absent = check.absent.map(\.text)
        advice = check.advice.map {
            Advice(
                line: $0.pattern.text, key: $0.view.key.rawValue, advisedNanoseconds: $0.advisedNanoseconds,
                bodyP95Nanoseconds: $0.view.bodyP95Nanoseconds)
        }
        slack = check.slack.map(Limit.init)
        verdict = check.tally.verdict
    }
}

// SPDX-License-Identifier: MIT
// A check as JSON, as Markdown for a pull request, as JUnit, and as annotations.

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
    let faults: [FoundFault]
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
            Exceeded(limit: Limit($0), excess: $0.excess, views: views($0.views))
        }
        faults = check.faults
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

/// The Markdown that `check --markdown` writes.
extension CheckResult {
    package var markdownLines: [Markdown] {
        let mark = check.holds ? "✅" : "❌"
        return ["### \(mark) Render budget \(.code(budget))", "", Markdown(summary), ""]
            + Markdown.gaps(check.gaps.prefix(Self.listedNames)) + markdownLimits
            + folded("Faults", check.faults.flatMap { [$0.text] + $0.findings })
            + folded("Not in the budget", check.unknown.map(unknown))
            + folded("Never evaluated", check.absent.map(absent))
            + folded("Slower than recommended", check.advice.map(advice))
            + folded("Costs most", costs)
            + folded("Below the limit", check.slack.map(slack))
    }

    private var markdownLimits: [Markdown] {
        let shown = check.exceeded.prefix(Self.listedNames)
        guard !shown.isEmpty else { return [] }
        let rows: [[Markdown]] = shown.map { verdict in
            let name: Markdown = verdict.scope == .total ? "**in total**" : .code(verdict.scope.displayName)
            return [
                name, Markdown(verdict.measure.rawValue), Markdown(verdict.measure.number(verdict.counted)),
                Markdown(verdict.measure.number(verdict.most)), "+\(verdict.measure.number(verdict.excess))",
            ]
        }
        let details = shown.flatMap { verdict -> [Markdown] in
            let finding = exceeded(verdict)
            return ["- \(finding.headline)"]
                + finding.details.map { detail in
                    Array(repeating: "  ", count: detail.level + 1).joined(separator: "") + "- \(detail.text)"
                }
        }
        let rest = check.exceeded.count - shown.count
        return Markdown.table(["view", "measure", "counted", "allowed", "excess"], rows, isNumeric: true)
            + (rest > 0 ? ["", Markdown(Counted.rest(rest, "exceeded limit", see: "--json"))] : []) + [""]
            + Markdown.folded("Reasons and writers", details)
    }

    private func folded(_ title: String, _ texts: [String]) -> [Markdown] {
        guard !texts.isEmpty else { return [] }
        return Markdown.folded("\(title) (\(texts.count))", Markdown.items(Self.listed(texts)))
    }
}

/// The JUnit document of a check.
extension CheckResult {
    package var junit: JUnitXML {
        var document = JUnitXML(suite: "rerenderctl check " + budget, cases: [.exactness(check.gaps)], output: costs)
        document.cases += check.verdicts.map { verdict in
            JUnitXML.Case(
                group: verdict.scope.displayName, name: "\(verdict.measure.rawValue) at most \(verdict.most)",
                outcome: outcome(verdict))
        }
        document.cases += check.faults.map { found in
            let finding = fault(found)
            return JUnitXML.Case(
                group: "faults", name: found.kind.rawValue,
                outcome: .failed(message: finding.headline, details: finding.details.map(\.indented)))
        }
        if check.isStrict {
            let new = check.unknown.map { ($0.key.shown, "is in the budget", unknown($0)) }
            let unused = check.absent.map { ($0.displayName, "is evaluated", absent($0)) }
            document.cases += (new + unused).map { group, name, message in
                JUnitXML.Case(group: group, name: name, outcome: .failed(message: message, details: []))
            }
        }
        return document
    }

    private func outcome(_ verdict: BudgetCheck.Verdict) -> JUnitXML.Outcome {
        if verdict.isExceeded {
            let finding = exceeded(verdict)
            return .failed(message: finding.headline, details: finding.details.map(\.indented))
        }
        if case .line(let pattern) = verdict.scope, check.absent.contains(pattern) {
            return .skipped(absent(pattern))
        }
        return .passed
    }
}

/// The annotations of a check.
extension CheckResult {
    package var annotations: [Annotation] {
        let gaps = check.gaps.map { Annotation(.error, .notExact, Printable.text($0)) }
        let over = check.exceeded.map { verdict in
            let finding = exceeded(verdict)
            let lines = [finding.headline] + finding.details.map(\.indented)
            let place = verdict.views.count == 1 ? verdict.views[0].place : ""
            return Annotation(.error, .overBudget, lines.joined(separator: "\n"), place: place)
        }
        let failing = Set(check.faults.map(\.kind))
        let marked = (check.tally.verdict?.findings ?? []).filter(\.kind.isMarked).map { finding -> Annotation in
            let isFailing = failing.contains(finding.kind)
            return Annotation(
                isFailing ? .error : .warning, isFailing ? .fault : .costsMost, finding.readable, file: finding.file,
                line: finding.line ?? 0)
        }
        // One that is named by none of the findings has no place.
        let unnamed = check.faults.filter(\.findings.isEmpty).map { Annotation(.error, .fault, $0.text) }
        let unknown = check.isStrict ? check.unknown : []
        let absent = check.isStrict ? check.absent : []
        return gaps + over
            + unknown.map { Annotation(.error, .notInBudget, self.unknown($0), place: $0.place) }
            + absent.map { Annotation(.error, .neverEvaluated, self.absent($0)) }
            + check.advice.map { Annotation(.warning, .slowBody, advice($0), place: $0.view.place) }
            + unnamed + marked
    }
}

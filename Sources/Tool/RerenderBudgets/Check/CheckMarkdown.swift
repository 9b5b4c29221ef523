// SPDX-License-Identifier: MIT
// A check as Markdown for a pull request.

import RerenderToolBase

/// The Markdown that `check --markdown` writes.
struct CheckMarkdown: Sendable {
    let check: BudgetCheck
    let budget: String

    /// The document, a line end last.
    package var text: String {
        (title + Markdown.gaps(check.gaps.prefix(CheckSentences.listedNames)) + exceeded + remarks).map { $0 + "\n" }
            .joined()
    }

    private var words: CheckSentences { CheckSentences(check: check) }

    private var title: [String] {
        let mark = check.holds ? "✅" : "❌"
        return ["### \(mark) Render budget \(Markdown.code(budget))", "", Markdown.escaped(words.summary), ""]
    }

    private var exceeded: [String] {
        let shown = check.exceeded.prefix(CheckSentences.listedNames)
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { verdict in
            let name = verdict.scope == .total ? "**in total**" : Markdown.code(verdict.scope.displayName)
            return [
                name, verdict.measure.rawValue, Counted.grouped(verdict.counted), Counted.grouped(verdict.most),
                "+\(Counted.grouped(verdict.excess))",
            ]
        }
        let details = shown.flatMap { verdict -> [String] in
            let finding = words.exceeded(verdict)
            return ["- \(Markdown.escaped(finding.headline))"]
                + finding.details.map {
                    String(repeating: "  ", count: $0.level + 1) + "- \(Markdown.escaped($0.text))"
                }
        }
        let rest = check.exceeded.count - shown.count
        return Markdown.table(["view", "measure", "counted", "allowed", "excess"], rows, isNumeric: true)
            + (rest > 0 ? ["", "and \(Counted.text(rest, "more limit")) exceeded"] : []) + [""]
            + Markdown.folded("Reasons and writers", details)
    }

    private var remarks: [String] {
        list("Not in the budget", check.unknown.map(words.unknown))
            + list("Never evaluated", check.absent.map(words.absent))
            + list("Slower than recommended", check.advice.map(words.advice))
            + list("Below the limit", check.slack.map(words.slack))
    }

    private func list(_ title: String, _ texts: [String]) -> [String] {
        guard !texts.isEmpty else { return [] }
        let shown = texts.prefix(CheckSentences.listedNames).map { "- \(Markdown.escaped($0))" }
        let rest = texts.count - shown.count
        return Markdown.folded("\(title) (\(texts.count))", shown + (rest > 0 ? ["- and \(rest) more"] : []))
    }
}

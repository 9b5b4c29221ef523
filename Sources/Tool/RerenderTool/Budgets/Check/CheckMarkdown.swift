// SPDX-License-Identifier: MIT
// A check as Markdown for a pull request.

import RerenderShow

/// The Markdown that `check --markdown` writes.
extension CheckResult {
    package var markdownLines: [Markdown] {
        let mark = check.holds ? "✅" : "❌"
        return ["### \(mark) Render budget \(.code(budget))", "", Markdown(summary), ""]
            + Markdown.gaps(check.gaps.prefix(Self.listedNames)) + markdownLimits
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
                name, Markdown(verdict.measure.rawValue), Markdown(Counted.grouped(verdict.counted)),
                Markdown(Counted.grouped(verdict.most)), "+\(Counted.grouped(verdict.excess))",
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
            + (rest > 0 ? ["", "and \(Counted.text(rest, "more limit")) exceeded"] : []) + [""]
            + Markdown.folded("Reasons and writers", details)
    }

    private func folded(_ title: String, _ texts: [String]) -> [Markdown] {
        guard !texts.isEmpty else { return [] }
        return Markdown.folded("\(title) (\(texts.count))", Markdown.items(Self.listed(texts)))
    }
}

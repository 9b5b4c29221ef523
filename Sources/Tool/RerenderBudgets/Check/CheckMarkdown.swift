// SPDX-License-Identifier: MIT
// A check as Markdown for a pull request.

import RerenderToolBase

/// The Markdown that `check --markdown` writes.
extension CheckResult {
    package var markdownLines: [String] {
        let mark = check.holds ? "✅" : "❌"
        return ["### \(mark) Render budget \(Markdown.code(budget))", "", Markdown.escaped(summary), ""]
            + Markdown.gaps(check.gaps.prefix(Self.listedNames)) + markdownLimits
            + folded("Not in the budget", check.unknown.map(unknown))
            + folded("Never evaluated", check.absent.map(absent))
            + folded("Slower than recommended", check.advice.map(advice))
            + folded("Costs most", costs)
            + folded("Below the limit", check.slack.map(slack))
    }

    private var markdownLimits: [String] {
        let shown = check.exceeded.prefix(Self.listedNames)
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { verdict in
            let name = verdict.scope == .total ? "**in total**" : Markdown.code(verdict.scope.displayName)
            return [
                name, verdict.measure.rawValue, Counted.grouped(verdict.counted), Counted.grouped(verdict.most),
                "+\(Counted.grouped(verdict.excess))",
            ]
        }
        let details = shown.flatMap { verdict -> [String] in
            let finding = exceeded(verdict)
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

    private func folded(_ title: String, _ texts: [String]) -> [String] {
        guard !texts.isEmpty else { return [] }
        return Markdown.folded("\(title) (\(texts.count))", Self.listed(texts).map { "- \(Markdown.escaped($0))" })
    }
}

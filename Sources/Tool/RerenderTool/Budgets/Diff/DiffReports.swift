// SPDX-License-Identifier: MIT
// A comparison as Markdown, as JUnit and as annotations.

import RerenderShow

/// The Markdown that `diff --markdown` writes, its JUnit document and its annotations.
extension DiffResult {
    package var markdownLines: [Markdown] {
        let mark = diff.isIncreased ? "❌" : diff.isExact ? "✅" : "⚠️"
        let hangs = hangsOfNoView.flatMap { ["- \($0)", ""] as [Markdown] }
        return ["### \(mark) Render comparison", "", Markdown(summary), ""] + Markdown.gaps(diff.gaps)
            + markdownTable + hangs + markdownDetails
            + (costs.isEmpty
                ? [] : Markdown.folded("Costs most (\(costs.count))", Markdown.items(costs)))
    }

    private var shown: [ExportDiff.Change] { Array(diff.changes.prefix(Self.listedViews)) }

    private var markdownTable: [Markdown] {
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { change in
            [Markdown.code(change.key.shown), Markdown(change.kind.rawValue)]
                + Measure.allCases.map { Self.cell(change.old[$0], change.new[$0]) }
        }
        let rest = diff.changes.count - shown.count
        return Markdown.table(["view", "", "evaluations", "wasted", "hangs"], rows, isNumeric: false)
            + (rest > 0 ? ["", "and \(Counted.text(rest, "more view"))"] : []) + [""]
    }

    private var markdownDetails: [Markdown] {
        let lines = shown.filter { !$0.reasons.isEmpty }.flatMap { change -> [Markdown] in
            ["- \(.code(change.key.shown))"] + details(change).map { "  - \($0)" }
        }
        return lines.isEmpty ? [] : Markdown.folded("Reasons and writers", lines)
    }

    private static func cell(_ old: UInt64, _ new: UInt64) -> Markdown {
        old == new ? Markdown(Counted.grouped(new)) : "\(Counted.grouped(old)) → \(Counted.grouped(new))"
    }

    /// A case for each view that differs, which fails where it has more of something.
    package var junit: JUnitXML {
        var document = JUnitXML(suite: "rerenderctl diff \(old) \(new)", cases: [.exactness(diff.gaps)], output: costs)
        document.cases += diff.changes.map { change in
            let isMore = change.kind == .new || change.kind == .more
            return JUnitXML.Case(
                group: change.key.shown, name: "costs no more than before",
                outcome: isMore ? .failed(message: headline(change), details: details(change)) : .passed)
        }
        document.cases += hangsOfNoView.map { hangs in
            let isMore = diff.hangsOfNoView.new > diff.hangsOfNoView.old
            return JUnitXML.Case(
                group: "rerender", name: "no more hangs without a view",
                outcome: isMore ? .failed(message: hangs, details: []) : .passed)
        }
        return document
    }

    /// What costs more than before, where it does; an increase is a fault only where `--fail-on-increase` says so.
    package var annotations: [Annotation] {
        diff.gaps.map { Annotation(.error, .notExact, Printable.text($0)) }
            + diff.increased.map { change in
                let lines = [headline(change)] + details(change)
                return Annotation(.warning, .costsMore, lines.joined(separator: "\n"), place: change.place)
            }
    }
}

// SPDX-License-Identifier: MIT
// A comparison as Markdown and as JUnit.

import RerenderToolBase

/// The Markdown that `diff --markdown` writes.
package struct DiffMarkdown: Sendable {
    package let diff: ExportDiff

    /// The document, a line end last.
    package var text: String {
        let words = DiffSentences(diff: diff)
        let mark = diff.isIncreased ? "❌" : diff.isExact ? "✅" : "⚠️"
        let title = ["### \(mark) Render comparison", "", Markdown.escaped(words.summary), ""]
        let hangs = words.hangsOfNoView.map { ["- \(Markdown.escaped($0))", ""] } ?? []
        return (title + Markdown.gaps(diff.gaps) + table + hangs + details(words)).map { $0 + "\n" }.joined()
    }

    private var shown: [ExportDiff.Change] { Array(diff.changes.prefix(DiffSentences.listedViews)) }

    private var table: [String] {
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { change in
            [Markdown.code(change.key.shown), change.kind.rawValue]
                + Measure.allCases.map { Self.cell(change.old[$0], change.new[$0]) }
        }
        let rest = diff.changes.count - shown.count
        return Markdown.table(["view", "", "evaluations", "wasted", "hangs"], rows, isNumeric: false)
            + (rest > 0 ? ["", "and \(Counted.text(rest, "more view"))"] : []) + [""]
    }

    private func details(_ words: DiffSentences) -> [String] {
        let lines = shown.filter { !$0.reasons.isEmpty }.flatMap { change in
            ["- \(Markdown.code(change.key.shown))"] + words.details(change).map { "  - \(Markdown.escaped($0))" }
        }
        return lines.isEmpty ? [] : Markdown.folded("Reasons and writers", lines)
    }

    private static func cell(_ old: UInt64, _ new: UInt64) -> String {
        old == new ? Counted.grouped(new) : "\(Counted.grouped(old)) → \(Counted.grouped(new))"
    }
}

/// The JUnit document of a comparison: a case for each view that differs, which fails where it has more of something.
package enum DiffJUnit {
    package static func document(_ diff: ExportDiff, old: String, new: String) -> JUnitXML {
        let words = DiffSentences(diff: diff)
        var document = JUnitXML(suite: "rerenderctl diff \(old) \(new)")
        document.cases = [.exactness(diff.gaps)]
        document.cases += diff.changes.map { change in
            let isMore = change.kind == .new || change.kind == .more
            return JUnitXML.Case(
                group: change.key.shown, name: "costs no more than before",
                outcome: isMore
                    ? .failed(message: words.headline(change), details: words.details(change)) : .passed)
        }
        if let hangs = words.hangsOfNoView {
            let isMore = diff.hangsOfNoView.new > diff.hangsOfNoView.old
            document.cases.append(
                JUnitXML.Case(
                    group: "rerender", name: "no more hangs without a view",
                    outcome: isMore ? .failed(message: hangs, details: []) : .passed))
        }
        return document
    }
}

// SPDX-License-Identifier: MIT
// A comparison for people.

import RerenderToolBase

/// The lines that `diff` shows.
package struct DiffText: Sendable {
    package let diff: ExportDiff

    /// The lines, broken to fit `width` columns.
    package func lines(width: Int, colours: Bool) -> [String] {
        let words = DiffSentences(diff: diff)
        let gaps = diff.gaps.map { StyledLine(text: "GAP    \(words.gap($0))", style: .bad) }
        let changes = ExportDiff.Kind.allCases.flatMap { kind in lines(kind, words) }
        let hangs = [words.hangsOfNoView].compactMap(\.self).map { StyledLine(text: "hangs  \($0)", style: .notice) }
        return (gaps + changes + hangs + [StyledLine(text: words.summary)]).flatMap { line in
            Wrap.text(line.text, width: width, cutting: false).map { line.style.apply($0, colours: colours) }
        }
    }

    private func lines(_ kind: ExportDiff.Kind, _ words: DiffSentences) -> [StyledLine] {
        let changes = diff.changes.filter { $0.kind == kind }
        let shown = changes.prefix(DiffSentences.listedViews).flatMap { change in
            [StyledLine(text: Self.margin(kind) + words.headline(change), style: Self.style(kind))]
                + words.details(change).map { StyledLine(text: "         \($0)") }
        }
        let rest = changes.count - DiffSentences.listedViews
        return shown + (rest > 0 ? [StyledLine(text: Self.margin(kind) + "and \(rest) more views")] : [])
    }

    private static func margin(_ kind: ExportDiff.Kind) -> String {
        switch kind {
        case .new: "new    "
        case .more: "more   "
        case .fewer: "fewer  "
        case .gone: "gone   "
        case .otherReasons: "why    "
        }
    }

    private static func style(_ kind: ExportDiff.Kind) -> Style {
        switch kind {
        case .new, .more: .bad
        case .fewer, .gone: .good
        case .otherReasons: .notice
        }
    }
}

// SPDX-License-Identifier: MIT
// The text of a comparison.

import RerenderToolBase

/// The lines that `diff` shows.
package struct DiffText: Sendable {
    package let diff: ExportDiff

    /// The views by kind of change, then the summary.
    var lines: [StyledLine] {
        let words = DiffSentences(diff: diff)
        let changes = ExportDiff.Kind.allCases.flatMap { kind in lines(kind, words) }
        let hangs = [words.hangsOfNoView].compactMap(\.self).map { StyledLine(text: "hangs  \($0)", style: .notice) }
        return StyledLine.gaps(diff.gaps) + changes + hangs + [StyledLine(text: words.summary)]
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
        Fit.pad(kind == .otherReasons ? "why" : kind.rawValue, 7, toTheRight: false)
    }

    private static func style(_ kind: ExportDiff.Kind) -> Style {
        switch kind {
        case .new, .more: .bad
        case .fewer, .gone: .good
        case .otherReasons: .notice
        }
    }
}

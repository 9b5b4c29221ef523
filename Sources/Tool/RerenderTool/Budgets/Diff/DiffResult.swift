// SPDX-License-Identifier: MIT
// The result of `rerenderctl diff`; each form that it can be written in is an extension.

package import RerenderShow

/// A comparison in all its forms.
package struct DiffResult: ResultDocument {
    let diff: ExportDiff
    /// The paths of the exports.
    let old: String
    let new: String

    package init(diff: ExportDiff, old: String, new: String) {
        (self.diff, self.old, self.new) = (diff, old, new)
    }

    /// The most views that are shown of a kind.
    static let listedViews = 50
    /// The most reasons that are shown of a view.
    static let listedReasons = 5

    package var gaps: [String] { diff.gaps }
    package var jsonDocument: some Encodable { DiffJSON(diff) }

    /// The views by kind of change, then the summary.
    package var styledLines: [StyledLine] {
        let changes = ExportDiff.Kind.allCases.flatMap(lines)
        let hangs = hangsOfNoView.map { StyledLine(text: "hangs  \($0)", style: .notice) }
        let costs = costs.map { StyledLine(text: "costs  \($0)", style: .notice) }
        return StyledLine.gaps(diff.gaps) + changes + hangs + costs + [StyledLine(text: summary)]
    }

    private func lines(_ kind: ExportDiff.Kind) -> [StyledLine] {
        let changes = diff.changes.filter { $0.kind == kind }
        let margin = Fit.pad(kind == .otherReasons ? "why" : kind.rawValue, 7, toTheRight: false)
        let style: Style =
            switch kind {
            case .new, .more: .bad
            case .fewer, .gone: .good
            case .otherReasons: .notice
            }
        let shown = changes.prefix(Self.listedViews).flatMap { change in
            [StyledLine(text: margin + headline(change), style: style)]
                + details(change).map { StyledLine(text: "         \($0)") }
        }
        let rest = changes.count - Self.listedViews
        return shown + (rest > 0 ? [StyledLine(text: margin + "and \(rest) more views")] : [])
    }
}

// SPDX-License-Identifier: MIT
// Draws the rows of the screen and their titles.

import RerenderPresentation
import RerenderToolBase

/// Draws a table of some rows.
struct TopTable {
    private struct Fitted {
        let column: TopColumn
        /// Which of the row's cells it shows.
        let number: Int
        let start: Int
        let width: Int
    }

    /// Columns before the first: what is selected, and what needs attention.
    static let margin = 2

    private let columns: [Fitted]
    private let width: Int

    /// Chooses the columns for a width by the rows that they will show.
    init(_ columns: [TopColumn], _ rows: [TopItem], width: Int) {
        self.width = width
        let layouts = columns.indices.map { Self.layout(columns[$0], $0, rows) }
        let widths = ColumnLayout.widths(layouts, total: max(1, width - Self.margin))
        var fitted: [Fitted] = []
        var start = Self.margin
        for (number, width) in widths.enumerated() {
            guard let width else { continue }
            fitted.append(Fitted(column: columns[number], number: number, start: start, width: width))
            start += width + ColumnLayout.gap
        }
        self.columns = fitted
    }

    private static func layout(_ column: TopColumn, _ number: Int, _ rows: [TopItem]) -> ColumnLayout.Column {
        // One more for the sign of the order.
        var natural = column.title.count + (column.isSorted ? 1 : 0)
        for row in rows {
            natural = max(
                natural, DisplayWidth.of(row.cells[number].text) + DisplayWidth.of(row.cells[number].supplement))
        }
        return column.layout(natural: natural)
    }

    /// The titles, and where a click on one sorts.
    var titles: (line: TopLine, targets: [(columns: Range<Int>, target: TopTarget)]) {
        var line = TopLine(width)
        var targets: [(columns: Range<Int>, target: TopTarget)] = []
        // The most telling one alone, where two columns show the order: the time rather than the share.
        let last = columns.last { !$0.column.sign.isEmpty }?.number
        for fitted in columns {
            let isOrder = fitted.number == last
            line.pad(to: fitted.start)
            let title = fitted.column.title + (isOrder ? fitted.column.sign : "")
            line.add(
                Fit.pad(Fit.end(title, fitted.width), fitted.width, toTheRight: fitted.column.isNumber),
                isOrder ? .bold : .dim)
            if let target = fitted.column.target {
                targets.append((fitted.start..<fitted.start + fitted.width, target))
            }
        }
        return (line, targets)
    }

    /// A row: `>` before the selected one, `!` before one that needs attention; one that is fine is dim.
    func line(_ row: TopItem, isSelected: Bool) -> TopLine {
        var line = TopLine(width)
        line.add(isSelected ? ">" : " ", .bold)
        line.add(row.mark == nil ? " " : "!", row.mark ?? .plain)
        for fitted in columns {
            line.pad(to: fitted.start)
            let cell = row.cells[fitted.number]
            let text = WhyText.fitted(cell.text, cell.supplement, fitted.width)
            let blanks = String(repeating: " ", count: max(0, fitted.width - DisplayWidth.of(text)))
            if fitted.column.isNumber { line.add(blanks) }
            if let pieces = cell.pieces, row.mark != nil, text == cell.text {
                line.add(pieces)
            } else {
                line.add(text, row.mark == nil ? .dim : cell.style)
            }
            if !fitted.column.isNumber { line.add(blanks) }
        }
        guard isSelected else { return line }
        // The whole line in reverse, so that the selection shows without colours, too.
        line.pad(to: width)
        return line.styled(.reverse)
    }
}

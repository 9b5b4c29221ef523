// SPDX-License-Identifier: MIT
// The rows of the screen and their titles.

import RerenderPresentation
import RerenderToolBase

/// Draws the live table of some rows.
struct TopTable: Sendable {
    private struct Fitted {
        let column: TopColumn
        let start: Int
        let width: Int
    }

    /// Columns before the first: what is selected, and what needs attention.
    static let margin = 2

    private let context: TopContext
    private let columns: [Fitted]
    private let width: Int

    /// Chooses the columns for a width by the rows that they will show.
    init(_ rows: [RankedView], _ context: TopContext, width: Int) {
        self.context = context
        self.width = width
        let candidates = TopColumn.allCases.compactMap { column in
            Self.candidate(column, rows, context).map { (column, $0) }
        }
        let widths = ColumnLayout.widths(candidates.map(\.1), total: max(1, width - Self.margin))
        var fitted: [Fitted] = []
        var start = Self.margin
        for ((column, _), width) in zip(candidates, widths) {
            guard let width else { continue }
            fitted.append(Fitted(column: column, start: start, width: width))
            start += width + ColumnLayout.gap
        }
        columns = fitted
    }

    private static func candidate(
        _ column: TopColumn, _ rows: [RankedView], _ context: TopContext
    ) -> ColumnLayout.Column? {
        // One more for the sign of the order.
        var natural = column.rawValue.count + (column.order == context.table.order ? 1 : 0)
        for row in rows {
            natural = max(natural, DisplayWidth.of(column.cell(row, context) + column.supplement(row, context)))
        }
        return column.layout(context, natural: natural)
    }

    /// The column by which the rows are sorted; the time rather than the share, if both fit.
    private var ranked: TopColumn? {
        columns.last { $0.column.order == context.table.order }?.column
    }

    /// The titles, and where a click on one sorts.
    var titles: (line: TopLine, targets: [(columns: Range<Int>, target: TopTarget)]) {
        var line = TopLine(width)
        var targets: [(columns: Range<Int>, target: TopTarget)] = []
        for fitted in columns {
            let isOrder = fitted.column == ranked
            let title = fitted.column.rawValue + (isOrder ? "▼" : "")
            line.pad(to: fitted.start)
            let text = Fit.pad(Fit.end(title, fitted.width), fitted.width, toTheRight: fitted.column.isNumber)
            line.add(text, isOrder ? .bold : .dim)
            if let order = fitted.column.order {
                targets.append((fitted.start..<fitted.start + fitted.width, .order(order)))
            }
        }
        return (line, targets)
    }

    /// A row: `>` before the selected one, `!` before one that needs attention; one that is fine is dim.
    func line(_ row: RankedView, isSelected: Bool) -> TopLine {
        let health = TopHealth(row.view, isHanging: context.hang(of: row) != nil)
        var line = TopLine(width)
        line.add(isSelected ? ">" : " ", .bold)
        line.add(health.isFine ? " " : "!", health.hasHung || health.time == .bad ? .bad : .notice)
        for fitted in columns {
            line.pad(to: fitted.start)
            let cell = fitted.column.cell(row, context)
            let text = WhyText.fitted(cell, fitted.column.supplement(row, context), fitted.width)
            let blanks = String(repeating: " ", count: max(0, fitted.width - DisplayWidth.of(text)))
            if fitted.column.isNumber { line.add(blanks) }
            line.add(text, health.isFine ? .dim : fitted.column.style(row, health, context))
            if !fitted.column.isNumber { line.add(blanks) }
        }
        guard isSelected else { return line }
        // The whole line in reverse, so that the selection shows without colours, too.
        line.pad(to: width)
        return line.styled(.reverse)
    }
}

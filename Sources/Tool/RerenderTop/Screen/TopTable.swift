// SPDX-License-Identifier: MIT
// The rows of the screen and their titles.

import RerenderPresentation
import RerenderToolBase

/// Draws the live table of some rows.
struct TopTable {
    private struct Fitted {
        let column: ViewColumn<TopStyle>
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
        let candidates = ViewColumn.live(context).filter(\.isShown)
        let layouts = candidates.map { Self.layout($0, rows, context) }
        let widths = ColumnLayout.widths(layouts, total: max(1, width - Self.margin))
        var fitted: [Fitted] = []
        var start = Self.margin
        for (column, width) in zip(candidates, widths) {
            guard let width else { continue }
            fitted.append(Fitted(column: column, start: start, width: width))
            start += width + ColumnLayout.gap
        }
        columns = fitted
    }

    private static func layout(
        _ column: ViewColumn<TopStyle>, _ rows: [RankedView], _ context: TopContext
    ) -> ColumnLayout.Column {
        // One more for the sign of the order.
        var natural = column.title.count + (column.order == context.table.order ? 1 : 0)
        for row in rows {
            natural = max(natural, DisplayWidth.of(column.cell(row) + column.supplement(row)))
        }
        return column.layout(natural: natural)
    }

    /// The column by which the rows are sorted; the time rather than the share, if both fit.
    private var ranked: String? {
        columns.last { $0.column.order == context.table.order }?.column.title
    }

    /// The titles, and where a click on one sorts.
    var titles: (line: TopLine, targets: [(columns: Range<Int>, target: TopTarget)]) {
        var line = TopLine(width)
        var targets: [(columns: Range<Int>, target: TopTarget)] = []
        for fitted in columns {
            let isOrder = fitted.column.title == ranked
            let title = fitted.column.title + (isOrder ? "▼" : "")
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
        let health = TopHealth(row, isHanging: context.hang(of: row) != nil)
        var line = TopLine(width)
        line.add(isSelected ? ">" : " ", .bold)
        line.add(health.isFine ? " " : "!", health.hasHung ? .bad : .notice)
        for fitted in columns {
            line.pad(to: fitted.start)
            let text = WhyText.fitted(fitted.column.cell(row), fitted.column.supplement(row), fitted.width)
            let blanks = String(repeating: " ", count: max(0, fitted.width - DisplayWidth.of(text)))
            if fitted.column.isNumber { line.add(blanks) }
            line.add(text, health.isFine ? .dim : fitted.column.style?(row) ?? .plain)
            if !fitted.column.isNumber { line.add(blanks) }
        }
        guard isSelected else { return line }
        // The whole line in reverse, so that the selection shows without colours, too.
        line.pad(to: width)
        return line.styled(.reverse)
    }
}

// SPDX-License-Identifier: MIT
// The table of views, as lines that fit a width.

import RerenderModel

/// What the cells of one table share.
struct TableContext: Sendable {
    let order: StatsOrder
    let labels: StoreLabels
    let hasSeveralStores: Bool
    let hasHangs: Bool
    let hasCommits: Bool
    let now: Timestamp

    /// Learns from the stores and the views that will be shown.
    init(order: StatsOrder, stores: [ProcessStats], rows: [RankedView], now: Timestamp) {
        self.order = order
        self.labels = StoreLabels(stores)
        self.hasSeveralStores = stores.count > 1
        self.hasHangs = rows.contains { $0.view.hangs.count > 0 }
        self.hasCommits = rows.contains { $0.view.commits > 0 }
        self.now = now
    }
}

/// Draws the table of views.
struct ViewTable: Sendable {
    let rows: [RankedView]
    let context: TableContext

    /// The title line and one line for each view, each at most `width` columns wide, without line ends.
    func lines(width: Int, colours: Bool) -> [String] {
        let columns = fitted(width)
        let titles = columns.map {
            Fit.pad(Fit.end($0.column.rawValue, $0.width), $0.width, toTheRight: $0.column.isNumber)
        }
        let title = Style.bold.apply(Self.joined(titles), colours: colours)
        return [title] + rows.indices.map { line($0, columns, colours: colours) }
    }

    private struct FittedColumn {
        let column: ViewColumn
        let cells: [String]
        let width: Int
    }

    private func fitted(_ width: Int) -> [FittedColumn] {
        let candidates = ViewColumn.allCases.compactMap { column -> (ViewColumn, [String], ColumnLayout.Column)? in
            let cells = rows.map { column.cell($0, context) }
            let natural = cells.reduce(column.rawValue.count) { Swift.max($0, DisplayWidth.of($1)) }
            return column.layout(context, natural: natural).map { (column, cells, $0) }
        }
        let widths = ColumnLayout.widths(candidates.map(\.2), total: width)
        return zip(candidates, widths).compactMap { candidate, width in
            width.map { FittedColumn(column: candidate.0, cells: candidate.1, width: $0) }
        }
    }

    private func line(_ index: Int, _ columns: [FittedColumn], colours: Bool) -> String {
        Self.joined(
            columns.map { fitted in
                let text = Fit.middle(fitted.cells[index], fitted.width)
                let style = fitted.column.style(rows[index])
                let shown = style.apply(text, colours: colours)
                let blanks = String(repeating: " ", count: max(0, fitted.width - DisplayWidth.of(text)))
                return fitted.column.isNumber ? blanks + shown : shown + blanks
            })
    }

    private static func joined(_ cells: [String]) -> String {
        var line = cells.joined(separator: String(repeating: " ", count: ColumnLayout.gap))
        while line.last == " " { line.removeLast() }
        return line
    }
}

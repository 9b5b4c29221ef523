// SPDX-License-Identifier: MIT
// Draws the table of views for a width.

package import RerenderToolBase

/// What the cells of one table share.
package struct TableContext: Sendable {
    package let order: StatsOrder
    package let labels: StoreLabels
    package let hasSeveralStores: Bool
    package let hasHangs: Bool
    let hasCommits: Bool
    let hasPasses: Bool
    let hasWaste: Bool
    /// Whether self times are known: an older export has none.
    package let hasSelf: Bool
    package let now: Timestamp
    /// The views that will be shown.
    package let rows: [RankedView]
    package let hints: CauseHints
    /// The columns to show, by their titles in lower case; nil for those that say something and fit.
    package var columns: [String]?

    /// Learns from the stores and the views that will be shown.
    package init(order: StatsOrder, stores: [ProcessStats], rows: [RankedView], now: Timestamp) {
        self.order = order
        self.labels = StoreLabels(stores)
        self.hasSeveralStores = stores.count > 1
        self.hasHangs = rows.contains { $0.view.hangs.count > 0 }
        self.hasCommits = rows.contains { $0.view.commits > 0 }
        self.hasPasses = rows.contains { ($0.view.passes ?? 0) > 0 }
        self.hasWaste = rows.contains { $0.view.wasted.count > 0 }
        self.hasSelf = rows.contains { $0.view.selfNanoseconds != nil }
        (self.now, self.rows) = (now, rows)
        hints = CauseHints(rows)
    }

    /// The unit for a duration of the views that were evaluated.
    package func scale(_ duration: (Stats) -> UInt64) -> DurationScale {
        DurationScale(rows.filter { $0.view.count > 0 }.map { duration($0.view) })
    }

    /// The unit for the times of wasted evaluations, measured and inferred.
    package var wasteScale: DurationScale {
        DurationScale(rows.flatMap { [$0.view.wasted.measuredNanoseconds, $0.view.wasted.inferredNanoseconds] })
    }
}

/// Draws the table of views.
package struct ViewTable: Sendable {
    package let rows: [RankedView]
    package let context: TableContext

    package init(rows: [RankedView], context: TableContext) {
        (self.rows, self.context) = (rows, context)
    }

    /// The title line and one line for each view, each at most `width` columns wide, without line ends.
    package func lines(width: Int, colours: Bool) -> [String] {
        let columns = fitted(width)
        let titles = columns.map {
            Fit.pad(Fit.end($0.column.title, $0.width), $0.width, toTheRight: $0.column.isNumber)
        }
        let title = Style.bold.apply(Self.joined(titles), colours: colours)
        return [title] + rows.indices.map { line($0, columns, colours: colours) }
    }

    /// The columns that a text with its supplement should have before an extra column is added.
    private static let withSupplement = 48

    /// The names of all columns.
    package static var columnNames: [String] {
        ViewColumn.all(TableContext(order: .key, stores: [], rows: [], now: .now)).map { $0.title.lowercased() }
    }

    /// Why there can be no such columns; nil where there can.
    package static func fault(inColumns names: [String]) -> String? {
        let unknown = names.first { !columnNames.contains($0) }
        guard unknown != nil || names.isEmpty || Set(names).count < names.count else { return nil }
        let what = unknown.map { "there is no column \"\(Printable.text($0))\"" } ?? "name each column once"
        return "\(what).\nThere are: \(Counted.list(columnNames))"
    }

    /// What tells the rows apart, and then the columns that were chosen.
    private var columns: [ViewColumn<Style>] {
        let all = ViewColumn.all(context)
        guard let names = context.columns else { return all.filter(\.isShown) }
        let first = ["process", "key"].filter { !names.contains($0) }
        let chosen = names.compactMap { name in all.first { $0.title.lowercased() == name } }
        return all.filter { first.contains($0.title.lowercased()) && $0.isShown } + chosen
    }

    private struct FilledColumn {
        let column: ViewColumn<Style>
        let cells: [String]
        let supplements: [String]
        let layout: ColumnLayout.Column
        var width = 0
    }

    private func fitted(_ width: Int) -> [FilledColumn] {
        var candidates = columns.map(candidate)
        let widths = ColumnLayout.widths(candidates.map(\.layout), total: width)
        for (index, width) in widths.enumerated() { candidates[index].width = width ?? 0 }
        return candidates.filter { $0.width > 0 }
    }

    private func candidate(_ column: ViewColumn<Style>) -> FilledColumn {
        let (cells, supplements) = (rows.map(column.cell), rows.map(column.supplement))
        var layout = column.layout(natural: cells.reduce(column.title.count) { max($0, DisplayWidth.of($1)) })
        for (cell, supplement) in zip(cells, supplements) where !supplement.isEmpty {
            let supplemented = DisplayWidth.of(cell) + DisplayWidth.of(supplement)
            // Who writes says more than one number more.
            layout.comfortable = max(layout.comfortable, min(Self.withSupplement, supplemented))
            layout.natural = max(layout.natural, supplemented)
        }
        return FilledColumn(column: column, cells: cells, supplements: supplements, layout: layout)
    }

    private func line(_ index: Int, _ columns: [FilledColumn], colours: Bool) -> String {
        Self.joined(
            columns.map { fitted in
                let text = WhyText.fitted(fitted.cells[index], fitted.supplements[index], fitted.width)
                let shown = (fitted.column.style?(rows[index]) ?? .plain).apply(text, colours: colours)
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

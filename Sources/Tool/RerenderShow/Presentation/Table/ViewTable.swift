// SPDX-License-Identifier: MIT
// The table of views for a width.

/// A table of views, and what its cells share.
package struct ViewTable: Sendable {
    let order: StatsOrder
    let labels: StoreLabels
    package let hasSeveralStores: Bool
    /// Whether self times are known: an older export has none.
    package let hasSelf: Bool
    let now: Timestamp
    /// The views that will be shown.
    let rows: [RankedView]
    let hints: CauseHints
    /// The columns to show, by their titles in lower case; nil for those that say something and fit.
    private let chosen: [String]?

    /// Learns from the stores and the views that will be shown.
    package init(
        order: StatsOrder, stores: [ProcessStats], rows: [RankedView], now: Timestamp, columns: [String]? = nil
    ) {
        (self.order, self.now, self.rows, chosen) = (order, now, rows, columns)
        labels = StoreLabels(stores)
        hasSeveralStores = stores.count > 1
        hasSelf = rows.contains { $0.view.selfNanoseconds != nil }
        hints = CauseHints(rows)
    }

    /// The title line and one line for each view, each at most `width` columns wide, without line ends.
    package func lines(width: Int, colours: Bool) -> [String] {
        let columns = columns
        let cells = rows.map { row in columns.map { $0.cell(row) } }
        return Table(columns.map(\.head), cells, width: width).lines(cells, colours: colours)
    }

    /// The names of all columns.
    package static var columnNames: [String] {
        ViewTable(order: .key, stores: [], rows: [], now: .now).all.map(\.head.name)
    }

    /// Why there can be no such columns; nil where there can.
    package static func fault(inColumns names: [String]) -> String? {
        let unknown = names.first { !columnNames.contains($0) }
        guard unknown != nil || names.isEmpty || Set(names).count < names.count else { return nil }
        let what = unknown.map { "there is no column \"\(Printable.text($0))\"" } ?? "name each column once"
        return "\(what).\nThere are: \(Counted.list(columnNames))"
    }

    /// What tells the rows apart, and then the columns that were chosen.
    private var columns: [ViewColumn] {
        let all = all
        guard let chosen else { return all.filter(\.head.isShown) }
        let first = ["process", "key"].filter { !chosen.contains($0) }
        return all.filter { first.contains($0.head.name) && $0.head.isShown }
            + chosen.compactMap { name in all.first { $0.head.name == name } }
    }

    /// The unit for a duration of the views that were evaluated.
    func scale(_ duration: (Stats) -> UInt64) -> DurationScale {
        DurationScale(rows.filter { $0.view.count > 0 }.map { duration($0.view) })
    }

    /// The unit for the times of wasted evaluations, measured and inferred.
    package var wasteScale: DurationScale {
        DurationScale(rows.flatMap { [$0.view.wasted.measuredNanoseconds, $0.view.wasted.inferredNanoseconds] })
    }
}

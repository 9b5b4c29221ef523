// SPDX-License-Identifier: MIT
// The whole answer to `rerenderctl stats`: notes, table, and what is not shown.

import RerenderModel

/// Everything that `stats` shows, as lines that fit a width.
struct StatsScreen: Sendable {
    let export: StatsExport
    let health: HealthReport?
    let order: StatsOrder
    /// How many views to show; nil for all. Views beyond it are only counted.
    let limit: Int?
    /// How many views there are; nil where the export holds all of them.
    var total: ViewTotal?

    /// The lines, each at most `width` columns wide, without line ends.
    func lines(width: Int, colours: Bool) -> [String] {
        guard !export.processes.isEmpty else {
            return Guidance.noProcess.flatMap { $0.hasPrefix(" ") ? [$0] : Wrap.lines($0, width: width) }
        }
        let ranked = order.ranked(export.processes)
        let rows = Array(ranked.prefix(limit ?? ranked.count))
        return notes(width, colours) + [""] + table(rows, width, colours) + more(rows.count, ranked.count, width)
    }

    private func notes(_ width: Int, _ colours: Bool) -> [String] {
        StatsNotes(stores: export.processes, health: health, order: order).lines.flatMap { line in
            Wrap.lines(line.text, width: width, indent: 2).map { line.style.apply($0, colours: colours) }
        }
    }

    private func table(_ rows: [RankedView], _ width: Int, _ colours: Bool) -> [String] {
        guard !rows.isEmpty else { return Guidance.noViews }
        let context = TableContext(
            order: order, stores: export.processes, rows: rows, now: export.generatedAt)
        return ViewTable(rows: rows, context: context).lines(width: width, colours: colours)
    }

    private func more(_ shown: Int, _ known: Int, _ width: Int) -> [String] {
        guard shown < known else { return [] }
        return Wrap.lines((total ?? .exactly(known)).line(shown: shown), width: width)
    }
}

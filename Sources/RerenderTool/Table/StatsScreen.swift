// SPDX-License-Identifier: MIT
// The whole answer to `rerenderctl stats`: notes, table, and what is not shown.

import RerenderModel

/// Everything that `stats` shows, as lines that fit a width.
struct StatsScreen: Sendable {
    let export: StatsExport
    let health: HealthReport?
    let order: StatsOrder
    /// How many views to show; nil for all. Views beyond it are only counted as "more".
    let limit: Int?

    /// The lines, each at most `width` columns wide, without line ends.
    func lines(width: Int, colours: Bool) -> [String] {
        guard !export.processes.isEmpty else {
            return Guidance.noProcess.flatMap { $0.hasPrefix(" ") ? [$0] : Wrap.lines($0, width: width) }
        }
        let ranked = order.ranked(export.processes)
        let rows = Array(ranked.prefix(limit ?? ranked.count))
        return notes(width, colours) + [""] + table(rows, width, colours) + more(ranked.count - rows.count, width)
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

    private func more(_ hidden: Int, _ width: Int) -> [String] {
        guard hidden > 0, let limit else { return [] }
        return Wrap.lines("… only the first \(limit) are shown; --limit all shows every view", width: width)
    }
}

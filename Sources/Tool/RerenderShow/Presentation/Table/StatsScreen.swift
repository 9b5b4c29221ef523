// SPDX-License-Identifier: MIT
// The output of `rerenderctl stats`: verdict, notes, table, and how many views it leaves out.

/// Everything that `stats` shows, as lines that fit a width.
package struct StatsScreen: Sendable {
    package let export: StatsExport
    package let health: HealthReport?
    package let order: StatsOrder
    /// How many views to show; nil for all. Views beyond it are only counted.
    package let limit: Int?
    /// How many views there are; nil where the export holds all of them.
    package var total: Int?
    /// The columns of the table; nil for those that fit.
    package var columns: [String]?
    /// Where the user switched Rerender off, if so.
    package var off: RuntimeDirectory?
    /// What is not counted of processes that run, as sentences.
    package var shortfalls: [String] = []

    package init(export: StatsExport, health: HealthReport?, order: StatsOrder, limit: Int?, total: Int? = nil) {
        (self.export, self.health, self.order, self.limit, self.total) = (export, health, order, limit, total)
    }

    /// The lines, each at most `width` columns wide, without line ends.
    ///
    /// As many of them as a screen of `height` lines has; the last one says how many it has not.
    /// Where it is low, rows come before notes: at least half of it is the table's.
    package func lines(width: Int, height: Int? = nil, colours: Bool) -> [String] {
        let (notes, table) = parts(width, colours)
        let all = notes.isEmpty ? table : notes + [""] + table
        guard let height, all.count > height else { return all }
        let rest = height - 1
        let rows = min(table.count, max(2, rest - notes.count - 1, (rest + 1) / 2))
        let room = rest - rows - 1
        guard room < notes.count else { return Self.cut(all, to: height, width) }
        let shown = room > 0 ? notes.prefix(room) + [""] + table.prefix(rows) : table.prefix(rows)
        return shown + [Self.missing(notes.count - max(0, room) + table.count - rows, width)]
    }

    /// The first lines, and how many are missing where they are more than `height`.
    package static func cut(_ lines: [String], to height: Int?, _ width: Int) -> [String] {
        guard let height, lines.count > height else { return lines }
        return lines.prefix(height - 1) + [missing(lines.count - height + 1, width)]
    }

    private static func missing(_ number: Int, _ width: Int) -> String {
        Fit.end("… \(Counted.text(number, "more line")) \(number == 1 ? "does" : "do") not fit the screen", width)
    }

    /// The notes above the blank line, and the table or a text below it.
    private func parts(_ width: Int, _ colours: Bool) -> (notes: [String], table: [String]) {
        guard !export.processes.isEmpty else {
            let text = Guidance.noProcess(off: off)
            return (
                shortfallLines(width, colours),
                text.flatMap { $0.hasPrefix(" ") ? [$0] : Wrap.lines($0, width: width) }
            )
        }
        let ranked = order.ranked(export.processes).filter(\.view.isRow)
        let rows = Array(ranked.prefix(limit ?? ranked.count))
        let notSeen = NotSeenText.lines(export.processes).flatMap { Wrap.lines($0, width: width, indent: 2) }
        return (
            notes(width, colours) + shortfallLines(width, colours),
            table(rows, width, colours) + more(rows.count, ranked.count, width) + notSeen
        )
    }

    private func notes(_ width: Int, _ colours: Bool) -> [String] {
        let notes = StatsNotes(stores: export.processes, health: health, order: order).lines
        return ((export.verdict?.lines ?? []) + notes).flatMap { line in
            Wrap.lines(line.text, width: width, indent: 2).map { line.style.apply($0, colours: colours) }
        }
    }

    private func shortfallLines(_ width: Int, _ colours: Bool) -> [String] {
        (shortfalls + GapText.lines(export.processes)).flatMap { text in
            Wrap.lines("! " + text, width: width, indent: 2).map { Style.bad.apply($0, colours: colours) }
        }
    }

    private func table(_ rows: [RankedView], _ width: Int, _ colours: Bool) -> [String] {
        guard !rows.isEmpty else { return Guidance.noViews }
        let table = ViewTable(
            order: order, stores: export.processes, rows: rows, now: export.generatedAt, columns: columns)
        return table.lines(width: width, colours: colours)
    }

    private func more(_ shown: Int, _ known: Int, _ width: Int) -> [String] {
        let all = max(total ?? known, known)
        return shown < all ? Wrap.lines(Self.more(shown, of: all), width: width) : []
    }

    /// The line below a table that leaves views out.
    package static func more(_ shown: Int, of all: Int) -> String {
        "… \(Counted.grouped(shown)) of \(Counted.text(all, "view")) shown; --limit all shows every view"
    }
}

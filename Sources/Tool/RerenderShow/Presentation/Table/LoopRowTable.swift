// SPDX-License-Identifier: MIT
// The table of sources and handlers: what main loops call.

/// A table of sources and handlers.
package struct LoopRowTable: Sendable {
    /// Rows below a table of views.
    package static let few = 8

    private let rows: [SourceRow]
    private let labels: StoreLabels
    private let hasSeveral: Bool

    package init(_ rows: [SourceRow]) {
        self.rows = rows
        labels = StoreLabels(rows.map(\.store))
        hasSeveral = Set(rows.map(\.store.pid)).count > 1
    }

    /// The title line and a line for each, each at most `width` columns wide, without line ends.
    package func lines(width: Int, colours: Bool) -> [String] {
        let columns = columns.filter(\.head.isShown)
        let cells = rows.map { row in columns.map { $0.cell(row) } }
        return Table(columns.map(\.head), cells, width: width, pipe: Table.pipeWidth)
            .lines(cells, colours: colours)
    }

    /// The rows of some stores below a table of views; empty where no main loop tells any.
    ///
    /// - Parameter limit: How many; nil for all.
    package static func lines(_ stores: [ProcessStats], limit: Int?, width: Int, colours: Bool) -> [String] {
        let all = SourceRow.all(stores)
        let shown = Array(all.prefix(limit ?? all.count))
        guard !shown.isEmpty else { return [] }
        let lines = LoopRowTable(shown).lines(width: width, colours: colours)
        guard shown.count < all.count else { return lines }
        let number = "\(shown.count) of \(all.count) sources and handlers shown"
        let more = "… \(number); all of them: rerenderctl stats --sources"
        return lines + Wrap.lines(more, width: width)
    }

    /// In the order of the screen.
    var columns: [Column<SourceRow>] {
        let longest = DurationScale(rows.map(\.row.numbers.longest))
        let total = DurationScale(rows.map(\.row.numbers.processor))
        return [
            Column(.init("PROCESS", 5, .useful, text: (8, 12, 16), isShown: hasSeveral)) {
                .text(labels.label($0.store), .dim)
            },
            Column(.init("WHAT", 4, .useful, least: 6, isNumber: false)) { .text($0.row.kind.rawValue) },
            Column(.init("SOURCE", 0, .essential, text: (16, 32, 64))) { .text($0.name, .bold) },
            Column(.init("CALLS", 2, .essential, least: 5)) {
                .number($0.row.calls.map { String($0) } ?? "-", $0.row.calls.map { Double($0) } ?? -1)
            },
            Column(.init("RATE", 3, .useful, least: 6)) { .number(RateText.cell($0.rate), $0.rate ?? -1) },
            Column(.init("CORE", 1, .essential, least: 5)) {
                .number($0.share?.text ?? "-", $0.share?.percent ?? -1, Self.style($0.share))
            },
            Column(.init("CPU", 7, .extra, least: 6)) {
                let sign = $0.row.numbers.isShared == 0 ? "" : "~"
                let time = $0.row.numbers.processor
                return .number(time == 0 ? "-" : sign + total.text(time), Double(time))
            },
            Column(.init("MAX", 6, .useful, least: 6)) { .duration($0.row.numbers.longest, in: longest) },
            Column(.init("WAIT", 9, .useful, least: 6, isShown: rows.contains { Self.waited($0) > 0 })) {
                .duration(Self.waited($0), in: longest)
            },
            Column(.init("THREAD", 8, .extra, text: (6, 10, 16), isShown: rows.contains { $0.row.thread != nil })) {
                .text($0.row.thread.map { Printable.text($0) } ?? "main", .dim)
            },
        ]
    }

    /// From so long a wait on, a person feels it.
    private static let leastWait: UInt64 = 100_000_000

    /// How much of the longest call was no processor time for sure: all calls together had less of that. 0 for a short wait, and where the
    /// processor time of the loop's thread is not known.
    private static func waited(_ row: SourceRow) -> UInt64 {
        let numbers = row.row.numbers
        guard row.row.thread == nil, row.store.loop?.totals.processor ?? 0 > 0, numbers.longest > numbers.processor
        else { return 0 }
        let wait = numbers.longest - numbers.processor
        return wait >= leastWait ? wait : 0
    }

    /// Marked from where a share without input is worth a word.
    private static func style(_ share: CoreShare?) -> Style {
        (share?.percent ?? 0) >= 1 ? .notice : .plain
    }
}

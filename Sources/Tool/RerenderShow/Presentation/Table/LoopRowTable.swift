// SPDX-License-Identifier: MIT
// The table of sources and handlers: what main loops call.

/// A source or handler with the process that it is of.
package struct SourceRow: Sendable {
    /// The store that has the main loop, with `views` empty.
    package let store: ProcessStats
    package let row: LoopRow
    /// For how long the main loop was counted.
    package let counted: UInt64
    /// Its place among the rows of the process.
    package let number: Int

    /// The part of a core.
    package var share: CoreShare? {
        CoreShare(row.numbers.processor, of: counted, isShared: row.numbers.isShared != 0)
    }

    /// Calls in a second; nil where nothing was counted.
    package var rate: Double? { counted == 0 ? nil : Double(row.numbers.count) / (Double(counted) / 1e9) }

    /// What is called, for a column of its own: a handler by its widget and signal first.
    package var name: String {
        switch row.kind {
        case .handler, .tick: row.of.map { "\(Printable.text($0)) → \(row.function)" } ?? row.function
        case .others: "others"
        case .timer, .idle, .descriptor, .source, .runLoop: row.function
        }
    }

    /// All rows of some stores: those with most processor time first, then those with most time by the clock.
    package static func all(_ stores: [ProcessStats]) -> [SourceRow] {
        let rows = stores.flatMap { store -> [SourceRow] in
            guard let loop = store.loop else { return [] }
            let store = store.with(views: [])
            return loop.rows.enumerated().map { number, row in
                SourceRow(store: store, row: row, counted: loop.totals.counted, number: number)
            }
        }
        return rows.sorted(by: precedes)
    }

    private static func precedes(_ left: SourceRow, _ right: SourceRow) -> Bool {
        // Those without a name say least.
        let (isLeft, isRight) = (left.row.kind == .others, right.row.kind == .others)
        if isLeft != isRight { return isRight }
        let (one, other) = (left.row.numbers, right.row.numbers)
        if one.processor != other.processor { return one.processor > other.processor }
        if one.wall != other.wall { return one.wall > other.wall }
        if one.count != other.count { return one.count > other.count }
        return (left.store.pid, left.number) < (right.store.pid, right.number)
    }
}

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
        return Table(columns.map(\.head), cells, width: width).lines(cells, colours: colours)
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
                .number(String($0.row.numbers.count), Double($0.row.numbers.count))
            },
            Column(.init("RATE", 3, .useful, least: 6)) { .number(RateText.cell($0.rate), $0.rate ?? -1) },
            Column(.init("CORE", 1, .essential, least: 5)) {
                .number($0.share?.text ?? "-", $0.share?.percent ?? -1, Self.style($0.share))
            },
            Column(.init("TOTAL", 7, .extra, least: 6)) {
                let sign = $0.row.numbers.isShared == 0 ? "" : "~"
                let time = $0.row.numbers.processor
                return .number(time == 0 ? "-" : sign + total.text(time), Double(time))
            },
            Column(.init("MAX", 6, .useful, least: 6)) { .duration($0.row.numbers.longest, in: longest) },
            Column(.init("THREAD", 8, .extra, text: (6, 10, 16), isShown: rows.contains { $0.row.thread != nil })) {
                .text($0.row.thread.map { Printable.text($0) } ?? "main", .dim)
            },
        ]
    }

    /// Marked from where a share without input is worth a word.
    private static func style(_ share: CoreShare?) -> Style {
        (share?.percent ?? 0) >= 1 ? .notice : .plain
    }
}

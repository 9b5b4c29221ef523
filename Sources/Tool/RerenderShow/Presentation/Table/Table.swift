// SPDX-License-Identifier: MIT
// A table of text: fits its columns into a width, draws its rows, and writes the durations of a column in one unit.

/// The columns of a table that fit a width.
package struct Table {
    /// A column that has room.
    package struct Place {
        package let head: ColumnHead
        /// Which of a row's cells it shows.
        package let number: Int
        package let start: Int
        package let width: Int

        /// Its title and a sign behind it, as wide as the column.
        package func title(_ sign: String = "") -> String {
            Fit.pad(Fit.end(head.title + sign, width), width, toTheRight: head.isNumber)
        }

        /// What it shows of a row, and the blanks beside that.
        package func fitted(_ row: [Cell]) -> (text: String, blanks: String) {
            let cell = row[number]
            let fitted = WhyText.fitted(cell.text, cell.supplement, width)
            let hasRoom = DisplayWidth.of(fitted) + DisplayWidth.of(cell.note) <= width
            let text = hasRoom ? fitted + cell.note : fitted
            return (text, String(repeating: " ", count: max(0, width - DisplayWidth.of(text))))
        }
    }

    package let places: [Place]

    /// The width whose columns a pipe gets.
    package static let pipeWidth = 120
    /// The most columns that a row has there, so that fifty rows have a bound. Where that is too little, texts give way as on a terminal.
    static let pipeRow = 150

    /// Chooses the columns for a width by the rows that they will show.
    ///
    /// - Parameters:
    ///   - margin: Columns of the terminal before the first.
    ///   - pipe: The width whose columns are chosen where there is no limit.
    package init(_ heads: [ColumnHead], _ rows: [[Cell]], width: Int, margin: Int = 0, pipe: Int? = nil) {
        let layouts = heads.indices.map { heads[$0].layout(rows, $0) }
        var places: [Place] = []
        var start = margin
        let pipe = width < TerminalSize.unlimitedColumns ? nil : pipe
        let total = max(1, (pipe ?? width) - margin)
        let most = pipe == nil ? total : max(total, Self.pipeRow - margin)
        for (number, width) in ColumnLayout.widths(layouts, total: total, growing: most).enumerated() {
            guard let width else { continue }
            places.append(Place(head: heads[number], number: number, start: start, width: width))
            start += width + ColumnLayout.gap
        }
        self.places = places
    }

    /// The titles and the rows, without blanks at their ends and without line ends.
    package func lines(_ rows: [[Cell]], colours: Bool) -> [String] {
        let titles = Style.bold.apply(Self.joined(places.map { $0.title() }), colours: colours)
        return [titles] + rows.map { line($0, colours: colours) }
    }

    private func line(_ row: [Cell], colours: Bool) -> String {
        Self.joined(
            places.map { place in
                let (text, blanks) = place.fitted(row)
                let shown = row[place.number].style.apply(text, colours: colours)
                return place.head.isNumber ? blanks + shown : shown + blanks
            })
    }

    private static func joined(_ cells: [String]) -> String {
        var line = cells.joined(separator: String(repeating: " ", count: ColumnLayout.gap))
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The width to which the first column of a small table gives way.
    private static let least = 8

    /// A small table of texts, which has all its columns; the first one gives way where the width is not enough.
    package static func lines(_ titles: [String], _ rows: [[String]], width: Int) -> [String] {
        let heads = titles.enumerated().map { number, title in
            ColumnHead(
                title, number, .essential,
                text: number == 0 ? (minimum: least, readable: least, comfortable: least) : nil, isNumber: false)
        }
        let cells = rows.map { row in row.map { Cell($0) } }
        let needed = heads.indices.reduce(ColumnLayout.gap * (heads.count - 1)) {
            $0 + heads[$1].layout(cells, $1).minimum
        }
        return Table(heads, cells, width: max(width, needed)).lines(cells, colours: false)
    }
}

/// Writes the durations of a column in one unit, that of its longest, which has three figures. The others have as many decimals, so that a longer one
/// looks longer.
package struct DurationScale: Hashable, Sendable {
    private enum Unit: UInt64, CaseIterable {
        case nanosecond = 1
        case microsecond = 1_000
        case millisecond = 1_000_000
        case second = 1_000_000_000

        var name: String {
            switch self {
            case .nanosecond: "ns"
            case .microsecond: "µs"
            case .millisecond: "ms"
            case .second: "s"
            }
        }
    }

    private let unit: Unit
    private let decimals: Int

    /// The scale for some durations in nanoseconds.
    package init(_ nanoseconds: some Sequence<UInt64>) {
        let most = nanoseconds.max() ?? 0
        unit = Unit.allCases.last { $0.rawValue <= most } ?? .nanosecond
        let whole = most / unit.rawValue
        decimals = unit == .nanosecond || whole >= 100 ? 0 : whole >= 10 ? 1 : 2
    }

    /// `0.5µs` beside `14.3µs`; cut and not rounded. `0` for none, and `<0.1µs` for less than has a figure.
    package func text(_ nanoseconds: UInt64) -> String {
        guard nanoseconds > 0 else { return "0" }
        let factor = (0..<decimals).reduce(UInt64(1)) { number, _ in number * 10 }
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.rawValue)
        let scaled = whole.multipliedReportingOverflow(by: factor).partialValue &+ rest * factor / unit.rawValue
        return scaled > 0 ? number(scaled) : "<" + number(1)
    }

    /// A number of the last decimal.
    private func number(_ scaled: UInt64) -> String {
        guard decimals > 0 else { return "\(scaled)\(unit.name)" }
        let digits = String(scaled)
        let whole = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(whole.dropLast(decimals)).\(whole.suffix(decimals))\(unit.name)"
    }
}

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

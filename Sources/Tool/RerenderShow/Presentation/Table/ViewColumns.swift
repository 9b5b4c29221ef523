// SPDX-License-Identifier: MIT
// The table of views: its columns in their order, and their cells; the live screen uses some of them, too.

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
        // Who chose columns gets them all.
        let pipe = chosen == nil ? Table.pipeWidth : nil
        return Table(columns.map(\.head), cells, width: width, pipe: pipe).lines(cells, colours: colours)
    }

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

extension ViewTable {
    /// The columns of `stats`, `run` and `report`, in the order of the screen.
    var all: [ViewColumn] { usual + onDemand + [reason] }

    /// `<external signal> 99%` is to be read whole.
    private var reason: ViewColumn {
        ViewColumn(
            .init("WHY", 2, .essential, text: (14, 21, 24), supplemented: 48, isSorted: order == .reason), cell: why)
    }

    private var usual: [ViewColumn] {
        [
            ViewColumn(
                .init(
                    "PROCESS", 3, .essential, text: (12, 16, 16), isSorted: order == .process,
                    isShown: hasSeveralStores), cell: process),
            ViewColumn(.init("KEY", 0, .essential, text: (14, 24, 32)), cell: key),
            ViewColumn(.init("RATE", 4, .useful, isShown: rows.contains { $0.perSecond != nil })) {
                Cell(RateText.cell($0.perSecond))
            },
            ViewColumn(.init("COUNT", 1, .essential, isSorted: order == .count), cell: count),
            ViewColumn(.init("WASTED", 5, .useful, isSorted: order == .share)) {
                Cell(WasteText.cell($0.view), $0.view.wasted.count == 0 ? .dim : $0.isWasteful ? .notice : .plain)
            },
            ViewColumn(.init("SELF", 6, .useful, isSorted: order == .time && hasSelf, isShown: hasSelf), cell: own),
            ViewColumn(
                .init("HANGS", 3, .essential, isSorted: order == .hangs, isShown: has { $0.hangs.count > 0 })
            ) { .count($0.view.hangs.count, $0.view.hangs.count > 0 ? .bad : .plain) },
        ]
    }

    /// Those that are shown where somebody asks for them, or sorts by them.
    private var onDemand: [ViewColumn] {
        let (waste, totals) = (wasteScale, scale { $0.body.totalNanoseconds })
        func column(
            _ title: String, text: (minimum: Int, readable: Int, comfortable: Int)? = nil, isSorted: Bool = false,
            cell: @escaping (RankedView) -> Cell
        ) -> ViewColumn {
            ViewColumn(.init(title, 7, .useful, text: text, isSorted: isSorted, isShown: false), cell: cell)
        }
        return [
            column("ID") { Cell($0.view.handle ?? "-", .dim) },
            column("PASSES") { Cell($0.view.passes.map { String($0) } ?? "-") },
            column("INST") { Cell(String($0.view.instances)) },
            column("COMMITS") { Cell(String($0.view.commits)) },
            column("WTIME", isSorted: order == .wasted) { Cell(WasteText.time($0.view, waste.text)) },
            column("AVG", isSorted: order == .average, cell: body(\.averageNanoseconds)),
            column("P95", cell: body(\.p95Nanoseconds)),
            column("P99", cell: body(\.p99Nanoseconds)),
            column("MAX", cell: body(\.maxNanoseconds)),
            column("TOTAL", isSorted: order == .time && !hasSelf) {
                Cell($0.time($0.view.body.totalNanoseconds, totals))
            },
            column("AGO") { Cell(AgoText.cell($0.view.lastRenderedAt, now: now), .dim) },
            column("PLACE", text: (16, 24, 24), isSorted: order == .place, cell: place),
        ]
    }

    private func has(_ something: (Stats) -> Bool) -> Bool { rows.contains { something($0.view) } }

    // MARK: Cells

    package func process(_ row: RankedView) -> Cell { Cell(labels.label(row.store), .dim) }

    package func key(_ row: RankedView) -> Cell { Cell(row.view.key.displayName, .bold) }

    package func count(_ row: RankedView) -> Cell {
        Cell((row.view.mayBeMore == true ? "≥" : "") + String(row.view.count))
    }

    /// The main reason; who writes, with `~` where that is a guess, stands behind it where there is room, and then how many rows are folded under it.
    package func why(_ row: RankedView) -> Cell {
        Cell(WhyText.cell(row.view), supplement: WhyText.writer(row, hints), note: row.folded)
    }

    /// File and line of the probe.
    package func place(_ row: RankedView) -> Cell {
        Cell(row.view.file.isEmpty ? "-" : Printable.text("\(row.view.file):\(row.view.line)"), .dim)
    }

    /// A time of the bodies, all in one unit.
    package func body(_ time: KeyPath<Timing, UInt64>) -> (RankedView) -> Cell {
        let scale = scale { $0.body[keyPath: time] }
        return { row in
            let nanoseconds = row.view.body[keyPath: time]
            // Of a span, a longest time is known only where it is longer than any before.
            if nanoseconds == 0, row.view.body.totalNanoseconds > 0 { return Cell("-") }
            return Cell(row.time(nanoseconds, scale), .bodyTime(nanoseconds, of: row.view))
        }
    }

    /// The self time, all in one unit.
    package var own: (RankedView) -> Cell {
        let scale = scale { $0.selfNanoseconds ?? 0 }
        return { row in Cell(row.view.selfNanoseconds.map { row.time($0, scale) } ?? "-") }
    }
}

extension RankedView {
    /// How often it was evaluated in a second while its store counted; nil where that is not known.
    package var perSecond: Double? { store.rate(of: view.count) }

    /// Whether so much of it is not needed that it is worth a finding.
    package var isWasteful: Bool {
        VerdictFloor.isWasteful(view.wasted.nanoseconds, of: store.countedNanoseconds, running: running)
    }

    /// A time of its evaluations, in the unit of its column.
    fileprivate func time(_ nanoseconds: UInt64, _ scale: DurationScale) -> String {
        view.count == 0 ? "-" : scale.text(nanoseconds)
    }
}

extension Style {
    /// That of a body's time, as Instruments marks it: from 500 µs orange, from 1 ms red (WWDC 2025, session 306).
    ///
    /// A longer time than the view's 95th percentile counts as that: one long evaluation does not make a view slow.
    static func bodyTime(_ nanoseconds: UInt64, of view: Stats) -> Style {
        switch min(nanoseconds, view.body.p95Nanoseconds) {
        case 1_000_000...: .bad
        case 500_000...: .notice
        default: .plain
        }
    }
}

// Table cells for waste, reasons and times.

/// Cells of wasted evaluations: what is measured, and after a `~` what is inferred from inputs.
package enum WasteText {
    /// `308 98%`, `~8 2%`, `308 96% ~8 2%`, of all updates; `-` where none is known.
    static func cell(_ view: Stats) -> String {
        apart(view.wasted.measured, view.wasted.inferred) { "\($0) \(Percent.text($0, of: view.updates))" }
    }

    /// `98%`, `~2%`, `96% ~2%`; `-` where none is known.
    package static func share(_ view: Stats) -> String {
        apart(view.wasted.measured, view.wasted.inferred) { Percent.text($0, of: view.updates) }
    }

    /// The body time that they took, in the same way; `text` writes a duration.
    package static func time(_ view: Stats, _ text: (UInt64) -> String) -> String {
        guard view.wasted.count > 0 else { return "-" }
        // Where no time is known, none is not the same as no waste.
        if view.wasted.nanoseconds == 0 { return text(0) }
        return apart(view.wasted.measuredNanoseconds, view.wasted.inferredNanoseconds, text)
    }

    private static func apart(_ measured: UInt64, _ inferred: UInt64, _ text: (UInt64) -> String) -> String {
        let parts = (measured > 0 ? [text(measured)] : []) + (inferred > 0 ? ["~" + text(inferred)] : [])
        return parts.isEmpty ? "-" : parts.joined(separator: " ")
    }
}

/// The cell of the reason.
enum WhyText {
    /// The columns that a writer needs beside the reason to say anything.
    private static let leastWriter = 12
    /// The columns that a reason, or the name of a function, needs beside a place.
    private static let leastText = (reason: 14, name: 8)
    /// Stands between a reason and who writes.
    private static let arrow = " ← "

    /// The main reason; where none is counted, that of the latest evaluation.
    static func cell(_ view: Stats) -> String {
        view.mainReason?.text ?? (view.lastReason.isEmpty ? "-" : Printable.text(view.lastReason))
    }

    /// Its most frequent writer, or who probably writes it, with `~` before a guess. Empty where neither is known.
    ///
    /// Shown after the reason if there is room.
    static func writer(_ row: RankedView, _ hints: CauseHints) -> String {
        let known = row.view.mainReason?.writer.map { Printable.text($0.writer) }
        return (known ?? hints.writer(row).map { "~" + $0 }).map { arrow + $0 } ?? ""
    }

    /// The cell in at most `width` columns, with as much of the writer as there is room for.
    ///
    /// What is to be changed stands at the writer's place, so the reason gives way before the place does.
    static func fitted(_ cell: String, _ writer: String, _ width: Int) -> String {
        let room = width - DisplayWidth.of(cell)
        guard !writer.isEmpty else { return Fit.middle(cell, width) }
        if DisplayWidth.of(writer) <= room { return cell + writer }
        let (who, least) = (String(writer.dropFirst(arrow.count)), arrow.count)
        if let place = placed(who)?.place {
            let left = width - least - DisplayWidth.of(place)
            if left >= DisplayWidth.of(cell) { return cell + arrow + shortened(who, room - least) }
            if left >= leastText.reason { return Fit.middle(cell, left) + arrow + place }
        }
        guard room >= leastWriter + least else { return Fit.middle(cell, width) }
        return cell + arrow + shortened(who, room - least)
    }

    /// A writer in at most `width` columns: without its directory, then with the middle of its name left out, then as its place alone. Where even
    /// that has no room, it is its name.
    ///
    /// `Ticker.advance() Shop/Ticker.swift:40` becomes `Ticker.advance() Ticker.swift:40` and `Ticker.swift:40`.
    static func shortened(_ writer: String, _ width: Int) -> String {
        guard DisplayWidth.of(writer) > width else { return writer }
        guard let (name, place, sign) = placed(writer) else { return Fit.middle(writer, width) }
        let room = width - 1 - DisplayWidth.of(place) + sign.count
        if room >= min(leastText.name, DisplayWidth.of(name)) {
            return "\(Fit.middle(name, room)) \(place.dropFirst(sign.count))"
        }
        return DisplayWidth.of(place) <= width ? place : Fit.middle(name, width)
    }

    /// A writer's name, and its place without the directory, with the sign of a guess before each; nil for a writer without a place.
    private static func placed(_ writer: String) -> (name: String, place: String, sign: String)? {
        let words = writer.split(separator: " ")
        guard let place = words.last, words.count > 1, isPlace(place) else { return nil }
        let sign = writer.hasPrefix("~") ? "~" : ""
        return (words.dropLast().joined(separator: " "), sign + PathName.last(of: String(place)), sign)
    }

    /// Whether a word ends with a line number.
    private static func isPlace(_ word: Substring) -> Bool {
        guard let colon = word.lastIndex(of: ":") else { return false }
        let line = word[word.index(after: colon)...]
        return !line.isEmpty && line.allSatisfy(\.isWholeNumber)
    }
}

/// The cell of the time since the latest evaluation.
package enum AgoText {
    /// Whole seconds, minutes or hours; `-` where there was none. A clock that was set back shows `0s`.
    package static func cell(_ last: Timestamp?, now: Timestamp) -> String {
        guard let last else { return "-" }
        let seconds = max(0, now.nanoseconds(since: last) / 1_000_000_000)
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m"
        case ..<172_800: return "\(seconds / 3_600)h"
        default: return "\(seconds / 86_400)d"
        }
    }
}

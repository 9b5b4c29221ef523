// SPDX-License-Identifier: MIT
// The tab of views: its columns and rows, their health, their bars of rates, and the lines below an open row.

/// What the rows of views share.
struct ViewRows {
    private let all: [ViewColumn]
    /// The open hangs.
    private let hangs: [Hang]

    /// Columns of a trend.
    private static let trendWidth = 16

    /// - Parameters:
    ///   - rows: Those on the screen.
    ///   - rates: Nil for what was saved, which has none.
    init(
        _ rows: [RankedView], of sample: TopSample, rates: RateHistory<TopRowID>?, now: Timestamp
    ) {
        let query = sample.query
        /// A column that shows its own order, or these, by a sign behind its title.
        func column(
            _ title: String, _ rank: Int, _ need: ColumnLayout.Need, least: Int = 0,
            text: (minimum: Int, readable: Int, comfortable: Int)? = nil, order: StatsOrder,
            shows orders: [StatsOrder]? = nil, isShown: Bool = true, isNumber: Bool? = nil,
            cell: @escaping (RankedView) -> Cell
        ) -> ViewColumn {
            let isSorted = (orders ?? [order]).contains(query.order)
            var head = ColumnHead(
                title, rank, need, least: least, text: text, order: order, isSorted: isSorted, isShown: isShown,
                isNumber: isNumber)
            // Texts begin with A, numbers with the largest.
            if isSorted { head.sign = (text == nil) != query.isReversed ? "▼" : "▲" }
            return ViewColumn(head, cell: cell)
        }
        let table = ViewTable(order: query.order, stores: sample.stores, rows: sample.rows, now: now)
        let open = sample.hangs.filter(\.open)
        let hasHangs = rows.contains { row in row.view.hangs.count > 0 || open.contains { Self.blames($0, row) } }
        let (hasSelf, waste) = (table.hasSelf, table.wasteScale)
        var time = column("WTIME", 6, .useful, least: 6, order: .wasted) {
            Cell(WasteText.time($0.view, waste.text), $0.isWasteful ? .notice : .plain)
        }
        // On a wide screen the time says more than the share; on a narrow one the share shows the order.
        time.head.isSorted = false
        let columns: [ViewColumn] = [
            column(
                "PROCESS", 5, .useful, text: (8, 12, 16), order: .process, isShown: table.hasSeveralStores,
                cell: table.process),
            column("KEY", 0, .essential, text: (9, 20, 28), order: .key, cell: table.key),
            column("COUNT", 8, .useful, least: 6, order: .count, cell: table.count),
            // On a narrow screen the cause says more.
            column("RATE", 4, .useful, least: 6, order: .rate) {
                Cell(RateText.cell(rates?.paces(of: TopRowID($0)).last?.all))
            },
            column(
                "TREND", 9, .useful, least: Self.trendWidth, order: .rate, shows: [], isNumber: false,
                cell: Self.trend(rows, rates)),
            column("WASTED", 1, .essential, order: .share, shows: [.share, .wasted]) {
                Cell(WasteText.share($0.view), $0.isWasteful ? [.notice, .bold] : .plain)
            },
            time,
            column(
                StoreWords(sample.stores).time, 7, .useful, least: 6, order: .average,
                shows: hasSelf ? nil : [.average, .time],
                cell: table.body(\.averageNanoseconds)),
            column(
                "SELF", 11, .extra, least: 6, order: .time, shows: hasSelf ? nil : [], isShown: hasSelf,
                cell: table.own),
            column("HANG", 3, .essential, order: .hangs, isShown: hasHangs, isNumber: false) { row in
                Self.badge(row.view, open.first { Self.blames($0, row) })
            },
            column("WHY", 2, .essential, least: 8, text: (8, 20, 64), order: .reason, cell: table.why),
            column("PLACE", 10, .extra, text: (16, 24, 24), order: .place, cell: table.place),
        ]
        all = columns.filter { $0.head.isShown && (rates != nil || $0.head.order != .rate) }
        hangs = open
    }

    var columns: [ColumnHead] { all.map(\.head) }

    /// The row of a view. A fine one is dim.
    func item(_ row: RankedView) -> TopItem {
        let health = TopHealth(row, isHanging: hangs.contains { Self.blames($0, row) })
        return TopItem(
            cells: all.map { $0.cell(row) }, mark: health.isFine ? nil : health.hasHung ? .bad : .notice)
    }

    /// All rows on one scale. Where most of a moment's evaluations were wasted, its bar is marked.
    private static func trend(
        _ rows: [RankedView], _ rates: RateHistory<TopRowID>?
    ) -> (RankedView) -> Cell {
        func paces(_ row: RankedView) -> [Pace] { rates?.paces(of: TopRowID(row)) ?? [] }
        let scale: Double = rows.reduce(0) { highest, row in
            paces(row).suffix(trendWidth).reduce(highest) { max($0, $1.all) }
        }
        return { row in
            let pieces = Sparkline.pieces(paces(row), width: trendWidth, scale: scale)
            var cell = Cell(pieces.map(\.text).joined(), .dim)
            cell.pieces = pieces.map { StyledLine(text: $0.text, style: $0.style) }
            return cell
        }
    }

    private static func blames(_ hang: Hang, _ row: RankedView) -> Bool {
        hang.isBlamed(on: row.view.key, of: row.store)
    }

    /// `~HANG 1.20s` while it lasts, because whose it is is a guess until then; else how many there were.
    private static func badge(_ view: Stats, _ open: Hang?) -> Cell {
        guard let open else {
            return Cell(view.hangs.count == 0 ? "" : "HANG×\(view.hangs.count)", [.bad, .bold])
        }
        let sign = open.guess ? "~HANG " : "HANG "
        return Cell(sign + DurationText.short(open.durationNanoseconds), [.bad, .bold, .reverse])
    }
}

/// Everything that is known of one view, in the order in which one asks: why, what for, at what cost, where, what to do.
struct TopDetail: Sendable {
    let row: RankedView
    /// The view's hangs, newest first.
    let hangs: [Hang]
    /// Where a value that a parent passed may come from.
    let hint: CauseHint?
    /// What it took lately.
    let load: ViewLoad?
    let now: Timestamp
    /// Of all stores on the screen.
    var shares = CoreShares([])
    /// What other views are evaluated for that reads values here.
    var passing = PassedValues.Passing()

    private static let shownHangs = 3

    /// In blocks with a label each.
    var blocks: [TopBlock] {
        let view = row.view
        let (phase, others) = StoreWords(row.store.kind).areWidgets ? ("drawing", "widgets") : ("body", "bodies")
        let times = [
            "\(phase): " + Self.times(view.body),
            view.selfNanoseconds.map { "without the \(others) inside of it: total " + DurationText.short($0) },
            view.total.totalNanoseconds > view.body.totalNanoseconds
                ? "with Rerender's work on the \(others) inside of it: " + Self.times(view.total) : nil,
        ].compactMap(\.self)
        let isKnown = view.count >= Explanation.leastEvaluations || view.isCostlyOnce
        let store = shares.whole(row.store)
        let help = isKnown ? AdviceText.sentences(view, hint, in: store, passing: passing) : []
        let sentences = [
            ("now", load.map(Self.now(row, shares)) ?? []), ("waste", CostText.waste(view, of: row.store.kind)),
            ("time", times), ("where", [place(view)]), ("hangs", hangTexts(view)),
            ("count", WhatText.sentences(view, store, shares)), ("help", help),
        ]
        // The guess comes below the reason that it is about.
        let why = ReasonText.paragraphs(view, of: row.store.kind, hint)
        return [TopBlock("why", why)] + sentences.map { TopBlock($0, texts: $1) }
    }

    private static func now(_ row: RankedView, _ shares: CoreShares) -> (ViewLoad) -> [String] {
        { [words = StoreWords(row.store.kind)] load in
            [load.sentence(words) { shares.bodies($0, of: row.store.pid) } + "."]
        }
    }

    private static func times(_ timing: Timing) -> String {
        // The longest since a moment is known only where it is longer than all before.
        let longest = timing.maxNanoseconds == 0 ? "" : "longest \(DurationText.short(timing.maxNanoseconds)), "
        return "last \(DurationText.short(timing.lastNanoseconds)), "
            + "average \(DurationText.short(timing.averageNanoseconds)), " + longest
            + "total \(DurationText.short(timing.totalNanoseconds))"
    }

    private func place(_ view: Stats) -> String {
        let file = view.file.isEmpty ? "unknown place" : Printable.text("\(view.file):\(view.line)")
        return "\(file), in \(StoreLabels.full(row.store))" + (row.store.connected ? "" : " (ended)")
    }

    private func hangTexts(_ view: Stats) -> [String] {
        let counted =
            "\(Counted.text(view.hangs.count, "hang")) attributed to it, the last "
            + "\(DurationText.short(view.hangs.lastNanoseconds)), the longest "
            + "\(DurationText.short(view.hangs.worstNanoseconds))"
        return (view.hangs.count == 0 ? [] : [counted])
            + hangs.prefix(Self.shownHangs).map { HangText(hang: $0, now: now).headline.text }
    }
}

/// What is wrong with a view; rows with nothing wrong are dim.
struct TopHealth: Hashable, Sendable {
    /// So much of it is not needed that it is worth a finding.
    let isWasteful: Bool
    let isInCycle: Bool
    let hasHung: Bool

    init(_ row: RankedView, isHanging: Bool = false) {
        isWasteful = row.isWasteful
        isInCycle = CycleText.has(row.view.key, row.store)
        hasHung = isHanging || row.view.hangs.count > 0
    }

    var isFine: Bool { !isWasteful && !isInCycle && !hasHung }
}

/// Rates as a row of bars.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// One column for each of the last `width` rates, the newest on the right; higher is more, `scale` is full.
    ///
    /// A blank is a time without data, a dot one without an evaluation. Bars are marked where at least half was wasted: in orange, or bold
    /// where there are no colours.
    static func pieces(_ paces: [Pace], width: Int, scale: Double) -> [TopSpan] {
        let shown = paces.suffix(max(0, width))
        let blanks = String(repeating: " ", count: max(0, width - shown.count))
        var pieces = [TopSpan(text: blanks, style: .dim)]
        for pace in shown {
            let isWasted = pace.wasted > 0 && pace.wasted * 2 >= pace.all
            let level = scale > 0 ? min(1, pace.all / scale) : 0
            let sign = pace.all > 0 ? bars[min(bars.count - 1, Int(level * Double(bars.count - 1) + 0.5))] : "·"
            let style: Style = isWasted ? .notice : .dim
            if pieces[pieces.count - 1].style == style {
                pieces[pieces.count - 1].text.append(sign)
            } else {
                pieces.append(TopSpan(text: String(sign), style: style))
            }
        }
        return pieces.filter { !$0.text.isEmpty }
    }
}

// SPDX-License-Identifier: MIT
// The tab of views: its columns and cells.

import RerenderPresentation
import RerenderToolBase

/// What the rows of views share.
struct ViewRows: Sendable {
    private typealias Column = (column: TopColumn, cell: @Sendable (RankedView) -> TopCell)

    private let order: StatsOrder
    private let isReversed: Bool
    private let look: TopLook
    /// What they share with those of `stats`.
    private let table: TableContext
    private let hasHangs: Bool
    /// Nil for what was saved, of which no rate is known.
    private let rates: RateHistory<TopRowID>?
    /// The rate that is drawn as a full bar.
    private let scale: Double
    /// The open hangs.
    private let hangs: [Hang]
    private var all: [Column] = []

    /// Columns of a trend.
    private static let trendWidth = 16

    /// - Parameters:
    ///   - rows: Those on the screen.
    ///   - rates: Nil for what was saved.
    init(
        _ rows: [RankedView], of sample: TopSample, look: TopLook, rates: RateHistory<TopRowID>?, now: Timestamp
    ) {
        (order, isReversed) = (sample.query.order, sample.query.isReversed)
        (self.look, self.rates) = (look, rates)
        table = TableContext(order: order, stores: sample.stores, rows: sample.rows, now: now)
        let open = sample.hangs.filter(\.open)
        hangs = open
        hasHangs = rows.contains { row in row.view.hangs.count > 0 || open.contains { Self.blames($0, row) } }
        scale = rows.reduce(0) { highest, row in
            let paces = rates?.paces(of: TopRowID(row)).suffix(Self.trendWidth) ?? []
            return paces.reduce(highest) { max($0, $1.all) }
        }
        all =
            (table.hasSeveralStores || order == .process ? [process] : []) + [key, count]
            + (rates == nil ? [] : [rate, trend]) + costs + (hasHangs || order == .hangs ? [hang] : []) + [why, place]
    }

    var columns: [TopColumn] { all.map(\.column) }

    /// The row of a view. A fine one is dim.
    func item(_ row: RankedView) -> TopItem {
        let health = TopHealth(row, isHanging: openHang(of: row) != nil)
        return TopItem(
            cells: all.map { $0.cell(row) }, mark: health.isFine ? nil : health.hasHung ? .bad : .notice)
    }

    private func column(
        _ title: String, _ rank: Int, _ need: ColumnLayout.Need, least: Int = 0,
        text: (minimum: Int, readable: Int, comfortable: Int)? = nil, order: StatsOrder,
        shows others: [StatsOrder] = [], isNumber: Bool? = nil, cell: @escaping @Sendable (RankedView) -> TopCell
    ) -> Column {
        let isSorted = self.order == order || others.contains(self.order)
        // Texts begin with A, numbers with the largest.
        let isDescending = (text == nil || order == .hangs) != isReversed
        let column = TopColumn(
            title: title, rank: rank, need: need, least: least, text: text, isNumber: isNumber ?? (text == nil),
            target: .order(order), sign: isSorted ? (isDescending ? "▼" : "▲") : "", isSorted: isSorted)
        return (column, cell)
    }

    private var process: Column {
        let labels = table.labels
        return column("PROCESS", 5, .useful, text: (8, 12, 16), order: .process) {
            .text(labels.label($0.store), .dim)
        }
    }

    private var key: Column {
        column("KEY", 0, .essential, text: (9, 20, 28), order: .key) { .text($0.view.key.displayName, .bold) }
    }

    private var count: Column {
        column("COUNT", 8, .useful, least: 6, order: .count) { .number(String($0.view.count), Double($0.view.count)) }
    }

    /// On a narrow screen the cause says more.
    private var rate: Column {
        let rates = rates
        return column("RATE", 4, .useful, least: 6, order: .rate) { row in
            .number(RateText.cell(row.view.perSecond ?? rates?.paces(of: TopRowID(row)).last?.all), 0)
        }
    }

    /// All rows on one scale. Where most of a moment's evaluations were wasted, its bar is marked.
    private var trend: Column {
        let (rates, scale, isUTF8) = (rates, scale, look.isUTF8)
        var trend = column(
            "TREND", 9, .useful, least: Self.trendWidth, order: .rate, isNumber: false
        ) { row in
            let pieces = Sparkline.pieces(
                rates?.paces(of: TopRowID(row)) ?? [], width: Self.trendWidth, scale: scale, unicode: isUTF8)
            return TopCell(text: pieces.map(\.text).joined(), style: .dim, pieces: pieces)
        }
        (trend.column.sign, trend.column.isSorted) = ("", false)
        return trend
    }

    private var costs: [Column] {
        let hasSelf = table.hasSelf
        let (bodies, selfTimes) = (table.scale(\.body.averageNanoseconds), table.scale { $0.selfNanoseconds ?? 0 })
        let waste = table.wasteScale
        let wasted = column("WASTED", 1, .essential, order: .share, shows: [.wasted]) { row in
            TopCell(
                text: WasteText.share(row.view),
                style: row.view.isWasteful(in: row.store) ? [.notice, .bold] : .plain)
        }
        let time = column("WTIME", 6, .useful, least: 6, order: .wasted) { row in
            TopCell(
                text: WasteText.time(row.view, waste.text), style: row.view.isWasteful(in: row.store) ? .notice : .plain
            )
        }
        let body = column(
            "BODY", 7, .useful, least: 6, order: .average, shows: hasSelf ? [] : [.time]
        ) { row in
            let average = row.view.body.averageNanoseconds
            return TopCell(text: row.time(average, bodies), style: .bodyTime(average, of: row.view))
        }
        let own = column("SELF", 11, .extra, least: 6, order: .time) { row in
            TopCell(text: row.view.selfNanoseconds.map { row.time($0, selfTimes) } ?? "-")
        }
        // On a wide screen the time says more than the share; on a narrow one the share shows the order.
        var timed = time
        if order == .wasted { (timed.column.isSorted, timed.column.sign) = (false, wasted.column.sign) }
        return [wasted, timed, body] + (hasSelf ? [own] : [])
    }

    private var hang: Column {
        let hangs = hangs
        return column("HANG", 3, .essential, order: .hangs, isNumber: false) { row in
            let open = hangs.first { Self.blames($0, row) }
            return TopCell(
                text: Self.badge(row.view, open), style: open == nil ? [.bad, .bold] : [.bad, .bold, .reverse])
        }
    }

    /// Who writes, with `~` where that is a guess, stands behind the reason where there is room for it.
    private var why: Column {
        let hints = table.hints
        return column("WHY", 2, .essential, least: 8, text: (8, 20, 64), order: .reason) {
            .text(WhyText.cell($0.view), supplement: WhyText.writer($0, hints))
        }
    }

    private var place: Column {
        column("PLACE", 10, .extra, text: (16, 24, 24), order: .place) { .text($0.place, .dim) }
    }

    // MARK: Hangs

    /// The hang that goes on and is blamed on a view.
    private func openHang(of row: RankedView) -> Hang? { hangs.first { Self.blames($0, row) } }

    private static func blames(_ hang: Hang, _ row: RankedView) -> Bool {
        hang.isBlamed(on: row.view.key, of: row.store)
    }

    /// `~HANG 1.20s` while it lasts, because whose it is is a guess until then; else how many there were.
    private static func badge(_ view: Stats, _ open: Hang?) -> String {
        if let open { return (open.guess ? "~HANG " : "HANG ") + DurationText.short(open.durationNanoseconds) }
        return view.hangs.count == 0 ? "" : "HANG×\(view.hangs.count)"
    }
}

// SPDX-License-Identifier: MIT
// The tab of views: its columns and rows.

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
        _ rows: [RankedView], of sample: TopSample, look: TopLook, rates: RateHistory<TopRowID>?, now: Timestamp
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
                cell: Self.trend(rows, rates, look)),
            column("WASTED", 1, .essential, order: .share, shows: [.share, .wasted]) {
                Cell(WasteText.share($0.view), $0.isWasteful ? [.notice, .bold] : .plain)
            },
            time,
            column(
                "BODY", 7, .useful, least: 6, order: .average, shows: hasSelf ? nil : [.average, .time],
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
        _ rows: [RankedView], _ rates: RateHistory<TopRowID>?, _ look: TopLook
    ) -> (RankedView) -> Cell {
        func paces(_ row: RankedView) -> [Pace] { rates?.paces(of: TopRowID(row)) ?? [] }
        let scale: Double = rows.reduce(0) { highest, row in
            paces(row).suffix(trendWidth).reduce(highest) { max($0, $1.all) }
        }
        return { row in
            let pieces = Sparkline.pieces(paces(row), width: trendWidth, scale: scale, unicode: look.isUTF8)
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

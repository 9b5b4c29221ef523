// SPDX-License-Identifier: MIT
// The columns of the live table.

import RerenderModel
import RerenderPresentation
import RerenderQuery
import RerenderToolBase

/// What the cells of the live table share.
struct TopContext: Sendable {
    let look: TopLook
    /// What they share with those of `stats`.
    let table: TableContext
    let hasHangs: Bool
    let rates: RateHistory
    /// The open hangs.
    let hangs: [Hang]

    init(_ model: TopModel, rows: [RankedView]) {
        look = model.look
        table = TableContext(
            order: model.order, stores: model.sample?.stores ?? [], rows: model.sample?.rows ?? [], now: model.now)
        rates = model.rates
        let open = (model.sample?.hangs ?? []).filter(\.open)
        hangs = open
        hasHangs = rows.contains { row in row.view.hangs.count > 0 || open.contains { Self.blames($0, row) } }
    }

    /// The hang that goes on and is blamed on a view.
    func hang(of row: RankedView) -> Hang? { hangs.first { Self.blames($0, row) } }

    private static func blames(_ hang: Hang, _ row: RankedView) -> Bool {
        // Don't badge rows for guessed hangs.
        hang.pid == row.store.pid && hang.view == row.view.key && hang.attribution != .lastRendered
    }
}

/// A column of the live table.
enum TopColumn: String, Sendable, CaseIterable {
    case process = "PROCESS"
    case key = "KEY"
    case count = "COUNT"
    case rate = "RATE"
    case trend = "TREND"
    case wasted = "WASTED"
    case wastedTime = "WTIME"
    case body = "BODY"
    case hang = "HANG"
    case why = "WHY"
    case place = "PLACE"

    /// Columns of a sparkline.
    static let trendWidth = 16

    /// The order that it shows, by which a click on its title sorts.
    var order: StatsOrder? {
        switch self {
        case .key: .key
        case .count: .count
        case .wasted, .wastedTime: .wasted
        case .body: .time
        case .hang: .hangs
        default: nil
        }
    }

    /// Whether its cells are numbers, which are aligned to the right.
    var isNumber: Bool {
        switch self {
        case .count, .rate, .wasted, .wastedTime, .body: true
        default: false
        }
    }

    /// How much it matters: lower ones are the first to get room. The one that is sorted by comes right after the key.
    private func rank(_ context: TopContext) -> Int {
        let order: [TopColumn] = [
            .key, .wasted, .why, .hang, .rate, .process, .wastedTime, .body, .count, .trend, .place,
        ]
        if self != .key, self != .wastedTime, self.order == context.table.order { return 1 }
        return 2 * (order.firstIndex(of: self) ?? order.count)
    }

    /// What the layout has to know; nil where the column says nothing about these rows.
    func layout(_ context: TopContext, natural: Int) -> ColumnLayout.Column? {
        let rank = rank(context)
        let isSorted = order == context.table.order
        switch self {
        case .key: return .text(rank: rank, .essential, natural: natural, minimum: 9, readable: 20, comfortable: 28)
        case .why:
            return .text(
                rank: rank, .essential, natural: max(natural, 8), minimum: 8, readable: 20, comfortable: 64)
        case .wasted: return .fixed(rank: rank, .essential, natural: natural)
        // On a narrow screen the cause says more.
        case .rate: return .fixed(rank: rank, .useful, natural: max(natural, 6))
        case .hang:
            guard isSorted || context.hasHangs else { return nil }
            return .fixed(rank: rank, .essential, natural: natural)
        case .process:
            guard context.table.hasSeveralStores else { return nil }
            return .text(rank: rank, .useful, natural: natural, minimum: 8, readable: 12, comfortable: 16)
        case .wastedTime: return .fixed(rank: rank, .useful, natural: max(natural, 6))
        case .body, .count: return .fixed(rank: rank, isSorted ? .essential : .useful, natural: max(natural, 6))
        case .trend: return .fixed(rank: rank, .useful, natural: Self.trendWidth)
        case .place: return .text(rank: rank, .extra, natural: natural, minimum: 16, readable: 24, comfortable: 24)
        }
    }

    /// The text of a cell, safe to print.
    func cell(_ row: RankedView, _ context: TopContext) -> String {
        let view = row.view
        switch self {
        case .process, .key, .count, .wastedTime, .why, .place: return shared?.cell(row, context.table) ?? ""
        case .rate: return RateText.cell(context.rates.rates(of: TopRowID(row)).last)
        case .trend:
            return Sparkline.text(
                context.rates.rates(of: TopRowID(row)), width: Self.trendWidth, unicode: context.look.isUTF8)
        case .wasted: return Self.waste(view)
        case .body: return view.count == 0 ? "-" : DurationText.short(view.body.averageNanoseconds)
        case .hang: return Self.badge(view, context.hang(of: row))
        }
    }

    /// What stands behind a cell's text where there is room for it, safe to print: who writes, with `~` where that is a
    /// guess.
    func supplement(_ row: RankedView, _ context: TopContext) -> String {
        shared?.supplement(row, context.table) ?? ""
    }

    /// The column of this name in `stats`.
    private var shared: ViewColumn? { ViewColumn(rawValue: rawValue) }

    /// The share that was wasted; `~` where all of it is inferred, `-` where none is known.
    private static func waste(_ view: Stats) -> String {
        guard view.wasted.count > 0 else { return "-" }
        return (view.wasted.measured == 0 ? "~" : "") + Percent.text(view.wasted.count, of: view.count)
    }

    /// `HANG 1.20s` while it lasts, else how many there were.
    private static func badge(_ view: Stats, _ open: Hang?) -> String {
        if let open { return "HANG " + DurationText.short(open.durationNanoseconds) }
        return view.hangs.count == 0 ? "" : "HANG×\(view.hangs.count)"
    }

    /// The style of a cell in a row that needs attention.
    func style(_ row: RankedView, _ health: TopHealth, _ context: TopContext) -> TopStyle {
        switch self {
        case .key: return .bold
        case .wasted: return health.isWasteful ? [.notice, .bold] : .plain
        case .wastedTime: return health.isWasteful ? .notice : .plain
        case .body: return TopStyle(health.time)
        case .hang: return context.hang(of: row) == nil ? [.bad, .bold] : [.bad, .bold, .reverse]
        case .process, .place, .trend: return .dim
        case .count, .rate, .why: return .plain
        }
    }
}

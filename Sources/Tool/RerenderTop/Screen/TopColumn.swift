// SPDX-License-Identifier: MIT
// The columns of the live table.

import RerenderPresentation
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
        hang.isBlamed(on: row.view.key, of: row.store)
    }
}

extension ViewColumn<TopStyle> {
    /// Columns of a sparkline.
    private static var trendWidth: Int { 16 }

    /// The columns of the live table. Styles are those of a row that needs attention.
    static func live(_ context: TopContext) -> [ViewColumn] {
        let (table, order) = (context.table, context.table.order)
        return [
            ViewColumn(
                "PROCESS", 5, .useful, text: (8, 12, 16), isShown: table.hasSeveralStores, style: { _ in .dim }
            ) { table.labels.label($0.store) },
            ViewColumn("KEY", 0, .essential, text: (9, 20, 28), order: .key, style: { _ in .bold }) {
                $0.view.key.displayName
            },
            ViewColumn("COUNT", 8, .useful, least: 6, order: .count, isSorted: order == .count) {
                String($0.view.count)
            },
            // On a narrow screen the cause says more.
            ViewColumn("RATE", 4, .useful, least: 6) { RateText.cell(context.rates.rates(of: TopRowID($0)).last) },
            ViewColumn("TREND", 9, .useful, least: trendWidth, isNumber: false, style: { _ in .dim }) {
                Sparkline.text(
                    context.rates.rates(of: TopRowID($0)), width: trendWidth, unicode: context.look.isUTF8)
            },
            ViewColumn(
                "WASTED", 1, .essential, order: .wasted, isSorted: order == .wasted,
                style: { $0.view.isWasteful(in: $0.store) ? [.notice, .bold] : .plain }
            ) { WasteText.share($0.view) },
            ViewColumn(
                "WTIME", 6, .useful, least: 6, order: .wasted,
                style: { $0.view.isWasteful(in: $0.store) ? .notice : .plain }
            ) { $0.wastedTime },
            ViewColumn(
                "BODY", 7, .useful, least: 6, order: .time, isSorted: order == .time && !table.hasSelf,
                style: { TopStyle(.bodyTime($0.view.body.averageNanoseconds, of: $0.view)) }
            ) { $0.time($0.view.body.averageNanoseconds) },
            ViewColumn(
                "SELF", 11, .extra, least: 6, order: .time, isSorted: order == .time && table.hasSelf,
                isShown: table.hasSelf
            ) { $0.selfTime },
            ViewColumn(
                "HANG", 3, .essential, order: .hangs, isSorted: order == .hangs, isShown: context.hasHangs,
                isNumber: false, style: { context.hang(of: $0) == nil ? [.bad, .bold] : [.bad, .bold, .reverse] }
            ) { badge($0.view, context.hang(of: $0)) },
            // Who writes, with `~` where that is a guess, stands behind the reason where there is room for it.
            ViewColumn(
                "WHY", 2, .essential, least: 8, text: (8, 20, 64), supplement: { WhyText.writer($0, table.hints) }
            ) { WhyText.cell($0.view) },
            ViewColumn("PLACE", 10, .extra, text: (16, 24, 24), style: { _ in .dim }) { $0.place },
        ]
    }

    /// `~HANG 1.20s` while it lasts, because whose it is is a guess until then; else how many there were.
    private static func badge(_ view: Stats, _ open: Hang?) -> String {
        if let open { return (open.guess ? "~HANG " : "HANG ") + DurationText.short(open.durationNanoseconds) }
        return view.hangs.count == 0 ? "" : "HANG×\(view.hangs.count)"
    }
}

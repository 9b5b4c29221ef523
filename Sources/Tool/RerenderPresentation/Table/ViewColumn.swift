// SPDX-License-Identifier: MIT
// The columns of the tables of views: their cells, widths and priorities.

package import RerenderToolBase

/// A column of a table of views.
package struct ViewColumn<CellStyle> {
    package let title: String
    let rank: Int
    let need: ColumnLayout.Need
    let least: Int
    let text: (minimum: Int, readable: Int, comfortable: Int)?
    package let order: StatsOrder?
    let isSorted: Bool
    package let isShown: Bool
    /// Whether its cells are numbers, which are aligned to the right.
    package let isNumber: Bool
    /// The style of a cell; nil for plain ones.
    package let style: ((RankedView) -> CellStyle)?
    /// Text after the cell's own, if there is room. Safe to print.
    package let supplement: (RankedView) -> String
    /// The text of a cell, safe to print.
    package let cell: (RankedView) -> String

    /// Makes a column.
    ///
    /// - Parameters:
    ///   - rank: How much it matters: lower ones are the first to get room.
    ///   - need: What it may cost the others.
    ///   - least: The least width.
    ///   - text: How far a text can be squeezed; nil for a column that keeps its width.
    ///   - order: The order that it shows, by which a click on its title sorts.
    ///   - isSorted: Whether the rows are in its order: then it is essential, and comes right after the key.
    ///   - isShown: Whether it says something about these views. One that is sorted by is shown in any case.
    ///   - isNumber: Nil where all but texts are numbers.
    package init(
        _ title: String, _ rank: Int, _ need: ColumnLayout.Need, least: Int = 0,
        text: (minimum: Int, readable: Int, comfortable: Int)? = nil, order: StatsOrder? = nil, isSorted: Bool = false,
        isShown: Bool = true, isNumber: Bool? = nil, style: ((RankedView) -> CellStyle)? = nil,
        supplement: @escaping (RankedView) -> String = { _ in "" }, cell: @escaping (RankedView) -> String
    ) {
        (self.title, self.rank, self.need, self.least, self.text) = (title, 2 * rank, need, least, text)
        (self.order, self.isSorted, self.isShown) = (order, isSorted, isShown || isSorted)
        self.isNumber = isNumber ?? (text == nil)
        (self.style, self.supplement, self.cell) = (style, supplement, cell)
    }

    /// What the layout has to know.
    ///
    /// - Parameter natural: The width of its widest cell, its title included.
    package func layout(natural: Int) -> ColumnLayout.Column {
        let text = text ?? (.max, .max, .max)
        return ColumnLayout.Column(
            rank: isSorted ? 1 : rank, isSorted ? .essential : need, natural: max(natural, least),
            minimum: text.minimum, readable: text.readable, comfortable: text.comfortable)
    }
}

extension ViewColumn<Style> {
    /// The columns of `stats`.
    static func all(_ context: TableContext) -> [ViewColumn] {
        let order = context.order
        return [
            ViewColumn(
                "PROCESS", 3, .essential, text: (12, 16, 16), isSorted: order == .process,
                isShown: context.hasSeveralStores, style: { _ in .dim }
            ) { context.labels.label($0.store) },
            ViewColumn("KEY", 0, .essential, text: (14, 24, 32), style: { _ in .bold }) { $0.view.key.displayName },
            ViewColumn("COUNT", 1, .essential, isSorted: order == .count) { String($0.view.count) },
            ViewColumn("PASSES", 6, .useful, isShown: context.hasPasses) { $0.view.passes.map { String($0) } ?? "-" },
            ViewColumn("INST", 12, .extra) { String($0.view.instances) },
            ViewColumn("COMMITS", 13, .extra, isShown: context.hasCommits) { String($0.view.commits) },
            ViewColumn("WASTED", 5, .useful, isSorted: order == .share, style: wasted) { WasteText.cell($0.view) },
            wastedTime(context),
            time("AVG", 7, .useful, context, \.averageNanoseconds, isSorted: order == .average),
            time("P95", 9, .extra, context, \.p95Nanoseconds),
            time("P99", 17, .extra, context, \.p99Nanoseconds), time("MAX", 8, .useful, context, \.maxNanoseconds),
            selfTime(context), totalTime(context),
            ViewColumn(
                "HANGS", 4, .essential, isSorted: order == .hangs, isShown: context.hasHangs,
                style: { $0.view.hangs.count > 0 ? .bad : .plain }
            ) { $0.view.hangs.count == 0 ? "-" : String($0.view.hangs.count) },
            ViewColumn("AGO", 15, .extra, style: { _ in .dim }) {
                AgoText.cell($0.view.lastRenderedAt, now: context.now)
            },
            // `<external signal> 99%` is to be read whole.
            ViewColumn(
                "WHY", 2, .essential, text: (14, 21, 24), isSorted: order == .reason,
                supplement: { WhyText.writer($0, context.hints) }
            ) { WhyText.cell($0.view) },
            ViewColumn(
                "PLACE", 16, .extra, text: (16, 24, 24), isSorted: order == .place, style: { _ in .dim }
            ) { $0.place },
        ]
    }

    private static func time(
        _ title: String, _ rank: Int, _ need: ColumnLayout.Need, _ context: TableContext,
        _ time: KeyPath<Timing, UInt64>, isSorted: Bool = false
    ) -> ViewColumn {
        let scale = context.scale { $0.body[keyPath: time] }
        return ViewColumn(
            title, rank, need, isSorted: isSorted, style: { .bodyTime($0.view.body[keyPath: time], of: $0.view) }
        ) {
            $0.time($0.view.body[keyPath: time], scale)
        }
    }

    private static func wastedTime(_ context: TableContext) -> ViewColumn {
        let scale = context.wasteScale
        return ViewColumn("WTIME", 14, .extra, isSorted: context.order == .wasted, isShown: context.hasWaste) {
            WasteText.time($0.view, scale.text)
        }
    }

    private static func selfTime(_ context: TableContext) -> ViewColumn {
        let isSorted = context.order == .time && context.hasSelf
        let scale = context.scale { $0.selfNanoseconds ?? 0 }
        return ViewColumn("SELF", 10, .extra, isSorted: isSorted, isShown: context.hasSelf) { row in
            row.view.selfNanoseconds.map { row.time($0, scale) } ?? "-"
        }
    }

    private static func totalTime(_ context: TableContext) -> ViewColumn {
        let scale = context.scale { $0.body.totalNanoseconds }
        return ViewColumn("TOTAL", 11, .extra, isSorted: context.order == .time && !context.hasSelf) {
            $0.time($0.view.body.totalNanoseconds, scale)
        }
    }

    private static func wasted(_ row: RankedView) -> Style {
        guard row.view.wasted.count > 0 else { return .dim }
        return row.view.isWasteful(in: row.store) ? .notice : .plain
    }
}

extension RankedView {
    /// A time of its evaluations, in the unit of its column.
    package func time(_ nanoseconds: UInt64, _ scale: DurationScale) -> String {
        view.count == 0 ? "-" : scale.text(nanoseconds)
    }

    /// File and line of the probe.
    package var place: String { view.file.isEmpty ? "-" : Printable.text("\(view.file):\(view.line)") }
}

extension Style {
    /// That of a body's time, as Instruments marks it: from 500 µs orange, from 1 ms red (WWDC 2025, session 306).
    ///
    /// A longer time than the view's 95th percentile counts as that: one long evaluation does not make a view slow.
    package static func bodyTime(_ nanoseconds: UInt64, of view: Stats) -> Style {
        switch min(nanoseconds, view.body.p95Nanoseconds) {
        case 1_000_000...: .bad
        case 500_000...: .notice
        default: .plain
        }
    }
}

// SPDX-License-Identifier: MIT
// The columns of the table of views: their cells, widths and priorities.

import RerenderModel
package import RerenderQuery
package import RerenderToolBase

/// A column of the table of views.
package enum ViewColumn: String, Sendable, CaseIterable {
    case process = "PROCESS"
    case key = "KEY"
    case count = "COUNT"
    case instances = "INST"
    case commits = "COMMITS"
    case wasted = "WASTED"
    case wastedTime = "WTIME"
    case average = "AVG"
    case p95 = "P95"
    case p99 = "P99"
    case max = "MAX"
    case total = "TOTAL"
    case hangs = "HANGS"
    case ago = "AGO"
    case why = "WHY"
    case place = "PLACE"

    /// Whether its cells are numbers, which are aligned to the right.
    var isNumber: Bool {
        switch self {
        case .process, .key, .why, .place: false
        default: true
        }
    }

    /// How much it matters: lower ones are the first to get room. Even, so that the sorted one fits in after the key.
    private var rank: Int {
        let order: [ViewColumn] = [
            .key, .count, .why, .process, .hangs, .wasted, .average, .max, .p95, .total, .instances, .commits,
            .wastedTime, .ago, .place, .p99,
        ]
        return 2 * (order.firstIndex(of: self) ?? order.count)
    }

    /// What the layout has to know; nil where the column says nothing about these views.
    func layout(_ context: TableContext, natural: Int) -> ColumnLayout.Column? {
        let sorted = self == context.order.column
        let rank = sorted && self != .key ? 1 : rank
        switch self {
        case .process:
            guard context.hasSeveralStores else { return nil }
            return .text(rank: rank, .essential, natural: natural, minimum: 12, readable: 16, comfortable: 16)
        case .key: return .text(rank: rank, .essential, natural: natural, minimum: 14, readable: 24, comfortable: 32)
        // `<external signal> 99%` is to be read whole.
        case .why: return .text(rank: rank, .essential, natural: natural, minimum: 14, readable: 21, comfortable: 24)
        case .place: return .text(rank: rank, .extra, natural: natural, minimum: 16, readable: 24, comfortable: 24)
        case .count: return .fixed(rank: rank, .essential, natural: natural)
        case .wasted, .average, .max: return .fixed(rank: rank, sorted ? .essential : .useful, natural: natural)
        case .hangs:
            guard sorted || context.hasHangs else { return nil }
            return .fixed(rank: rank, .essential, natural: natural)
        case .wastedTime:
            guard sorted || context.hasWaste else { return nil }
            return .fixed(rank: rank, sorted ? .essential : .extra, natural: natural)
        case .commits where !context.hasCommits: return nil
        default: return .fixed(rank: rank, sorted ? .essential : .extra, natural: natural)
        }
    }

    /// Text after the cell's own, if there is room. Safe to print.
    package func supplement(_ row: RankedView, _ context: TableContext) -> String {
        self == .why ? WhyText.writer(row, context.hints) : ""
    }

    /// The text of a cell, safe to print.
    package func cell(_ row: RankedView, _ context: TableContext) -> String {
        let view = row.view
        switch self {
        case .process: return context.labels.label(row.store)
        case .key: return view.key.displayName
        case .count: return String(view.count)
        case .instances: return String(view.instances)
        case .commits: return String(view.commits)
        case .wasted: return WasteText.cell(view)
        case .wastedTime: return view.wasted.count == 0 ? "-" : DurationText.short(view.wasted.nanoseconds)
        case .average: return time(view.body.averageNanoseconds, of: view)
        case .p95: return time(view.body.p95Nanoseconds, of: view)
        case .p99: return time(view.body.p99Nanoseconds, of: view)
        case .max: return time(view.body.maxNanoseconds, of: view)
        case .total: return time(view.body.totalNanoseconds, of: view)
        case .hangs: return view.hangs.count == 0 ? "-" : String(view.hangs.count)
        case .ago: return AgoText.cell(view.lastRenderedAt, now: context.now)
        case .why: return WhyText.cell(view)
        case .place: return view.file.isEmpty ? "-" : Printable.text("\(view.file):\(view.line)")
        }
    }

    /// The style of a cell.
    func style(_ row: RankedView) -> Style {
        let view = row.view
        switch self {
        case .average: return .bodyTime(view.body.averageNanoseconds)
        case .p95: return .bodyTime(view.body.p95Nanoseconds)
        case .p99: return .bodyTime(view.body.p99Nanoseconds)
        case .max: return .bodyTime(view.body.maxNanoseconds)
        case .wasted where view.wasted.count == 0: return .dim
        case .wasted: return view.wasted.count > view.count / 2 && view.count > 1 ? .notice : .plain
        case .hangs: return view.hangs.count > 0 ? .bad : .plain
        case .process, .place, .ago: return .dim
        case .key: return .bold
        default: return .plain
        }
    }

    private func time(_ nanoseconds: UInt64, of view: Stats) -> String {
        view.count == 0 ? "-" : DurationText.short(nanoseconds)
    }
}

extension StatsOrder {
    /// The column that shows what this order ranks by.
    package var column: ViewColumn {
        switch self {
        case .count: .count
        case .wasted: .wastedTime
        case .time: .total
        case .hangs: .hangs
        case .key: .key
        }
    }
}

extension Style {
    /// That of a body's time, as Instruments marks it: from 500 µs orange, from 1 ms red (WWDC 2025, session 306).
    package static func bodyTime(_ nanoseconds: UInt64) -> Style {
        switch nanoseconds {
        case 1_000_000...: .bad
        case 500_000...: .notice
        default: .plain
        }
    }
}

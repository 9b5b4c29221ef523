// SPDX-License-Identifier: MIT
// The tab of processes: a row for each store.

import RerenderPresentation
import RerenderToolBase

/// Makes a row of each store of each process.
enum ProcessRows {
    static func list(_ sample: TopSample, _ rates: RateHistory<String>, isLive: Bool) -> TopList {
        let labels = StoreLabels(sample.stores)
        var list = TopList(columns: columns(isLive))
        let longest = DurationScale(sample.stores.map(\.hangs.worstNanoseconds))
        list.items = sample.stores.map { item($0, labels, rates, longest, sample, isLive) }
        list.usual = (2, true)
        list.empty = sample.noStores
        return list
    }

    /// Names a store in the rates.
    static func id(_ store: ProcessStats) -> String {
        "\(store.pid)/\(store.startedAt.nanosecondsSince1970)/\(store.storeNumber)/\(store.store)"
    }

    private static func columns(_ isLive: Bool) -> [TopColumn] {
        let all = [
            TopColumn(title: "PROCESS", rank: 0, need: .essential, text: (10, 20, 32), isNumber: false),
            TopColumn(title: "STATE", rank: 4, need: .useful, least: 9, isNumber: false),
            TopColumn(title: "EVALS", rank: 1, need: .essential, least: 6),
            TopColumn(title: "RATE", rank: 3, need: .useful, least: 6),
            TopColumn(title: "HANGS", rank: 2, need: .essential, least: 5),
            TopColumn(title: "LONGEST", rank: 5, need: .useful, least: 6),
            TopColumn(title: "MICRO", rank: 8, need: .extra, least: 5),
            TopColumn(title: "CYCLES", rank: 7, need: .extra, least: 6),
            TopColumn(title: "LOST", rank: 6, need: .useful, least: 4),
            TopColumn(title: "LOOP", rank: 9, need: .extra, text: (4, 9, 9), isNumber: false),
            TopColumn(title: "SEEN", rank: 10, need: .extra, least: 4),
        ]
        return isLive ? all : all.filter { $0.title != "RATE" }
    }

    private static func item(
        _ store: ProcessStats, _ labels: StoreLabels, _ rates: RateHistory<String>, _ longest: DurationScale,
        _ sample: TopSample, _ isLive: Bool
    ) -> TopItem {
        let rate = rates.paces(of: id(store)).last?.all
        let missing = store.lost.clampedSum(store.dropped)
        let cycles = UInt64(store.cycles?.count ?? 0)
        let last = store.lastRenderedAt.map { Double(sample.at.nanoseconds(since: $0)) } ?? .infinity
        let hung: Style = store.hangs.count > 0 ? .bad : .plain
        let cells =
            [
                TopCell.text(labels.full(store), .bold), .text(store.connected ? "connected" : "ended"),
                .number(String(store.evaluations), Double(store.evaluations)),
            ]
            + (isLive ? [.number(RateText.cell(rate), rate ?? -1)] : []) + [
                .count(store.hangs.count, hung), .duration(store.hangs.worstNanoseconds, in: longest, hung),
                .count(store.microHangs), .count(cycles, cycles > 0 ? .notice : .plain),
                .count(missing, missing > 0 ? .bad : .plain),
                .text(store.mainLoop == .none ? "-" : store.mainLoop.rawValue),
                .number(AgoText.cell(store.lastRenderedAt, now: sample.at), last),
            ]
        let mark: Style? = hung == .bad || missing > 0 ? .bad : cycles > 0 ? .notice : nil
        return TopItem(id: id(store), cells: cells, mark: mark, blocks: blocks(store, sample))
    }

    private static func blocks(_ store: ProcessStats, _ sample: TopSample) -> [TopBlock] {
        // What the daemon dropped is of no one process.
        let notes = StatsNotes(stores: [store], health: nil, order: .count).lines.map(\.text)
        let hangs = store.hangs
        let counted =
            hangs.count == 0
            ? []
            : [
                "\(Counted.text(hangs.count, "hang")), \(DurationText.short(hangs.totalNanoseconds)) in all, the longest "
                    + "\(DurationText.short(hangs.worstNanoseconds)), "
                    + "\(store.hangsOfNoView?.count ?? 0) of them blamed on no view"
            ]
        let latest = sample.hangs.filter { $0.pid == store.pid }.prefix(3).map {
            HangText(hang: $0, now: sample.at).headline.text
        }
        let cycles = (store.cycles ?? []).map { $0.summary }
        let threshold =
            "a turn of the main loop is a hang from \(store.hangThresholdMilliseconds) ms on, "
            + "a micro-hang from \(store.microHangThresholdMilliseconds) ms on"
        return [
            TopBlock("state", texts: notes), TopBlock("hangs", texts: counted + latest + [threshold]),
            TopBlock("cycle", texts: cycles), TopBlock("else", texts: NotSeenText.lines([store])),
        ]
    }
}

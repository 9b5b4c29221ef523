// SPDX-License-Identifier: MIT
// The tab of cycles, and of what goes on without input.

/// Makes a row of each cycle, and of each cause that goes on while nobody uses the program.
enum CycleRows {
    /// - Parameter isCountedAnew: Whether other tabs show what came since a moment, which this one does not know.
    static func list(_ sample: TopSample, isCountedAnew: Bool) -> TopList {
        let labels = StoreLabels(sample.stores)
        var list = TopList(columns: columns)
        list.items = sample.stores.flatMap { store in
            let name = labels.full(store)
            return (store.cycles ?? []).enumerated().map { cycle($0.element, $0.offset, store, name, sample.at) }
                + (store.idleWork ?? []).enumerated().map { work($0.element, $0.offset, store, name, sample.at) }
        }
        list.usual = (0, false)
        if isCountedAnew { list.note = "all since each store began: r does not count these anew" }
        list.empty = ["No cycle was seen, and nothing goes on without input where that is known."]
        return list
    }

    private static let columns = [
        ColumnHead("WHAT", 1, .essential, least: 8, isNumber: false),
        ColumnHead("STEPS", 0, .essential, text: (14, 30, 70)),
        ColumnHead("TIMES", 2, .essential, least: 6),
        ColumnHead("RATE", 3, .useful, least: 6),
        ColumnHead("CORE", 4, .useful, least: 5),
        ColumnHead("SEEN", 5, .useful, least: 4),
        ColumnHead("PROCESS", 6, .useful, text: (8, 16, 32)),
    ]

    private static func cycle(
        _ cycle: Cycle, _ number: Int, _ store: ProcessStats, _ name: String, _ now: Timestamp
    ) -> TopItem {
        let steps = cycle.steps.map { Printable.text($0.name) }
        let path =
            steps.isEmpty ? "cycles for which there was no room" : (steps + steps.prefix(1)).joined(separator: " → ")
        let cells = [
            Cell.text("cycle", .notice), .text(path, .bold), .count(cycle.rounds),
            .number(RateText.cell(cycle.perSecond), cycle.perSecond ?? -1), .number("-", -1),
            ago(cycle.latestAt, now), .text(name, .dim),
        ]
        let texts = [cycle.summary] + CycleText.writers(cycle)
        return TopItem(
            id: "\(ProcessRows.id(store))/cycle/\(number)", cells: cells, mark: .notice,
            blocks: [TopBlock("cycle", texts: texts), TopBlock("in", texts: [name])],
            place: cycle.steps.lazy.compactMap { $0.writer.flatMap { SourcePlace.last(in: $0) } }.first)
    }

    private static func work(
        _ work: IdleWork, _ number: Int, _ store: ProcessStats, _ name: String, _ now: Timestamp
    ) -> TopItem {
        let what: String =
            switch work.kind {
            case .evaluations: "\(Printable.text(work.view)): \(IdleText.cause(work))"
            case .frames: "frames"
            case .others: "other causes"
            }
        let share = work.share.map { $0 * 100 }
        let cells = [
            Cell.text("no input"), .text(what), .count(work.all.count),
            .number(RateText.cell(work.perSecond), work.perSecond ?? -1),
            .number(share.map { PercentOfCore.text($0) } ?? "-", share ?? -1), ago(work.latestAt, now),
            .text(name, .dim),
        ]
        let texts = [
            what, "It goes on while nobody uses the program, which is a fact and no fault: a clock has to go on.",
            work.kind == .others
                ? nil
                : "\(Counted.text(work.latest.count, work.kind == .frames ? "frame" : "evaluation")) in the latest row of "
                    + DurationText.short(work.latestDuration),
        ].compactMap(\.self)
        return TopItem(
            id: "\(ProcessRows.id(store))/work/\(number)", cells: cells, mark: nil,
            blocks: [TopBlock("cause", texts: texts), TopBlock("in", texts: [name])],
            place: work.writer.flatMap { SourcePlace.last(in: $0) })
    }

    private static func ago(_ time: Timestamp, _ now: Timestamp) -> Cell {
        .number(AgoText.cell(time, now: now), -Double(now.nanoseconds(since: time)))
    }
}

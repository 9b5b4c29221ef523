// SPDX-License-Identifier: MIT
// The tabs of writers and of cycles: the code that makes views evaluate, and the causes that go on without input.

/// Makes a row of each piece of code that wrote what led to evaluations.
enum WriterRows {
    /// The evaluations that followed the writes of one piece of code in one store.
    struct Writer: Sendable {
        let id: String
        let store: ProcessStats
        /// As the app names it.
        let name: String
        var count: UInt64 = 0
        /// Those that a guess gives it, by the name of a value.
        var guessed: UInt64 = 0
        /// Evaluations by view and reason.
        var effects: [Effect] = []
        var isWasteful = false

        /// The same, most first.
        var ranked: [Effect] {
            effects.sorted { ($0.count, $1.view.rawValue) > ($1.count, $0.view.rawValue) }
        }
    }

    /// What followed for one view.
    struct Effect: Sendable {
        let view: ViewKey
        let reason: String
        let count: UInt64
        let isGuess: Bool
    }

    /// The writers of some views, most evaluations first.
    static func writers(_ rows: [RankedView]) -> [Writer] {
        let hints = CauseHints(rows)
        var writers: [String: Writer] = [:]
        func add(_ name: String, _ row: RankedView, _ reason: ReasonCount, _ count: UInt64, isGuess: Bool) {
            let id = "\(ProcessRows.id(row.store))/\(name)"
            var writer = writers[id] ?? Writer(id: id, store: row.store, name: name)
            writer.count = writer.count.clampedSum(isGuess ? 0 : count)
            writer.guessed = writer.guessed.clampedSum(isGuess ? count : 0)
            writer.effects.append(Effect(view: row.view.key, reason: reason.reason, count: count, isGuess: isGuess))
            writer.isWasteful = writer.isWasteful || row.isWasteful
            writers[id] = writer
        }
        for row in rows {
            for reason in row.view.reasons {
                for writer in reason.writers where writer.writer != Reason.other {
                    add(writer.writer, row, reason, writer.count, isGuess: false)
                }
            }
            if let hint = hints.hint(row) { add(hint.writer, row, hint.reason, hint.reason.count, isGuess: true) }
        }
        return writers.values.sorted {
            let (left, right) = ($0.count.clampedSum($0.guessed), $1.count.clampedSum($1.guessed))
            return left != right ? left > right : $0.id < $1.id
        }
    }

    static func list(_ sample: TopSample, _ writers: [Writer], _ rates: RateHistory<String>, isLive: Bool) -> TopList {
        let labels = StoreLabels(sample.stores)
        let columns = columns(labels, rates, isLive, sample.stores.count > 1).filter(\.head.isShown)
        var list = TopList(columns: columns.map(\.head), items: writers.map { item($0, columns, labels) })
        list.usual = (1, true)
        list.empty = empty(sample)
        let left = sample.total > sample.rows.count
        let words = StoreWords(sample.stores)
        let part =
            "writers of the \(sample.rows.count) \(words.noun)s with most \(words.event)s, "
            + "of \(Counted.grouped(UInt64(sample.total)))"
        let notes = (left ? [part] : []) + sample.names
        if !notes.isEmpty { list.note = notes.joined(separator: "; ") }
        return list
    }

    /// What would make writers known: symbols, and of views that a program counts itself values that are observed.
    private static func empty(_ sample: TopSample) -> [String] {
        let ofViews = sample.stores.contains { $0.kind != .widgets && $0.kind != .loop }
        let how = "A writer is known of an observed value: see the guide to instrumenting an app."
        return ["No writer is known." + (ofViews && sample.names.isEmpty ? " " + how : "")] + sample.names
    }

    private static func columns(
        _ labels: StoreLabels, _ rates: RateHistory<String>, _ isLive: Bool, _ hasSeveralStores: Bool
    ) -> [Column<Writer>] {
        [
            Column(.init("WRITER", 0, .essential, text: (16, 30, 60))) { .text(Printable.text($0.name), .bold) },
            Column(.init("EVALS", 1, .essential, least: 6)) {
                let counts = [$0.count > 0 ? String($0.count) : nil, $0.guessed > 0 ? "~\($0.guessed)" : nil]
                return .number(
                    counts.compactMap(\.self).joined(separator: " "), Double($0.count.clampedSum($0.guessed)))
            },
            Column(.init("RATE", 3, .useful, least: 6, isShown: isLive)) {
                let rate = rates.paces(of: $0.id).last?.all
                return .number(RateText.cell(rate), rate ?? -1)
            },
            Column(.init("VIEWS", 4, .useful, least: 5)) {
                let views = Set($0.effects.map(\.view)).count
                return .number(String(views), Double(views))
            },
            Column(.init("MOST", 2, .useful, text: (10, 20, 40))) {
                .text($0.ranked.first.map { "\($0.view.displayName) by \(Printable.text($0.reason))" } ?? "-")
            },
            Column(.init("PROCESS", 5, .useful, text: (8, 12, 24), isShown: hasSeveralStores)) {
                .text(labels.label($0.store), .dim)
            },
        ]
    }

    private static func item(_ writer: Writer, _ columns: [Column<Writer>], _ labels: StoreLabels) -> TopItem {
        let shown = writer.ranked.prefix(shownEffects).map { effect in
            let sign = effect.isGuess ? "~" : ""
            return "\(sign)\(effect.count) of \(effect.view.displayName) by \(Printable.text(effect.reason))"
        }
        let more = writer.effects.count - shown.count
        let rest = more > 0 ? [Counted.rest(more, "cause", see: "export (x)")] : []
        return TopItem(
            id: writer.id, cells: columns.map { $0.cell(writer) }, mark: writer.isWasteful ? .notice : nil,
            blocks: [
                TopBlock("code", texts: [Printable.text(writer.name)]), TopBlock("evals", texts: shown + rest),
                TopBlock("in", texts: [labels.full(writer.store)]),
            ], place: SourcePlace.last(in: writer.name))
    }

    private static let shownEffects = 20
}

/// Makes a row of each cycle, and of each cause that goes on while the user does nothing.
enum CycleRows {
    /// - Parameter isCountedAnew: Whether other tabs show what came since a moment, which this one does not know.
    static func list(_ sample: TopSample, isCountedAnew: Bool) -> TopList {
        let (labels, shares) = (StoreLabels(sample.stores), CoreShares(sample.stores))
        var list = TopList(columns: columns)
        list.items = sample.stores.flatMap { store in
            let name = labels.full(store)
            return (store.cycles ?? []).enumerated().map { cycle($0.element, $0.offset, store, name, sample.at) }
                + (store.idleWork ?? []).enumerated().map {
                    work($0.element, $0.offset, shares.share(of: $0.element, in: store.pid), store, name, sample.at)
                }
        }
        list.usual = (0, false)
        if isCountedAnew { list.note = "all since each store began: r does not count these anew" }
        list.empty = ["No cycle was seen, and nothing went on without input where that is known."]
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
        _ work: IdleWork, _ number: Int, _ share: CoreShare?, _ store: ProcessStats, _ name: String, _ now: Timestamp
    ) -> TopItem {
        let what: String =
            switch work.kind {
            case .evaluations: "\(Printable.text(work.view)): \(IdleText.cause(work))"
            case .frames: "frames"
            case .others: "other causes"
            }
        let cells = [
            Cell.text("no input"), .text(what), .count(work.all.count),
            .number(RateText.cell(work.perSecond), work.perSecond ?? -1),
            .number(share?.text ?? "-", share?.percent ?? -1), ago(work.latestAt, now),
            .text(name, .dim),
        ]
        let words = StoreWords(store.kind)
        let (own, wasted) = (work.latest.own, min(work.latest.wasted ?? 0, work.latest.own))
        // A third of them is what makes a finding.
        let isOver = !IdleText.goesOn(work, in: store, now)
        let judged =
            wasted > 0 && wasted >= own / 3
            ? "and \(Counted.grouped(wasted)) of \(words.events(own)) were not needed."
            : "which \(isOver ? "was" : "is") normal for a clock or an animation, and a fault elsewhere."
        let texts = [
            what, "It \(isOver ? "went" : "goes") on without input, \(judged)",
            work.kind == .others
                ? nil
                : "\(Counted.text(work.latest.count, work.kind == .frames ? "frame" : words.event)) in the latest row of "
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

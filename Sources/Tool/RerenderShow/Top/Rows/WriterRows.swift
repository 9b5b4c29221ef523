// SPDX-License-Identifier: MIT
// The tab of writers: what code makes views evaluate.

/// Makes a row of each piece of code that wrote what led to evaluations.
enum WriterRows {
    /// The evaluations that followed the writes of one piece of code in one store.
    struct Writer: Sendable {
        let id: String
        let store: ProcessStats
        /// As the app names it.
        let name: String
        var count: UInt64 = 0
        /// Those of which it is a guess, by the name of a value.
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
        list.empty = [
            "No writer is known. A writer is known of an observed value: see the guide to instrumenting an app."
        ]
        if sample.total > sample.rows.count {
            list.note =
                "writers of the \(sample.rows.count) views with most evaluations, of \(Counted.grouped(UInt64(sample.total)))"
        }
        return list
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
        let rest = more > 0 ? ["\(Counted.text(more, "more cause"))"] : []
        return TopItem(
            id: writer.id, cells: columns.map { $0.cell(writer) }, mark: writer.isWasteful ? .notice : nil,
            blocks: [
                TopBlock("code", texts: [Printable.text(writer.name)]), TopBlock("evals", texts: shown + rest),
                TopBlock("in", texts: [labels.full(writer.store)]),
            ], place: SourcePlace.last(in: writer.name))
    }

    private static let shownEffects = 20
}

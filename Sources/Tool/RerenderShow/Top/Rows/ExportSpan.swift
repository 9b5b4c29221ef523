// SPDX-License-Identifier: MIT
// What came between two exports of one daemon, as an export with a verdict of its own.

package import RerenderModel

/// The counts of a span of time. Sums are subtracted; of what is known of a longer time alone, it is said which time that is.
package struct ExportSpan: Sendable {
    /// What came in it. A store that began in it is there as a whole.
    package let export: StatsExport
    /// What is judged by an earlier time, and whose counts were reset in it, as sentences.
    package let remarks: [String]

    /// - Parameters:
    ///   - old: The export at the beginning, with all views.
    ///   - new: The export at the end, by the same daemon and of the same processes.
    ///   - hangs: Those that the daemon lists, newest first.
    package init(from old: StatsExport, to new: StatsExport, hangs: [Hang]) {
        let start = old.generatedAt
        var sample = Self.sample(new)
        sample.hangs = hangs
        let since = TopBaseline(Self.sample(old)).map { $0.since(sample) } ?? sample
        let views = Dictionary(grouping: since.rows) { StoreID($0.store) }
        let before = Self.byID(old), now = Self.byID(new)
        // The store with a process's main loop need not be the one that tells of its frames.
        let drawing = since.stores.filter { store in
            (store.idleWork ?? []).contains { $0.kind == .frames && $0.latestAt >= start }
        }
        let areDrawing = Set(drawing.map(\.pid))
        var stores: [ProcessStats] = [], remarks: [String] = []
        for store in since.stores {
            let id = StoreID(store)
            var part = StoreSpan(store.with(views: (views[id] ?? []).map(\.view)), start)
            if let old = before[id] {
                part.subtract(old, of: now[id], hasFrames: areDrawing.contains(store.pid))
                if let began = store.countedSince, now[id]?.wasReset(since: old) == true {
                    remarks.append(
                        "\(StoreLabels.full(store)): its counts were reset at \(LocalTime.text(began)), and these are what came after that"
                    )
                }
            }
            part.dropUncalledRows()
            stores.append(part.store)
            if let earlier = part.judgedUntil {
                remarks.append(
                    "\(Printable.text(store.name))[\(store.pid)]: what goes on without input is judged by its longest time, which ended at "
                        + LocalTime.text(earlier))
            }
        }
        self.remarks = remarks
        export = StatsExport(
            generatedAt: new.generatedAt, processes: stores,
            verdict: VerdictBuilder.verdict(of: stores, .live, now: new.generatedAt))
    }

    private static func sample(_ export: StatsExport) -> TopSample {
        let rows = StatsOrder.count.ranked(export.processes)
        return TopSample(
            query: TopQuery(order: .count, first: 0, limit: rows.count, filter: ""), at: export.generatedAt,
            stores: export.processes.map { $0.with(views: []) }, rows: rows, total: rows.count)
    }

    private static func byID(_ export: StatsExport) -> [StoreID: ProcessStats] {
        Dictionary(export.processes.map { (StoreID($0), $0) }) { first, _ in first }
    }
}

/// What is a store's own in a span.
private struct StoreSpan {
    var store: ProcessStats
    private let start: Timestamp
    /// When the seconds in a row ended that stand for what goes on now; nil where they reach into the span.
    private(set) var judgedUntil: Timestamp?

    init(_ store: ProcessStats, _ start: Timestamp) { (self.store, self.start) = (store, start) }

    /// - Parameters:
    ///   - old: The store at the beginning.
    ///   - whole: The store at the end, from which nothing was subtracted.
    ///   - hasFrames: Whether its process drew frames without input in the span.
    mutating func subtract(_ old: ProcessStats, of whole: ProcessStats?, hasFrames: Bool) {
        let work = (store.idleWork ?? []).filter { $0.latestAt >= start }
        let cycles = (store.cycles ?? []).filter { $0.latestAt >= start }
        store.idleWork = work.isEmpty ? nil : work
        store.cycles = cycles.isEmpty ? nil : cycles
        let isAnew = whole?.wasReset(since: old) == true
        if !isAnew { store.frames = store.frames.flatMap { $0.since(old.frames) } }
        guard let all = whole?.loop else { return }
        keepStretches(of: all, hasFrames: hasFrames, slow: isAnew ? 0 : old.loop?.slowInteractions ?? 0)
    }

    /// Keeps seconds in a row that reach into the span, and those whose like goes on in it; interactions behind so many slow ones.
    private mutating func keepStretches(of all: LoopStats, hasFrames: Bool, slow: UInt64) {
        guard var loop = store.loop else { return }
        let (told, totals) = (all.totals, loop.totals)
        func isHalf(_ count: UInt64, of rate: Double) -> Bool {
            totals.counted > 0 && rate > 0 && Double(count) * 2e9 >= rate * Double(totals.counted)
        }
        let turnsOn = isHalf(totals.turns, of: told.spinning.perSecond(told.spinning.turns))
        let isBusy = isHalf(totals.processor, of: told.busy.share * 1e9)
        let stretches: [(path: WritableKeyPath<LoopTotals, QuietStretch>, goesOn: Bool)] = [
            (\.frames, hasFrames), (\.spinning, turnsOn), (\.busy, isBusy),
        ]
        for (stretch, goesOn) in stretches {
            let longest = told[keyPath: stretch]
            guard longest.nanoseconds > 0, goesOn || longest.latestAt >= start else { continue }
            loop.totals[keyPath: stretch] = longest
            if longest.latestAt < start { judgedUntil = max(judgedUntil ?? longest.latestAt, longest.latestAt) }
        }
        let areFramesKept = loop.totals.frames.nanoseconds > 0
        loop.facts = all.facts.filter { fact in
            fact.interaction.map { $0.at >= start } ?? (areFramesKept && fact.kind == .asker)
        }
        for index in loop.facts.indices where loop.facts[index].interaction != nil {
            loop.facts[index].numbers.same -= min(slow, loop.facts[index].numbers.same)
        }
        store.loop = loop
    }
}

extension StoreSpan {
    /// Leaves out what the main loop did not call in the span, unless seconds in a row name it: they have its number.
    mutating func dropUncalledRows() {
        guard var loop = store.loop else { return }
        let stretches: [WritableKeyPath<LoopTotals, QuietStretch>] = [\.frames, \.spinning, \.busy]
        let named = Set(stretches.map { loop.totals[keyPath: $0].row })
        let kept = loop.rows.indices.filter { index in
            let row = loop.rows[index]
            return row.numbers.count > 0 || row.numbers.polls > 0 || named.contains(UInt64(index) + 1)
        }
        for stretch in stretches {
            let place = kept.firstIndex { UInt64($0) + 1 == loop.totals[keyPath: stretch].row }
            loop.totals[keyPath: stretch].row = place.map { UInt64($0) + 1 } ?? 0
        }
        loop.rows = kept.map { loop.rows[$0] }
        store.loop = loop
    }
}

extension FrameStats: GrowingSums {
    /// What came since; nil where no frame did. A longest one is known only where it is longer than any before.
    fileprivate func since(_ old: FrameStats?) -> FrameStats? {
        guard let old, old.count <= count else { return self }
        guard old.count < count else { return nil }
        var new = since(
            old,
            of: [
                \.count, \.overInterval, \.notJudged, \.updateNanoseconds, \.layoutNanoseconds,
                \.snapshotNanoseconds, \.drawingNanoseconds,
            ], known: [\.late, \.same, \.processorNanoseconds])
        if longestNanoseconds <= old.longestNanoseconds { new.longestNanoseconds = 0 }
        // An average of all.
        new.presentationNanoseconds = nil
        return new
    }
}

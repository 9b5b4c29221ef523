// SPDX-License-Identifier: MIT
// Numbers since a moment: what `r` shows, and `u` takes back.

/// What was counted at one moment, of all views that there were.
struct TopBaseline: Sendable {
    let at: Timestamp
    private let views: [TopRowID: Stats]
    private let stores: [StoreID: ProcessStats]
    /// Whether a reset leaves hangs, as in a recording.
    var areHangsKept = false

    /// Nil where the sample has not all views that match.
    init?(_ sample: TopSample) {
        guard sample.rows.count >= sample.total, sample.query.first == 0 else { return nil }
        at = sample.at
        views = Dictionary(sample.rows.map { (TopRowID($0), $0.view) }) { first, _ in first }
        stores = Dictionary(sample.stores.map { (StoreID($0), $0) }) { first, _ in first }
    }

    /// The sample with what came since alone, ranked by that.
    func since(_ sample: TopSample) -> TopSample {
        let query = HangsQuery(since: at)
        let hangs = sample.hangs.filter(query.matches)
        let changed = sample.stores.map { store in
            since(store, hangs.filter { $0.pid == store.pid }, beside: sample.stores)
        }
        let byID = Dictionary(changed.map { (StoreID($0), $0) }) { first, _ in first }
        var whole = changed
        for row in sample.rows {
            let view = since(row, hangs.filter { $0.isBlamed(on: row.view.key, of: row.store) })
            guard view.count > 0 || ViewCosts(view).hasCosts else { continue }
            guard let index = whole.firstIndex(where: { StoreID($0) == StoreID(row.store) }) else { continue }
            whole[index].views.append(view)
        }
        let verdict = VerdictBuilder.verdict(of: whole, .live, now: sample.at)
        let rows = sample.query.order.ranked(whole, verdict, isReversed: sample.query.isReversed).map {
            RankedView(
                store: byID[StoreID($0.store)] ?? $0.store, view: $0.view, running: $0.running, rank: $0.rank)
        }
        var changes = TopSample(query: sample.query, at: sample.at, stores: changed, rows: rows, total: rows.count)
        changes.verdict = verdict
        changes.hangs = hangs
        changes.hangsOfProcess = sample.hangsOfProcess.filter(query.matches)
        (changes.health, changes.off, changes.hangsFault) = (sample.health, sample.off, sample.hangsFault)
        return changes
    }

    private func since(_ row: RankedView, _ hangs: [Hang]) -> Stats {
        guard let old = views[TopRowID(row)] else { return row.view }
        // After a reset all counts came since. Who does not tell of resets has fewer than before.
        let wasReset = stores[StoreID(row.store)].map { row.store.wasReset(since: $0) } ?? false
        guard wasReset || old.count > row.view.count else { return row.view.since(old, hangs) }
        var view = row.view
        if areHangsKept { view.hangs = view.hangs.since(old.hangs, hangs) }
        return view
    }

    private func since(_ store: ProcessStats, _ hangs: [Hang], beside stores: [ProcessStats]) -> ProcessStats {
        guard let old = self.stores[StoreID(store)] else { return store }
        let isAnew = store.wasReset(since: old) || old.evaluations > store.evaluations
        guard !isAnew || areHangsKept else { return store }
        var store = store.since(old, of: [\.microHangs])
        store.hangs = store.hangs.since(old.hangs, hangs)
        store.hangsOfNoView = store.hangsOfNoView.map {
            $0.since(old.hangsOfNoView ?? HangTotals(), hangs.filter { $0.guess || $0.view == nil })
        }
        if store.hangsOfNoView?.count == 0 { store.hangsOfNoView = nil }
        store.hangsOfSources = store.hangsOfSources?.since(old.hangsOfSources ?? [], hangs)
        if isAnew { return store }
        store = store.since(old, of: [\.evaluations, \.lost, \.dropped])
        store.countedSince = at
        // The store with a process's main loop need not be the one that tells of its frames.
        let work = stores.filter { $0.pid == store.pid }.flatMap { $0.idleWork ?? [] }.filter { $0.latestAt >= at }
        let isDrawing = work.contains { $0.kind == .frames }
        if let before = old.loop { store.loop = store.loop?.since(before, at, isDrawing: isDrawing) }
        store.frames = store.frames.flatMap { $0.since(old.frames) }
        return store
    }
}

/// What has sums that only grow.
protocol GrowingSums {}

extension GrowingSums {
    /// The same with what came to some of its sums since an earlier moment; 0 where one is less than it was.
    ///
    /// - Parameter known: Sums that may not be known.
    func since(
        _ old: Self, of sums: [WritableKeyPath<Self, UInt64>], known: [WritableKeyPath<Self, UInt64?>] = []
    ) -> Self {
        var new = self
        for sum in sums { new[keyPath: sum] -= min(old[keyPath: sum], new[keyPath: sum]) }
        for sum in known { new[keyPath: sum] = new[keyPath: sum].map { $0 - min(old[keyPath: sum] ?? 0, $0) } }
        return new
    }
}

extension ProcessStats: GrowingSums {
    /// Whether its counts began anew after an earlier look at the same store; false where that is not known.
    package func wasReset(since old: ProcessStats) -> Bool {
        guard let before = old.countedSince, let now = countedSince else { return false }
        return now != before
    }
}

extension Stats: GrowingSums {
    /// What came since: sums are subtracted. A longest time is known only where it is longer than any before, or from the hangs since.
    func since(_ old: Stats, _ newest: [Hang] = []) -> Stats {
        var new = since(
            old, of: [\.count, \.commits, \.forgotten], known: [\.passes, \.selfNanoseconds, \.framesOverInterval])
        if let before = old.framework { new.framework = framework?.since(before) }
        new.wasted = wasted.since(old.wasted)
        new.body = body.since(old.body, count: new.count)
        new.total = total.since(old.total, count: new.count)
        new.hangs = hangs.since(old.hangs, newest)
        let before = Dictionary(old.reasons.map { ($0.reason, $0) }) { first, _ in first }
        new.reasons = reasons.compactMap { $0.since(before[$0.reason]) }.sorted(by: ReasonCount.byCount)
        return new
    }
}

extension Timing {
    fileprivate func since(_ old: Timing, count: UInt64) -> Timing {
        var new = self
        new.totalNanoseconds -= min(old.totalNanoseconds, totalNanoseconds)
        new.averageNanoseconds = count == 0 ? 0 : new.totalNanoseconds / count
        if maxNanoseconds <= old.maxNanoseconds { new.maxNanoseconds = 0 }
        return new
    }
}

extension [SourceHangs] {
    fileprivate func since(_ old: [SourceHangs], _ newest: [Hang]) -> [SourceHangs] {
        compactMap { source in
            var new = source
            let listed = newest.filter { SourceHangs(of: $0)?.isSame(as: source) == true }
            new.totals = source.totals.since(old.first { $0.isSame(as: source) }?.totals ?? HangTotals(), listed)
            return new.totals.count > 0 ? new : nil
        }
    }
}

extension HangTotals {
    /// What came since: sums are subtracted. A longest one is known where it is longer than any before, or from the hangs since.
    func since(_ old: HangTotals, _ newest: [Hang]) -> HangTotals {
        var new = without(old)
        let ended = newest.filter { !$0.open && $0.counts }
        func longest(_ all: UInt64, _ before: UInt64, _ hangs: [Hang], of sum: UInt64) -> UInt64 {
            min(all > before ? all : hangs.map(\.durationNanoseconds).max() ?? lastNanoseconds, sum)
        }
        // Micro-hangs may have come without a hang.
        new.lastNanoseconds = new.count == 0 ? 0 : lastNanoseconds
        new.worstNanoseconds = max(
            longest(worstNanoseconds, old.worstNanoseconds, ended, of: new.totalNanoseconds), new.lastNanoseconds)
        let faults = ended.filter { !$0.isExcused }
        new.worstFaultNanoseconds = longest(
            worstFaultNanoseconds, old.worstFaultNanoseconds, faults, of: new.faultNanoseconds)
        return new
    }
}

extension FrameworkTime: GrowingSums {
    fileprivate func since(_ old: FrameworkTime) -> FrameworkTime {
        since(old, of: [\.layouts, \.layoutNanoseconds, \.commitNanoseconds])
    }
}

extension Waste: GrowingSums {
    fileprivate func since(_ old: Waste) -> Waste {
        var new = since(old, of: [\.count, \.measured, \.inferred, \.nanoseconds], known: [\.unjudged])
        new.kinds = Self.since(kinds, old.kinds)
        new.kindNanoseconds = Self.since(kindNanoseconds, old.kindNanoseconds)
        return new
    }

    private static func since(_ new: [WasteKind: UInt64], _ old: [WasteKind: UInt64]) -> [WasteKind: UInt64] {
        new.reduce(into: [:]) { left, entry in
            let rest = entry.value - min(old[entry.key] ?? 0, entry.value)
            if rest > 0 { left[entry.key] = rest }
        }
    }
}

extension ReasonCount: GrowingSums {
    /// Nil where none came since.
    fileprivate func since(_ old: ReasonCount?) -> ReasonCount? {
        guard let old else { return self }
        guard count > old.count else { return nil }
        var new = since(old, of: [\.count], known: [\.passes])
        let writersBefore = Dictionary(old.writers.map { ($0.writer, $0.count) }) { first, _ in first }
        new.writers = writers.map {
            WriterCount(writer: $0.writer, count: $0.count - min(writersBefore[$0.writer] ?? 0, $0.count))
        }.filter { $0.count > 0 }
        let chainsBefore = Dictionary(old.chains.map { ($0.chain, $0.count) }) { first, _ in first }
        new.chains = chains.map {
            ChainCount(chain: $0.chain, count: $0.count - min(chainsBefore[$0.chain] ?? 0, $0.count))
        }.filter { $0.count > 0 }
        return new
    }
}

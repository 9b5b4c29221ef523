// SPDX-License-Identifier: MIT
// What came between two exports of one daemon, as an export with a verdict of its own.

package import RerenderModel

/// The counts of a span of time. Sums are subtracted; of what is known of a longer time alone, it is said which time that is.
package struct ExportSpan: Sendable {
    /// What came in it. A store that began in it is there as a whole.
    package let export: StatsExport
    /// In nanoseconds.
    package let length: UInt64
    /// What is judged by an earlier time, and whose counts were reset in it, as sentences.
    package let remarks: [String]

    /// - Parameters:
    ///   - old: The export at the beginning, with all views.
    ///   - new: The export at the end, by the same daemon and of the same processes.
    ///   - hangs: Those that the daemon lists, newest first.
    ///   - areHangsKept: Whether a reset leaves hangs, as in a recording.
    package init(from old: StatsExport, to new: StatsExport, hangs: [Hang], areHangsKept: Bool = false) {
        let start = old.generatedAt
        var sample = Self.sample(new)
        sample.hangs = hangs.filter { $0.seenUntil <= new.generatedAt }
        var baseline = TopBaseline(Self.sample(old))
        baseline?.areHangsKept = areHangsKept
        let since = baseline.map { $0.since(sample) } ?? sample
        let views = Dictionary(grouping: since.rows) { StoreID($0.store) }
        let before = Self.byID(old), now = Self.byID(new)
        var stores: [ProcessStats] = [], remarks: [String] = []
        for store in since.stores {
            let id = StoreID(store)
            var part = store.with(views: (views[id] ?? []).map(\.view))
            if let old = before[id] {
                let isAnew = now[id]?.wasReset(since: old) == true
                part.dropEnded(before: start, old: isAnew ? [] : old.cycles ?? [])
                if isAnew, let began = store.countedSince {
                    remarks.append(
                        "\(StoreLabels.full(store)): its counts were reset at \(LocalTime.text(began)), and these are what came after that"
                    )
                }
            }
            part.loop?.dropUncalledRows()
            stores.append(part)
            if let earlier = part.loop?.judgedUntil(before: start) {
                remarks.append(
                    "\(Printable.text(store.name))[\(store.pid)]: what goes on without input is judged by its longest time, which ended at "
                        + LocalTime.text(earlier))
            }
        }
        self.remarks = remarks
        length = UInt64(max(0, new.generatedAt.nanoseconds(since: start)))
        export = StatsExport(
            generatedAt: new.generatedAt, processes: stores,
            verdict: VerdictBuilder.verdict(
                of: stores, .live, now: new.generatedAt, length: areHangsKept ? nil : length))
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

extension ProcessStats {
    /// Leaves out what went on without input before a moment alone, and the rounds that cycles had gone by then.
    fileprivate mutating func dropEnded(before start: Timestamp, old: [Cycle]) {
        let work = (idleWork ?? []).filter { $0.latestAt >= start }
        let found = (cycles ?? []).filter { $0.latestAt >= start }.map { cycle in
            old.first { ($0.steps, $0.over) == (cycle.steps, cycle.over) }.map { cycle.since($0, of: [\.rounds]) }
                ?? cycle
        }.filter { $0.rounds > 0 }
        (idleWork, cycles) = (work.isEmpty ? nil : work, found.isEmpty ? nil : found)
    }
}

extension Cycle: GrowingSums {}

// What a main loop did since a moment, and which frames were drawn.

extension LoopStats {
    /// What came since: sums are subtracted. Seconds in a row are known as a whole alone: those stay that reach into the time, and those whose
    /// like goes on in it.
    ///
    /// - Parameters:
    ///   - start: When the time began.
    ///   - isDrawing: Whether the process drew frames without input in it.
    func since(_ old: LoopStats, _ start: Timestamp, isDrawing: Bool) -> LoopStats {
        guard old.totals.counted <= totals.counted else { return self }
        var new = LoopStats(totals.since(old.totals))
        new.endedAt = endedAt
        // Where not all names were listed, it is not known what a name that is new had run.
        let names = Set(old.threads.map(\.name))
        if !names.isEmpty, names.count < ThreadTime.mostNames || threads.allSatisfy({ names.contains($0.name) }) {
            new.threads = ThreadTime.since(old.threads, threads).filter { $0.processor > 0 }
        }
        let counted = new.totals.counted
        func isHalf(_ count: UInt64, of rate: Double) -> Bool {
            counted > 0 && rate > 0 && Double(count) * 2e9 >= rate * Double(counted)
        }
        let turnsOn = isHalf(new.totals.turns, of: totals.spinning.perSecond(totals.spinning.turns))
        let isBusy = isHalf(new.totals.processor, of: totals.busy.share * 1e9)
        let goesOn = ["frames": isDrawing, "spinning": turnsOn, "busy": isBusy]
        for (name, path) in LoopTotals.tracedStretches {
            let longest = totals[keyPath: path]
            if goesOn[name] == true || longest.latestAt >= start { new.totals[keyPath: path] = longest }
        }
        new.rows = rows.enumerated().map { number, row in
            // A row is of one function, and samples may give that another name; a source by samples may be another one.
            guard old.rows.indices.contains(number), old.rows[number].kind == row.kind,
                row.kind != .sampled || old.rows[number].name == row.name
            else { return row }
            var row = row
            let all = row.numbers
            row.numbers = all.since(old.rows[number].numbers)
            // When samples were taken is not known.
            if row.kind == .sampled { (row.numbers.count, row.numbers.turns) = (all.count, all.turns) }
            return row
        }
        let (hasFrames, slow) = (new.totals.frames.nanoseconds > 0, old.slowInteractions)
        new.facts = facts.compactMap { fact -> WidgetFact? in
            switch fact.kind {
            case .asker: hasFrames ? fact : nil
            case .interaction: fact.since(start, behind: slow)
            case .layout, .anew: fact.since(old.facts, counted: counted)
            }
        }
        return new
    }

    /// When seconds in a row ended that stand for what goes on since a moment; nil where they reach into that time.
    func judgedUntil(before start: Timestamp) -> Timestamp? {
        LoopTotals.tracedStretches.map { totals[keyPath: $0.path] }.filter { $0.nanoseconds > 0 && $0.latestAt < start }
            .map(\.latestAt).max()
    }

    /// Leaves out what was not called, unless seconds in a row name it: they have its number.
    mutating func dropUncalledRows() {
        let stretches = LoopTotals.tracedStretches.map { $0.path }
        let named = Set(stretches.map { totals[keyPath: $0].row })
        let kept = rows.indices.filter { index in
            rows[index].numbers.count > 0 || rows[index].numbers.polls > 0 || named.contains(UInt64(index) + 1)
        }
        for stretch in stretches {
            let place = kept.firstIndex { UInt64($0) + 1 == totals[keyPath: stretch].row }
            totals[keyPath: stretch].row = place.map { UInt64($0) + 1 } ?? 0
        }
        rows = kept.map { rows[$0] }
    }
}

extension LoopTotals: GrowingSums {
    func since(_ old: LoopTotals) -> LoopTotals {
        var new = since(
            old,
            of: [\.counted, \.turns, \.pollsWithoutWait, \.emptyTurns, \.wakeups, \.processor, \.process])
        for (_, part) in Self.tracedParts { new[keyPath: part] = self[keyPath: part].since(old[keyPath: part]) }
        for (_, stretch) in Self.tracedStretches { new[keyPath: stretch] = QuietStretch() }
        return new
    }
}

extension LoopPart: GrowingSums {
    fileprivate func since(_ old: LoopPart) -> LoopPart { since(old, of: [\.wall, \.processor]) }
}

extension LoopRow.Numbers: GrowingSums {
    /// A longest call is known only where it is longer than any before.
    func since(_ old: LoopRow.Numbers) -> LoopRow.Numbers {
        var new = since(old, of: [\.count, \.wall, \.processor, \.turns, \.polls, \.unread, \.micro])
        if longest <= old.longest { new.longest = 0 }
        return new
    }
}

extension WidgetFact {
    /// An interaction that came since, numbered from the first of them; nil for one before.
    fileprivate func since(_ start: Timestamp, behind slow: UInt64) -> WidgetFact? {
        guard let interaction, interaction.at >= start else { return nil }
        var new = self
        new.numbers.same -= min(slow, numbers.same)
        return new
    }

    /// Layouts, or what was made anew, since; nil where nothing was. How long it took is no more than what was counted.
    fileprivate func since(_ old: [WidgetFact], counted: UInt64) -> WidgetFact? {
        let known = old.first { ($0.kind, $0.view, $0.parent) == (kind, view, parent) }
        // A table that was full may have begun it anew.
        guard let before = known?.numbers, before.count <= numbers.count, before.duration <= numbers.duration else {
            return self
        }
        guard before.count < numbers.count else { return nil }
        var new = self
        new.numbers = numbers.since(before)
        new.numbers.duration = min(new.numbers.duration, counted)
        // The fewest instances in a turn are no sum.
        if kind == .anew { new.numbers.of = numbers.of }
        return new
    }
}

extension WidgetFact.Numbers: GrowingSums {
    /// Of layouts. A longest one is known only where it is longer than any before.
    func since(_ old: WidgetFact.Numbers) -> WidgetFact.Numbers {
        var new = since(old, of: [\.count, \.of, \.nanoseconds, \.processor, \.duration, \.same])
        if longest <= old.longest { (new.longest, new.longestOf) = (0, 0) }
        return new
    }
}

extension FrameStats: GrowingSums {
    /// What came since; nil where no frame did. A longest one is known only where it is longer than any before.
    func since(_ old: FrameStats?) -> FrameStats? {
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

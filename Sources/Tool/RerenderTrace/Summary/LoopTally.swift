// SPDX-License-Identifier: MIT
// What stores told of themselves and of the main loop: the latest totals of each, as the daemon has them.

internal import CShared
internal import RerenderModel

/// What stores told, by their places in the trace's directory. Bounded.
struct LoopTally: Sendable {
    private var stores: [Int: RecordedStore] = [:]
    /// Events of stores for which there was no room.
    private(set) var overflowed: UInt64 = 0

    mutating func add(_ told: StoreEvent, of store: Int, at nanoseconds: Int64, _ texts: TraceTexts) {
        guard stores[store] != nil || stores.count < TraceLimits.toldStores else { return overflowed += 1 }
        stores[store, default: RecordedStore()].add(told, at: nanoseconds, texts)
    }

    /// What a store told; nil where it told nothing.
    subscript(store: Int) -> RecordedStore? { stores[store] }
}

/// The latest of what one store told of its latest epoch.
struct RecordedStore: Sendable {
    /// A cycle with as many steps as came.
    private struct RecordedCycle: Sendable {
        var cycle: Cycle
        let steps: UInt32
    }

    private(set) var epoch: UInt32 = 0
    /// When the first event of an epoch came that a reset began.
    private(set) var epochBegan: Int64?
    private var kind: StoreKind?
    private var gap: String?
    private var mainLoop = MainLoopKind.none
    private var startedAt: Timestamp?
    /// Time in micro-hangs; nil where no daemon told the store.
    private var microNanoseconds: UInt64?
    private var frames = FrameTotals()
    private var hasLoop = false
    private var totals = LoopTotals()
    private var rows: [LoopRow?] = []
    private var facts: [WidgetFact?] = []
    private var threads: [ThreadTime?] = []
    private var work: [IdleWork?] = []
    private var cycles: [RecordedCycle?] = []

    /// Takes an event, unless it is of an earlier epoch.
    mutating func add(_ told: StoreEvent, at nanoseconds: Int64, _ texts: TraceTexts) {
        let epoch = told.origin.epoch
        if epoch > self.epoch {
            self = RecordedStore()
            (self.epoch, epochBegan) = (epoch, nanoseconds)
        }
        guard epoch == self.epoch else { return }
        switch told {
        case .store(let event): take(event, texts)
        case .loop(let event):
            hasLoop = true
            totals.take(event)
        case .part(let event):
            let part = LoopTotals.tracedParts.first { $0.name == texts[event.name] }
            if let part { totals[keyPath: part.path].take(event) }
        case .stretch(let event):
            let stretch = LoopTotals.tracedStretches.first { $0.name == texts[event.name] }
            if let stretch { totals[keyPath: stretch.path] = QuietStretch(event, at: nanoseconds) }
        case .row(let event):
            Self.put(LoopRow(event, texts), at: event.index, in: &rows, of: TraceLimits.rowsPerLoop)
        case .fact(let event):
            let fact = WidgetFact(event, at: nanoseconds, texts)
            Self.put(fact, at: event.index, in: &facts, of: TraceLimits.factsPerLoop)
        case .threads(let event):
            // They are sorted by their time, and a name may be gone.
            if event.index == 0 { threads = [] }
            Self.put(ThreadTime(event, texts), at: event.index, in: &threads, of: TraceLimits.threadNamesPerLoop)
        case .work(let event):
            let entry = IdleWork(event, at: nanoseconds, texts)
            Self.put(entry, at: event.index, in: &work, of: TraceLimits.workPerStore)
        case .cycle(let event): take(event, at: nanoseconds, texts)
        }
    }

    /// Puts a value at its place. An app tells of no further places.
    private static func put<Value>(_ value: Value?, at index: UInt32, in list: inout [Value?], of limit: Int) {
        guard index < limit else { return }
        list.reach(Int(index), with: nil)
        list[Int(index)] = value
    }

    private mutating func take(_ event: csignpost_read_store, _ texts: TraceTexts) {
        kind = TraceCode.value(event.kind)
        gap = texts.textOrNil(event.gap)
        mainLoop = TraceCode.value(event.main_loop) ?? MainLoopKind.none
        startedAt = Timestamp(nanosecondsSince1970: Int64(clamping: event.started_at))
        microNanoseconds = event.micro_ns == .max ? nil : event.micro_ns
        frames.take(event)
    }

    private mutating func take(_ event: csignpost_read_cycle, at nanoseconds: Int64, _ texts: TraceTexts) {
        let index = Int(event.index)
        guard index < TraceLimits.cyclesPerStore, event.step < TraceLimits.stepsPerCycle else { return }
        cycles.reach(index, with: nil)
        if event.step == 0 {
            cycles[index] = RecordedCycle(cycle: Cycle(event, at: nanoseconds, texts), steps: event.steps)
        }
        guard let told = cycles[index], event.step < event.steps, told.cycle.steps.count == event.step else { return }
        let step = Cycle.Step(name: texts[event.name], writer: texts.textOrNil(event.writer))
        cycles[index]?.cycle.steps.append(step)
    }

    /// Gives an entry of the export what the store told.
    func fill(_ stats: inout ProcessStats) {
        stats.kind = kind
        stats.gaps = gap.map { [$0] }
        stats.mainLoop = mainLoop
        if let startedAt { stats.startedAt = startedAt }
        stats.frames = FrameStats(frames)
        if let microNanoseconds { stats.hangs.microNanoseconds = microNanoseconds }
        let work = work.compactMap(\.self)
        stats.idleWork = work.isEmpty ? nil : work
        // With a step that was lost, it would be another cycle.
        let cycles = cycles.compactMap(\.self).filter { $0.cycle.steps.count == Int($0.steps) }.map(\.cycle)
        stats.cycles = cycles.isEmpty ? nil : cycles
        guard hasLoop else { return }
        // The place of a row that was lost stays: stretches count from the first one.
        stats.loop = LoopStats(
            totals, rows: rows.map { $0 ?? LoopRow(.others, name: "") }, facts: facts.compactMap(\.self),
            threads: threads.compactMap(\.self))
    }
}

extension TraceTexts {
    /// A text that may be empty, which is nil.
    fileprivate func textOrNil(_ id: TextID) -> String? { id.isEmpty ? nil : self[id] }
}

// MARK: - Values of events

extension FrameTotals {
    fileprivate mutating func take(_ event: csignpost_read_store) {
        (count, overInterval, notJudged, longest) = (
            event.frames, event.over_interval, event.not_judged, event.longest_ns
        )
        (update, layout, snapshot, drawing) = (event.update_ns, event.layout_ns, event.snapshot_ns, event.drawing_ns)
        (interval, isIntervalTold) = (event.interval_ns, UInt64(event.interval_told))
        (presented, toPresentation) = (event.presented, event.to_presentation_ns)
        (late, same, processor) = (event.late, event.same, event.processor_ns)
    }
}

extension LoopTotals {
    /// Takes what is of no part and no stretch.
    fileprivate mutating func take(_ event: csignpost_read_loop) {
        (counted, turns, pollsWithoutWait) = (event.counted_ns, event.turns, event.polls_without_wait)
        (emptyTurns, wakeups) = (event.empty_turns, event.wakeups)
        (processor, process, isInputKnown) = (event.processor_ns, event.process_ns, UInt64(event.input_known))
    }
}

extension LoopPart {
    fileprivate mutating func take(_ event: csignpost_read_part) {
        (wall, processor) = (event.wall_ns, event.processor_ns)
    }
}

extension QuietStretch {
    fileprivate init(_ event: csignpost_read_stretch, at now: Int64) {
        self.init()
        guard event.duration_ns > 0 else { return }
        nanoseconds = event.duration_ns
        latestAt = Timestamp(nanosecondsSince1970: now.earlier(by: event.age_ns))
        (processor, turns, pollsWithoutWait) = (event.processor_ns, event.turns, event.polls_without_wait)
        (emptyTurns, sameTurns, row, wakeups) = (event.empty_turns, event.same_turns, event.row, event.wakeups)
        (frames, unpainted, sameFrames) = (event.frames, event.unpainted, event.same_frames)
        (compared, comparedSame) = (event.compared, event.compared_same)
        (likely, likelySame) = (event.likely, event.likely_same)
    }
}

extension LoopRow {
    /// Nil for a kind that is not known.
    fileprivate init?(_ event: csignpost_read_loop_row, _ texts: TraceTexts) {
        guard let kind: Kind = TraceCode.value(event.kind) else { return nil }
        self.init(
            kind, name: texts[event.name], place: texts.textOrNil(event.place), of: texts.textOrNil(event.of),
            thread: texts.textOrNil(event.thread))
        (numbers.count, numbers.wall, numbers.processor) = (event.count, event.wall_ns, event.processor_ns)
        (numbers.longest, numbers.turns, numbers.polls) = (event.longest_ns, event.turns, event.polls)
        (numbers.interval, numbers.descriptor) = (event.interval_ns, event.descriptor)
        (numbers.unread, numbers.isShared) = (event.unread, UInt64(event.shared))
        numbers.micro = event.micro_ns
    }
}

extension WidgetFact {
    /// Nil for a kind that is not known.
    fileprivate init?(_ event: csignpost_read_fact, at now: Int64, _ texts: TraceTexts) {
        guard let kind: Kind = TraceCode.value(event.kind) else { return nil }
        self.init(kind, view: texts[event.name])
        (hidden, writer) = (texts.textOrNil(event.hidden), texts.textOrNil(event.writer))
        parent = texts.textOrNil(event.parent)
        (numbers.count, numbers.of) = (event.count, event.of)
        (numbers.nanoseconds, numbers.processor) = (event.wall_ns, event.processor_ns)
        (numbers.longest, numbers.longestOf) = (event.longest_ns, event.longest_of_ns)
        (numbers.duration, numbers.same) = (event.duration_ns, event.same)
        interaction = Interaction(event, at: now)
    }
}

extension WidgetFact.Interaction {
    /// Nil for a fact of another kind, and for an input that is not known.
    fileprivate init?(_ event: csignpost_read_fact, at now: Int64) {
        guard let input: Input = TraceCode.value(event.input) else { return nil }
        self.init(input, at: Timestamp(nanosecondsSince1970: now.earlier(by: event.age_ns)))
        (evaluations, style, layout) = (event.evaluations_ns, event.style_ns, event.layout_ns)
        (drawing, presentation) = (event.drawing_ns, event.presentation_ns)
    }
}

extension ThreadTime {
    fileprivate init(_ event: csignpost_read_threads, _ texts: TraceTexts) {
        self.init(
            name: texts[event.name], count: event.count, atFirst: event.at_first, processor: event.processor_ns)
    }
}

extension IdleWork {
    /// Nil for a kind that is not known.
    fileprivate init?(_ event: csignpost_read_work, at now: Int64, _ texts: TraceTexts) {
        guard let kind: Kind = TraceCode.value(event.kind) else { return nil }
        self.init(kind, latestAt: Timestamp(nanosecondsSince1970: now.earlier(by: event.age_ns)))
        (view, reason, writer) = (texts[event.name], texts[event.reason], texts.textOrNil(event.writer))
        callback = texts.textOrNil(event.source).map {
            Callback(source: $0, function: texts.textOrNil(event.function))
        }
        all.take(own: event.own, count: event.count, event.wall_ns, wasted: event.wasted)
        latest.take(own: event.latest_own, count: event.latest_count, event.latest_ns, wasted: event.latest_wasted)
        latestDuration = event.duration_ns
    }
}

extension IdleWork.Amount {
    fileprivate mutating func take(own: UInt64, count: UInt64, _ nanoseconds: UInt64, wasted: UInt64) {
        (self.own, self.count, self.nanoseconds) = (own, count, nanoseconds)
        self.wasted = wasted == .max ? nil : wasted
    }
}

extension Cycle {
    /// Without its steps.
    fileprivate init(_ event: csignpost_read_cycle, at now: Int64, _ texts: TraceTexts) {
        self.init(
            steps: [], rounds: event.rounds, latestRounds: event.latest_rounds, latestNanoseconds: event.latest_ns,
            latestAt: Timestamp(nanosecondsSince1970: now.earlier(by: event.age_ns)), over: texts.textOrNil(event.over))
    }
}

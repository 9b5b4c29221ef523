// SPDX-License-Identifier: MIT
// Sums up the results of a trace's interpreter, and makes the report of the sums.

internal import RerenderModel

/// Sums for a report. What it keeps grows with views, processes and causes, each bounded, and not with the trace.
struct ReportBuilder: InterpretationConsumer {
    private let texts: TraceTexts
    private(set) var views: [ViewTally] = []
    private(set) var causes = CauseTally()
    /// Writes that invalidated views.
    private(set) var writes: UInt64 = 0
    private(set) var hangs = HangTally()
    private(set) var loops = LoopTally()
    private(set) var doubleTurns: UInt64 = 0
    private(set) var doubleEvaluations: UInt64 = 0
    private(set) var worstDoubleTurns: [DoubleTurn] = []

    init(_ texts: TraceTexts) { self.texts = texts }

    mutating func take(_ event: borrowing TraceEvent) {
        if case .write = event.what { writes += 1 }
    }

    @inline(__always)
    mutating func close(_ evaluation: ClosedEvaluation) {
        guard let process = evaluation.process, let view = evaluation.view else { return }
        views.reach(view, with: ViewTally())
        views[view].record(evaluation, texts)
        causes.record(evaluation.end, process: process, texts)
    }

    mutating func correct(_ change: ViewCorrection) {
        views.reach(change.view, with: ViewTally())
        views[change.view].record(change)
    }

    mutating func close(_ turn: ClosedTurn) {
        if let double = turn.double { add(double) }
        hangs.add(turn, &views)
    }

    mutating func close(_ hang: HangTracker.TracedHang) {
        hangs.add(hang.event, texts)
    }

    mutating func take(_ told: StoreEvent, of store: Int, at nanoseconds: Int64) {
        loops.add(told, of: store, at: nanoseconds, texts)
    }

    mutating func finish(_ state: TraceState) {
        views.reach(state.known.views.count - 1, with: ViewTally())
        hangs.finish(state, &views)
    }

    private mutating func add(_ turn: DoubleTurn) {
        doubleTurns += 1
        doubleEvaluations += turn.again
        if worstDoubleTurns.count < TraceLimits.doubleTurns { return worstDoubleTurns.append(turn) }
        guard let least = worstDoubleTurns.indices.min(by: { worstDoubleTurns[$0].again < worstDoubleTurns[$1].again }),
            worstDoubleTurns[least].again < turn.again
        else { return }
        worstDoubleTurns[least] = turn
    }
}

extension Array {
    /// Makes the array long enough to have an element at `index`.
    @inline(__always)
    mutating func reach(_ index: Int, with element: @autoclosure () -> Element) {
        while count <= index { append(element()) }
    }
}

extension ReportBuilder {
    /// The report, after the last event, and the places in the trace's directory of the views of its export.
    func summary(_ state: TraceState) -> (report: TraceReport, places: [[Int]]) {
        let summary = ReportText(builder: self, state: state)
        return (summary.report, summary.places)
    }
}

/// The sums with what they are of, and the texts of its names.
private struct ReportText {
    private let builder: ReportBuilder
    private let state: TraceState
    private let known: TraceDirectory
    private let texts: TraceTexts

    /// The stores in the report's order, and the places of their views in the same.
    private let order: [Int]
    let places: [[Int]]
    /// The latest epoch of each store.
    private let epochs: [Int: UInt32]

    init(builder: ReportBuilder, state: TraceState) {
        let (known, texts) = (state.known, state.texts)
        (self.builder, self.state, self.known, self.texts) = (builder, state, known, texts)
        // By process and name, and by number where names are equal.
        let names = known.stores.map { texts[$0.name] }
        let key = { (index: Int) in
            let (process, number) = (known.stores[index].process, known.stores[index].number)
            return (known.processes[process].pid, names[index], number.number, number.replaced)
        }
        order = known.stores.indices.sorted { key($0) < key($1) }
        var epochs: [Int: UInt32] = [:]
        for index in known.stores.indices { epochs[index] = builder.loops[index]?.epoch }
        for view in known.views { epochs[view.store] = max(epochs[view.store, default: 0], view.latestEpoch) }
        self.epochs = epochs
        // One that was last evaluated before a reset of its store has nothing to show.
        let visible = known.views.indices.filter { index in
            let view = known.views[index]
            return (view.isSeen || builder.views[index].sums.hangs.count > 0) && view.epoch == epochs[view.store]
        }
        let views = Dictionary(grouping: visible) { known.views[$0].store }.mapValues { views -> [Int] in
            let named: [(count: UInt64, key: String, place: Int)] = views.map { place in
                (known.views[place].seen, texts[known.views[place].key], place)
            }
            return named.sorted { $0.count != $1.count ? $0.count > $1.count : $0.key < $1.key }.map(\.place)
        }
        places = order.map { views[$0, default: []] }
    }

    var report: TraceReport {
        let hangs = builder.hangs.list(state)
        let stores = zip(order, places).map { process($0, $1) }
        return TraceReport(
            export: StatsExport(
                generatedAt: Timestamp(nanosecondsSince1970: state.ended), processes: stores,
                verdict: VerdictBuilder.verdict(of: stores, .recording)),
            began: Timestamp(nanosecondsSince1970: state.began), ended: Timestamp(nanosecondsSince1970: state.ended),
            events: state.events, otherEvents: state.otherEvents, traces: state.traces,
            processes: known.processes.count, mergesProcesses: known.process(pid: 0) != nil,
            missing: missing, beforeReset: beforeReset, discarded: state.discarded,
            unended: state.open.allUnended, unbegun: state.open.unbegun, hangs: hangs.hangs,
            hangsForgotten: hangs.forgotten, hasDaemon: state.hangs.hasAny, doubleTurns: builder.doubleTurns,
            doubleEvaluations: builder.doubleEvaluations,
            worstDoubleTurns: builder.worstDoubleTurns.sorted { $0.again > $1.again }, doubleKeys: doubleKeys,
            causes: causes, writeCount: builder.writes,
            overflowed: overflowed)
    }

    private var overflowed: UInt64 {
        let sums =
            known.overflowed + builder.causes.overflowed + builder.hangs.overflowed + builder.loops.overflowed
            + texts.overflowed
        return known.processes.reduce(sums) { $0 + $1.turn.overflowed }
    }

    private var beforeReset: UInt64 {
        known.views.reduce(0) { sum, view in
            sum &+ view.earlier &+ (view.epoch == epochs[view.store] ? 0 : view.seen)
        }
    }

    private func process(_ index: Int, _ views: [Int]) -> ProcessStats {
        let store = known.stores[index]
        let process = known.processes[store.process]
        var stats = ProcessStats(
            pid: process.pid, name: texts[process.name], store: texts[store.name], storeNumber: store.number.number,
            startedAt: Timestamp(nanosecondsSince1970: store.startedAt))
        for view in views {
            let missing = known.views[view].missing
            stats.lost &+= missing.before &+ missing.between
            stats.evaluations &+= known.views[view].seen &+ missing.before &+ missing.between
            stats.views.append(builder.views[view].stats(known.views[view], texts))
        }
        if !store.isReplaced {
            // They are the process's, and would count twice.
            let hangs = builder.hangs.processes[store.process]
            (stats.hangs, stats.microHangs) = (hangs.hangs, hangs.microHangs)
            stats.hangsOfNoView = hangs.ofNoView.count == 0 ? nil : hangs.ofNoView
            let sources = builder.hangs.sources(pid: process.pid)
            stats.hangsOfSources = sources.isEmpty ? nil : sources
            builder.loops[index]?.fill(&stats)
        }
        stats.lastRenderedAt = stats.views.compactMap(\.lastRenderedAt).max()
        // What came first after a reset tells of it.
        if let epoch = epochs[index], epoch > 0 {
            let told = builder.loops[index].flatMap { $0.epoch == epoch ? $0.epochBegan : nil }
            let began = (views.map { builder.views[$0].epochBegan } + [told]).compactMap(\.self).min()
            stats.countedSince = began.map { Timestamp(nanosecondsSince1970: $0) }
        }
        return stats
    }

    private var missing: [MissingEvaluations] {
        places.joined().compactMap { index in
            let (view, missing) = (known.views[index], known.views[index].missing)
            guard missing.before > 0 || missing.between > 0 else { return nil }
            return MissingEvaluations(
                key: ViewKey(rawValue: texts[view.key]), before: missing.before, between: missing.between)
        }.sorted { ($1.before &+ $1.between, $0.key) < ($0.before &+ $0.between, $1.key) }
    }

    private var causes: [ProcessCauses] {
        known.processes.enumerated().compactMap { index, process in
            let causes = builder.causes.causes(of: index, texts)
            return causes.isEmpty
                ? nil : ProcessCauses(pid: process.pid, process: texts[process.name], causes: causes)
        }
    }

    private var doubleKeys: [TextID: ViewKey] {
        builder.worstDoubleTurns.flatMap(\.views).reduce(into: [:]) { keys, view in
            keys[view.key] = ViewKey(rawValue: texts[view.key])
        }
    }
}

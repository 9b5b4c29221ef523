// SPDX-License-Identifier: MIT
// Stores and the main loop as trace events: `com.rerender.Store`, `Loop` with its rows, `Work` and `Cycle`.

import CShared
import RerenderModel
import RerenderWire
import Signpost

/// The providers of these events in this process.
enum LoopSignposts {
    private static let providers: [Provider] = {
        let shapes: [Provider.Shape] = [.store, .loop, .part, .stretch, .loopRow, .fact, .threads, .work, .cycle]
        return shapes.map { Provider.reserved($0) }
    }()

    /// Makes the providers, so that a session can record the first events; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = providers }

    /// Whether anyone records one of them: a load for each.
    static var isOn: Bool { providers.contains { $0.eventIsOn } }

    /// Records what all stores and the main loop are at this moment. On the uplink's thread: naming functions takes milliseconds, once.
    ///
    /// - Parameters:
    ///   - asksThreads: Whether to read how long the process's other threads have run, and to tell of stores with nothing but views.
    ///   - knowsMicroHangs: Whether a daemon tells of them.
    static func tell(
        _ cores: [StoreCore], ledger: LoopLedger = .shared, asksThreads: Bool, knowsMicroHangs: Bool
    ) {
        let wallClock = WallClock()
        let carrier = cores.reduce(UInt32.max) { min($0, $1.id) }
        ledger.setCarrier(carrier)
        for core in cores {
            let epoch = core.epoch
            let loop = core.id == carrier ? ledger.loop(wallClock, isEnding: asksThreads) : nil
            let (frames, gap) = (core.currentFrames, core.allGaps.first)
            let (work, cycles) = (core.idleWork(wallClock), core.cycles(wallClock))
            // A reset came in between: the next time tells of the new epoch.
            guard core.epoch == epoch else { continue }
            let told = StoreToTell(name: core.name, id: core.id, epoch: epoch, now: .now)
            // Of the others, nothing changes but what a reset does: a program may have many.
            if asksThreads || loop != nil || frames.count > 0 || gap != nil {
                let micro = knowsMicroHangs ? core.currentHangs.hangs.microNanoseconds : .max
                told.emit(core, frames, gap: gap ?? "", micro: micro)
            }
            if let loop { told.emit(loop) }
            for (index, entry) in work.prefix(Int(WireLimits.workPerStore)).enumerated() { told.emit(entry, at: index) }
            for (index, cycle) in cycles.prefix(Int(WireLimits.cyclesPerStore)).enumerated() {
                told.emit(cycle, at: index)
            }
        }
    }
}

/// The store that events are of.
private struct StoreToTell {
    let name: String
    let id: UInt32
    let epoch: UInt32
    /// When they are recorded.
    let now: Timestamp

    func emit(_ core: StoreCore, _ frames: FrameTotals, gap: String, micro: UInt64) {
        FieldText.lend(name, gap) { store, gap, _, _, _ in
            csignpost_store(
                store: store, store_id: id, epoch: epoch, kind: TraceCode.code(core.kind),
                interval_told: UInt8(clamping: frames.isIntervalTold), gap: gap, micro_ns: micro, frames: frames.count,
                over_interval: frames.overInterval, not_judged: frames.notJudged, longest_ns: frames.longest,
                update_ns: frames.update, layout_ns: frames.layout, snapshot_ns: frames.snapshot,
                drawing_ns: frames.drawing, interval_ns: frames.interval, presented: frames.presented,
                to_presentation_ns: frames.toPresentation, late: frames.late, same: frames.same,
                processor_ns: frames.processor, main_loop: TraceCode.code(core.mainLoop.kind),
                started_at: UInt64(max(0, core.startedAt.nanosecondsSince1970))
            ).emit()
        }
    }

    func emit(_ loop: LoopStats) {
        let totals = loop.totals
        FieldText.lend(name) { store in
            csignpost_loop(
                store: store, store_id: id, epoch: epoch, counted_ns: totals.counted, turns: totals.turns,
                polls_without_wait: totals.pollsWithoutWait, empty_turns: totals.emptyTurns, wakeups: totals.wakeups,
                processor_ns: totals.processor, process_ns: totals.process,
                input_known: totals.isInputKnown == 0 ? 0 : 1
            ).emit()
        }
        for (name, path) in LoopTotals.tracedParts { emit(totals[keyPath: path], named: name) }
        for (name, path) in LoopTotals.tracedStretches { emit(totals[keyPath: path], named: name) }
        for (index, row) in loop.rows.prefix(Int(WireLimits.rowsPerStore)).enumerated() { emit(row, at: index) }
        for (index, fact) in loop.facts.prefix(Int(WireLimits.factsPerStore)).enumerated() { emit(fact, at: index) }
        for (index, threads) in loop.threads.prefix(ThreadTime.mostNames).enumerated() { emit(threads, at: index) }
    }

    private func emit(_ part: LoopPart, named name: String) {
        FieldText.lend(self.name, name) { store, name, _, _, _ in
            csignpost_part(
                store: store, store_id: id, epoch: epoch, name: name, wall_ns: part.wall, processor_ns: part.processor
            ).emit()
        }
    }

    private func emit(_ stretch: QuietStretch, named name: String) {
        let since = stretch.nanoseconds == 0 ? 0 : age(of: stretch.latestAt)
        FieldText.lend(self.name, name) { store, name, _, _, _ in
            csignpost_stretch(
                store: store, store_id: id, epoch: epoch, name: name, duration_ns: stretch.nanoseconds, age_ns: since,
                processor_ns: stretch.processor, turns: stretch.turns, polls_without_wait: stretch.pollsWithoutWait,
                empty_turns: stretch.emptyTurns, same_turns: stretch.sameTurns, row: stretch.row,
                wakeups: stretch.wakeups, frames: stretch.frames, unpainted: stretch.unpainted,
                same_frames: stretch.sameFrames, compared: stretch.compared,
                compared_same: stretch.comparedSame, likely: stretch.likely, likely_same: stretch.likelySame
            ).emit()
        }
    }

    private func emit(_ row: LoopRow, at index: Int) {
        let numbers = row.numbers
        FieldText.lend(
            name, row.name, row.place ?? "", row.of ?? "", row.thread ?? ""
        ) { store, name, place, of, thread in
            csignpost_loop_row(
                store: store, store_id: id, epoch: epoch, index: UInt32(index), kind: TraceCode.code(row.kind),
                name: name, place: place, of: of, thread: thread, count: numbers.count, wall_ns: numbers.wall,
                processor_ns: numbers.processor, longest_ns: numbers.longest, turns: numbers.turns,
                polls: numbers.polls, interval_ns: numbers.interval, descriptor: numbers.descriptor,
                unread: numbers.unread, shared: numbers.isShared == 0 ? 0 : 1, micro_ns: numbers.micro
            ).emit()
        }
    }

    private func emit(_ fact: WidgetFact, at index: Int) {
        let numbers = fact.numbers
        let interaction = fact.interaction ?? WidgetFact.Interaction(.press, at: now)
        let input = fact.interaction == nil ? 0 : TraceCode.code(interaction.input)
        FieldText.lend(
            name, fact.view, fact.hidden ?? "", fact.writer ?? "", fact.parent ?? ""
        ) { store, name, hidden, writer, parent in
            csignpost_fact(
                store: store, store_id: id, epoch: epoch, index: UInt32(index), kind: TraceCode.code(fact.kind),
                name: name, hidden: hidden, writer: writer, parent: parent, count: numbers.count, of: numbers.of,
                wall_ns: numbers.nanoseconds, processor_ns: numbers.processor, longest_ns: numbers.longest,
                longest_of_ns: numbers.longestOf, duration_ns: numbers.duration, same: numbers.same,
                input: input, age_ns: age(of: interaction.at), evaluations_ns: interaction.evaluations,
                style_ns: interaction.style, layout_ns: interaction.layout, drawing_ns: interaction.drawing,
                presentation_ns: interaction.presentation
            ).emit()
        }
    }

    private func emit(_ threads: ThreadTime, at index: Int) {
        FieldText.lend(name, threads.name) { store, name, _, _, _ in
            csignpost_threads(
                store: store, store_id: id, epoch: epoch, index: UInt32(index), name: name, count: threads.count,
                at_first: threads.atFirst, processor_ns: threads.processor
            ).emit()
        }
    }

    func emit(_ work: IdleWork, at index: Int) {
        FieldText.lend(name) { store in
            FieldText.lend(
                work.view, work.reason, work.writer ?? "", work.callback?.source ?? "", work.callback?.function ?? ""
            ) { name, reason, writer, source, function in
                csignpost_work(
                    store: store, store_id: id, epoch: epoch, index: UInt32(index), kind: TraceCode.code(work.kind),
                    name: name, reason: reason, writer: writer, source: source, function: function,
                    own: work.all.own, count: work.all.count, wall_ns: work.all.nanoseconds,
                    wasted: work.all.wasted ?? .max, latest_own: work.latest.own, latest_count: work.latest.count,
                    latest_ns: work.latest.nanoseconds, latest_wasted: work.latest.wasted ?? .max,
                    duration_ns: work.latestDuration, age_ns: age(of: work.latestAt)
                ).emit()
            }
        }
    }

    func emit(_ cycle: Cycle, at index: Int) {
        // All further cycles have no steps, and one event all the same.
        let steps = cycle.steps.isEmpty ? [Cycle.Step(name: "", writer: nil)] : cycle.steps
        for (number, step) in steps.enumerated() {
            FieldText.lend(name, step.name, step.writer ?? "", cycle.over ?? "") { store, name, writer, over, _ in
                csignpost_cycle(
                    store: store, store_id: id, epoch: epoch, index: UInt32(index), step: UInt32(number),
                    steps: UInt32(cycle.steps.count), name: name, writer: writer, over: over, rounds: cycle.rounds,
                    latest_rounds: cycle.latestRounds, latest_ns: cycle.latestNanoseconds,
                    age_ns: age(of: cycle.latestAt)
                ).emit()
            }
        }
    }

    /// How long ago that was.
    private func age(of time: Timestamp) -> UInt64 { UInt64(max(0, now.nanoseconds(since: time))) }
}

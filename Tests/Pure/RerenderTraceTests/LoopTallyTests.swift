// SPDX-License-Identifier: MIT
// What stores tell of themselves and of the main loop: a report has it as the app had it, and judges it by the same rules.

import CShared
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing

@Suite("What stores told")
struct LoopTallyTests {
    /// When the last event of a test comes.
    private static let end = Timestamp(nanosecondsSince1970: 20_000_000_000)

    /// A main loop with a source that is always due, in which each field has another number.
    private static var spinning: LoopStats {
        var totals = LoopTotals()
        (totals.counted, totals.turns, totals.pollsWithoutWait) = (12_000_000_000, 60_000, 59_990)
        (totals.emptyTurns, totals.wakeups, totals.processor, totals.process) = (3, 4, 11_000_000_000, 11_500_000_000)
        totals.isInputKnown = 1
        for (number, part) in LoopTotals.tracedParts.enumerated() {
            totals[keyPath: part.path].add(wall: UInt64(number) * 10 + 1, processor: UInt64(number) * 10 + 2)
        }
        var stretch = QuietStretch()
        (stretch.nanoseconds, stretch.processor) = (8_000_000_000, 7_600_000_000)
        stretch.latestAt = Timestamp(nanosecondsSince1970: end.nanosecondsSince1970 - 500_000_000)
        (stretch.turns, stretch.pollsWithoutWait, stretch.sameTurns, stretch.row) = (40_000, 39_999, 39_998, 2)
        (stretch.emptyTurns, stretch.wakeups, stretch.frames) = (1, 5, 6)
        (stretch.unpainted, stretch.sameFrames) = (7, 8)
        (stretch.compared, stretch.comparedSame, stretch.likely, stretch.likelySame) = (9, 10, 11, 12)
        totals.spinning = stretch
        stretch.row = 0
        totals.busy = stretch
        var timer = LoopRow(.timer, name: "tick()", place: "cases.c:7")
        (timer.numbers.count, timer.numbers.interval) = (9, 1_000_000_000)
        var watch = LoopRow(.descriptor, name: "on_ready()", place: "cases.c:41", of: "pipe", thread: "worker")
        (watch.numbers.count, watch.numbers.wall, watch.numbers.processor) = (40_000, 30, 31)
        (watch.numbers.longest, watch.numbers.turns, watch.numbers.polls) = (32, 33, 34)
        (watch.numbers.descriptor, watch.numbers.unread, watch.numbers.isShared) = (5, 39_000, 1)
        var fact = WidgetFact(.layout, view: "GtkFixed#f")
        (fact.hidden, fact.writer, fact.parent) = ("opacity is 0", "move_same() cases.c:16", "GtkBox#b")
        (fact.numbers.count, fact.numbers.of, fact.numbers.nanoseconds) = (41, 42, 43)
        (fact.numbers.processor, fact.numbers.longest, fact.numbers.longestOf) = (44, 45, 46)
        (fact.numbers.duration, fact.numbers.same) = (47, 48)
        var click = WidgetFact(.interaction, view: "GtkButton#save")
        let at = Timestamp(nanosecondsSince1970: end.nanosecondsSince1970 - 700_000_000)
        var interaction = WidgetFact.Interaction(.click, at: at)
        (interaction.evaluations, interaction.style, interaction.layout) = (22_000_000, 62, 30_000_000)
        (interaction.drawing, interaction.presentation) = (8_000_000, 65)
        (click.numbers.of, click.numbers.count) = (3, 5)
        (click.numbers.nanoseconds, click.interaction) = (60_000_000, interaction)
        return LoopStats(
            totals, rows: [timer, watch], facts: [fact, click],
            threads: [ThreadTime(name: "pool", count: 3, atFirst: 2, processor: 51)])
    }

    private static var frames: FrameTotals {
        var frames = FrameTotals()
        (frames.count, frames.overInterval, frames.notJudged, frames.longest) = (1, 2, 3, 4)
        (frames.update, frames.layout, frames.snapshot, frames.drawing) = (5, 6, 7, 8)
        (frames.interval, frames.isIntervalTold, frames.presented, frames.toPresentation) = (9, 1, 11, 132)
        (frames.late, frames.same, frames.processor) = (13, 14, 15)
        return frames
    }

    /// What an app knows, as its export has it.
    private static var process: ProcessStats {
        var stats = ProcessStats(
            pid: 1, name: "app", store: "loop", storeNumber: 0, startedAt: Timestamp(nanosecondsSince1970: 0))
        (stats.kind, stats.gaps, stats.frames) = (.loop, ["not counted: its widgets"], FrameStats(frames))
        (stats.loop, stats.hangs.microNanoseconds, stats.mainLoop) = (spinning, 77, .cfrunloop)
        var work = IdleWork(.evaluations, latestAt: end)
        (work.view, work.reason, work.writer) = ("Clock", "now", "advance() Clock.swift:4")
        work.callback = IdleWork.Callback(source: "timer", function: nil)
        (work.all.own, work.all.count, work.all.nanoseconds) = (61, 62, 63)
        (work.latest.own, work.latest.count, work.latest.nanoseconds, work.latest.wasted) = (64, 65, 66, 1)
        work.latestDuration = 4_000_000_000
        stats.idleWork = [work]
        stats.cycles = [
            Cycle(
                steps: [.init(name: "A", writer: "set() A.swift:1"), .init(name: "B", writer: nil)], rounds: 20,
                latestRounds: 19, latestNanoseconds: 18, latestAt: end, over: "an idle function"),
            Cycle(steps: [], rounds: 3, latestRounds: 2, latestNanoseconds: 1, latestAt: end),
        ]
        return stats
    }

    private static func report(_ tell: (EventScript) -> Void) throws -> ProcessStats {
        let script = EventScript()
        tell(script)
        return try #require(try script.report().export.processes.first)
    }

    @Test("a report has every number and text of a store, its main loop, its work and its cycles as they were told")
    func whole() throws {
        let truth = Self.process
        let told = try Self.report { $0.tell(truth, at: Self.end) }
        #expect(told.pid == 1 && told.store == "loop" && told.storeNumber == 0 && told.views.isEmpty)
        #expect(told.loop == truth.loop && told.frames == truth.frames && told.kind == truth.kind)
        #expect(told.idleWork == truth.idleWork && told.cycles == truth.cycles && told.gaps == truth.gaps)
        #expect(told.hangs.microNanoseconds == 77)
        #expect(told.mainLoop == .cfrunloop && told.startedAt == truth.startedAt)
    }

    @Test("no main loop is one that nothing is known of, where the store said so and not where it told nothing")
    func loops() throws {
        for kind in [MainLoopKind.none, .ping] {
            let script = EventScript()
            script.evaluate("Row")
            var store = ProcessStats(
                pid: 1, name: "app", store: "main", storeNumber: 0, startedAt: Timestamp(nanosecondsSince1970: 5))
            (store.kind, store.mainLoop) = (.views, kind)
            script.tell(store, at: Self.end)
            let export = try script.report().export
            #expect(export.processes.map(\.mainLoop) == [kind] && export.processes.map(\.evaluations) == [1])
            let gap = "Nothing to fix is known: without a main loop that is watched, no hang is noticed"
            #expect(export.verdict?.findings.map(\.text) == [kind == .none ? gap : "Nothing to fix"])
        }
        let script = EventScript()
        script.evaluate("Row")
        #expect(try script.report().export.verdict?.findings.map(\.text) == ["Nothing to fix"])
    }

    @Test("the first line is that of who counted it, in the report and on its page")
    func firstLine() throws {
        let truth = try #require(VerdictBuilder.verdict(of: [Self.process], .ended))
        #expect(truth.findings.first?.kind == .spinning, "\(truth.findings)")
        let script = EventScript()
        script.tell(Self.process, at: Self.end)
        let (report, page, _) = try script.page()
        #expect(report.export.verdict?.findings.map(\.text) == truth.findings.map(\.text))
        #expect(report.export.verdict?.findings.map(\.kind) == truth.findings.map(\.kind))
        #expect(page.findings.map(\.kind) == truth.findings.map(\.kind))
    }

    @Test(
        "a page has the lines of stats about main loops, the slowest clicks, and its rows in the same order, within a limit"
    )
    func page() throws {
        let script = EventScript()
        script.tell(Self.process, at: Self.end)
        let (report, page, _) = try script.page()
        let click =
            "app[1] click on GtkButton#save took 60.0ms to the frame: layout 30.0ms, evaluations 22.0ms, drawing 8.00ms; "
            + "3 writes, 5 drawings"
        #expect(page.mainLoops == LoopNotes.lines(report.export.processes) + [click] && page.mainLoops.count == 2)
        #expect(page.mainLoops.first?.hasPrefix("app[1] main thread: 91.7% of a core") == true)
        #expect(page.sources.map(\.name) == SourceRow.all(report.export.processes).map(\.name))
        #expect(page.sources.map(\.name) == ["on_ready() cases.c:41", "tick() cases.c:7"] && page.moreSources == 0)
        #expect(page.sources.map(\.kind) == ["descriptor", "timer"] && page.sources.map(\.calls) == [40_000, 9])
        #expect(page.sources.map { $0.rate?.text } == ["3.3k/s", "0.8/s"])
        #expect(page.sources.map { $0.core?.text } == ["<0.1%", "<0.1%"])
        #expect(page.sources.map(\.processor) == [31, 0] && page.sources.map(\.isShared) == [true, false])
        #expect(page.sources.map(\.longest) == [32, 0] && page.sources.map(\.thread) == ["worker", nil])
        #expect(page.sources.allSatisfy { page.processes[$0.process].pid == 1 })
        var limits = PageLimits()
        limits.sources = 1
        let interpreter = try script.feed(PageBuilder(script.texts, limits: limits))
        let short = interpreter.consumer.results(interpreter.state, title: "t", tool: "test").page
        #expect(short.sources.map(\.name) == ["on_ready() cases.c:41"] && short.moreSources == 1)
    }

    @Test("a page has so many sources, and the number of the others", arguments: around(2))
    func fewSources(limit: Int) throws {
        let script = EventScript()
        script.tell(Self.process, at: Self.end)
        var limits = PageLimits()
        limits.sources = limit
        let interpreter = try script.feed(PageBuilder(script.texts, limits: limits))
        let page = interpreter.consumer.results(interpreter.state, title: "t", tool: "test").page
        #expect(page.sources.count == min(2, limit) && page.moreSources == max(0, 2 - limit))
    }

    @Test("a page of a trace that says nothing of main loops has none of this")
    func pageWithout() throws {
        let script = EventScript()
        script.evaluate("Row")
        let page = try script.page().page
        #expect(page.mainLoops.isEmpty && page.sources.isEmpty && page.moreSources == 0)
    }

    @Test("the latest totals count, a reset begins anew, and what is told of an earlier epoch is left out")
    func latest() throws {
        var earlier = Self.process
        earlier.loop?.totals.turns = 5
        earlier.loop?.rows[1].numbers.count = 5
        let told = try Self.report { script in
            script.tell(earlier, at: Self.end)
            script.tell(Self.process, at: Self.end)
        }
        #expect(told.loop?.totals.turns == 60_000 && told.loop?.rows.map(\.numbers.count) == [9, 40_000])
        var fresh = Self.process
        fresh.loop = LoopStats(LoopTotals())
        let reset = try Self.report { script in
            script.tell(Self.process, at: Self.end)
            script.tell(fresh, epoch: 1, at: Self.end)
            script.tell(Self.process, at: Self.end)
        }
        #expect(reset.loop == LoopStats(LoopTotals()) && reset.countedSince == Self.end && told.countedSince == nil)
        let script = EventScript()
        script.evaluate("Row")
        script.tell(fresh, epoch: 1, at: Self.end)
        let report = try script.report()
        #expect(report.export.processes.map(\.views.count) == [0] && report.beforeReset == 1)
    }

    @Test("of a row that was lost the place stays, and a cycle of which a step was lost is none")
    func lost() throws {
        let told = try Self.report { script in
            script.tell(Self.process, at: Self.end) { event in
                switch event {
                case .row(let row): row.index != 0
                case .cycle(let cycle): cycle.step == 0
                default: true
                }
            }
        }
        #expect(told.loop?.rows.map(\.kind) == [.others, .descriptor])
        #expect(told.loop.flatMap { $0.row($0.totals.spinning) }?.name == "on_ready()")
        #expect(told.cycles?.map(\.rounds) == [3])
    }

    @Test("places and kinds beyond those that an app tells are left out, and so are more stores than there is room for")
    func hostile() throws {
        let script = EventScript()
        var row = csignpost_read_loop_row()
        (row.kind, row.index) = (1, UInt32(TraceLimits.rowsPerLoop))
        script.add(.ofStore(.row(row)))
        (row.kind, row.index) = (200, 0)
        script.add(.ofStore(.row(row)))
        var cycle = csignpost_read_cycle()
        (cycle.step, cycle.steps) = (3, .max)
        script.add(.ofStore(.cycle(cycle)))
        for number in 1...UInt32(TraceLimits.toldStores) {
            var loop = csignpost_read_loop()
            (loop.store_id, loop.epoch, loop.turns) = (number, .max, .max)
            script.add(.ofStore(.loop(loop)))
        }
        let report = try script.report()
        #expect(report.export.processes.count == TraceLimits.toldStores + 1 && report.overflowed == 1)
        #expect(report.export.processes.filter { $0.loop != nil }.count == TraceLimits.toldStores - 1)
        #expect(report.export.processes.allSatisfy { $0.loop?.rows.isEmpty ?? true && $0.cycles == nil })
    }

    @Test(
        "so many stores tell of themselves, and the events of others are counted",
        arguments: around(TraceLimits.toldStores))
    func manyStores(count: Int) throws {
        let script = EventScript()
        for number in 1...UInt32(count) {
            var loop = csignpost_read_loop()
            (loop.store_id, loop.turns) = (number, 7)
            script.add(.ofStore(.loop(loop)))
        }
        let (report, kept) = (try script.report(), min(count, TraceLimits.toldStores))
        #expect(report.export.processes.count == count && report.overflowed == UInt64(count - kept))
        #expect(report.export.processes.filter { $0.loop?.totals.turns == 7 }.count == kept)
    }

    @Test("a hang is told with its source, its call, what was the handler's own, and whether the program was closing")
    func hang() throws {
        let script = EventScript()
        for id in [1, 2] as [UInt64] {
            var hang = script.hang(3_000_000_000, id: id, view: "", isEnd: true, verdict: .blocked)
            (hang.name, hang.handler) = (.empty, script.texts.intern("GtkButton#go: clicked"))
            hang.source = script.texts.intern("on_clicked() cases.c:44")
            hang.call = script.texts.intern("g_dbus_connection_call_sync()")
            (hang.own_ns, hang.excused) = (2_500_000_000, id == 2 ? 1 : 0)
            script.evaluate("Row")
            script.add(.hangEnded(hang), pid: 99)
        }
        let report = try script.report()
        let process = try #require(report.export.processes.first { !$0.views.isEmpty })
        #expect(process.hangs.excused == 1 && process.hangs.faults == 1)
        #expect(process.hangs.ownNanoseconds == 2_500_000_000 && process.hangs.excusedNanoseconds == 3_000_000_000)
        let source = try #require(process.hangsOfSources?.first)
        #expect(source.name == "on_clicked() cases.c:44" && source.call == "g_dbus_connection_call_sync()")
        #expect(source.handler == "GtkButton#go: clicked" && source.totals.count == 2)
        #expect(report.hangs.map(\.source) == ["on_clicked() cases.c:44", "on_clicked() cases.c:44"])
        #expect(Set(report.hangs.map(\.ended)) == [.normally, .exited])
        #expect(report.export.verdict?.first?.source == "on_clicked() cases.c:44")
    }

    @Test("micro-hangs are the turns that were long, where no daemon told of them")
    func microHangs() throws {
        let script = EventScript()
        script.turn(1, length: 150_000_000) { script.evaluate("Row", body: 120_000_000, turn: 1) }
        let process = try #require(try script.report().export.processes.first)
        #expect(process.microHangs == 1 && process.hangs.microNanoseconds >= 150_000_000)
        #expect(process.hangs.microNanoseconds < 151_000_000 && process.hangs.count == 0)
        #expect(process.views.map(\.hangs.microNanoseconds) == [120_000_000])
    }
}

extension EventScript {
    /// Tells all of an entry of an export at one moment, but for events that are lost.
    fileprivate func tell(
        _ stats: ProcessStats, epoch: UInt32 = 0, at time: Timestamp, keeps: (StoreEvent) -> Bool = { _ in true }
    ) {
        let (store, id) = (texts.intern(stats.store), stats.storeNumber)
        func text(_ text: String?) -> TextID { texts.intern(text ?? "") }
        func age(_ moment: Timestamp) -> UInt64 { UInt64(max(0, time.nanoseconds(since: moment))) }
        func add(_ event: StoreEvent) {
            guard keeps(event) else { return }
            let last = events.last?.nanoseconds ?? 1_000_000_000
            self.add(.ofStore(event), after: time.nanosecondsSince1970 - last)
        }
        var whole = csignpost_read_store()
        (whole.store, whole.store_id, whole.epoch) = (store, id, epoch)
        (whole.kind, whole.gap) = (stats.kind.map { TraceCode.code($0) } ?? 0, text(stats.gaps?.first))
        whole.micro_ns = stats.hangs.microNanoseconds
        whole.main_loop = TraceCode.code(stats.mainLoop)
        whole.started_at = UInt64(stats.startedAt.nanosecondsSince1970)
        if let frames = stats.frames { whole.take(frames) }
        add(.store(whole))
        for (index, work) in (stats.idleWork ?? []).enumerated() {
            var event = csignpost_read_work()
            (event.store, event.store_id, event.epoch, event.index) = (store, id, epoch, UInt32(index))
            (event.kind, event.name) = (TraceCode.code(work.kind), text(work.view))
            (event.reason, event.writer) = (text(work.reason), text(work.writer))
            (event.source, event.function) = (text(work.callback?.source), text(work.callback?.function))
            (event.own, event.count, event.wall_ns) = (work.all.own, work.all.count, work.all.nanoseconds)
            (event.wasted, event.latest_wasted) = (work.all.wasted ?? .max, work.latest.wasted ?? .max)
            (event.latest_own, event.latest_count) = (work.latest.own, work.latest.count)
            (event.latest_ns, event.duration_ns) = (work.latest.nanoseconds, work.latestDuration)
            event.age_ns = age(work.latestAt)
            add(.work(event))
        }
        for (index, cycle) in (stats.cycles ?? []).enumerated() {
            var event = csignpost_read_cycle()
            (event.store, event.store_id, event.epoch, event.index) = (store, id, epoch, UInt32(index))
            (event.steps, event.over, event.rounds) = (UInt32(cycle.steps.count), text(cycle.over), cycle.rounds)
            (event.latest_rounds, event.latest_ns) = (cycle.latestRounds, cycle.latestNanoseconds)
            event.age_ns = age(cycle.latestAt)
            if cycle.steps.isEmpty { add(.cycle(event)) }
            for (number, step) in cycle.steps.enumerated() {
                (event.step, event.name, event.writer) = (UInt32(number), text(step.name), text(step.writer))
                add(.cycle(event))
            }
        }
        guard let loop = stats.loop else { return }
        let totals = loop.totals
        var event = csignpost_read_loop()
        (event.store, event.store_id, event.epoch) = (store, id, epoch)
        (event.counted_ns, event.turns, event.wakeups) = (totals.counted, totals.turns, totals.wakeups)
        (event.polls_without_wait, event.empty_turns) = (totals.pollsWithoutWait, totals.emptyTurns)
        (event.processor_ns, event.process_ns) = (totals.processor, totals.process)
        event.input_known = UInt8(totals.isInputKnown)
        add(.loop(event))
        for (name, path) in LoopTotals.tracedParts {
            var event = csignpost_read_part()
            (event.store, event.store_id, event.epoch, event.name) = (store, id, epoch, text(name))
            (event.wall_ns, event.processor_ns) = (totals[keyPath: path].wall, totals[keyPath: path].processor)
            add(.part(event))
        }
        for (name, path) in LoopTotals.tracedStretches {
            let stretch = totals[keyPath: path]
            var event = csignpost_read_stretch()
            (event.store, event.store_id, event.epoch, event.name) = (store, id, epoch, text(name))
            (event.duration_ns, event.processor_ns) = (stretch.nanoseconds, stretch.processor)
            event.age_ns = age(stretch.latestAt)
            (event.turns, event.polls_without_wait) = (stretch.turns, stretch.pollsWithoutWait)
            (event.empty_turns, event.same_turns, event.row) = (stretch.emptyTurns, stretch.sameTurns, stretch.row)
            (event.wakeups, event.frames) = (stretch.wakeups, stretch.frames)
            (event.unpainted, event.same_frames) = (stretch.unpainted, stretch.sameFrames)
            (event.compared, event.compared_same) = (stretch.compared, stretch.comparedSame)
            (event.likely, event.likely_same) = (stretch.likely, stretch.likelySame)
            add(.stretch(event))
        }
        for (index, row) in loop.rows.enumerated() {
            let numbers = row.numbers
            var event = csignpost_read_loop_row()
            (event.store, event.store_id, event.epoch, event.index) = (store, id, epoch, UInt32(index))
            (event.kind, event.name, event.place) = (TraceCode.code(row.kind), text(row.name), text(row.place))
            (event.of, event.thread) = (text(row.of), text(row.thread))
            (event.count, event.wall_ns, event.processor_ns) = (numbers.count, numbers.wall, numbers.processor)
            (event.longest_ns, event.turns, event.polls) = (numbers.longest, numbers.turns, numbers.polls)
            (event.interval_ns, event.descriptor) = (numbers.interval, numbers.descriptor)
            (event.unread, event.shared) = (numbers.unread, UInt8(numbers.isShared))
            event.micro_ns = numbers.micro
            add(.row(event))
        }
        for (index, fact) in loop.facts.enumerated() {
            let numbers = fact.numbers
            var event = csignpost_read_fact()
            (event.store, event.store_id, event.epoch, event.index) = (store, id, epoch, UInt32(index))
            (event.kind, event.name, event.hidden) = (TraceCode.code(fact.kind), text(fact.view), text(fact.hidden))
            (event.writer, event.parent) = (text(fact.writer), text(fact.parent))
            (event.count, event.of, event.wall_ns) = (numbers.count, numbers.of, numbers.nanoseconds)
            (event.processor_ns, event.longest_ns) = (numbers.processor, numbers.longest)
            (event.longest_of_ns, event.duration_ns, event.same) = (numbers.longestOf, numbers.duration, numbers.same)
            if let interaction = fact.interaction {
                (event.input, event.age_ns) = (TraceCode.code(interaction.input), age(interaction.at))
                (event.evaluations_ns, event.style_ns) = (interaction.evaluations, interaction.style)
                (event.layout_ns, event.drawing_ns) = (interaction.layout, interaction.drawing)
                event.presentation_ns = interaction.presentation
            }
            add(.fact(event))
        }
        for (index, threads) in loop.threads.enumerated() {
            var event = csignpost_read_threads()
            (event.store, event.store_id, event.epoch, event.index) = (store, id, epoch, UInt32(index))
            (event.name, event.count, event.at_first) = (text(threads.name), threads.count, threads.atFirst)
            event.processor_ns = threads.processor
            add(.threads(event))
        }
    }
}

extension csignpost_read_store {
    fileprivate mutating func take(_ stats: FrameStats) {
        (frames, over_interval, not_judged) = (stats.count, stats.overInterval, stats.notJudged)
        (longest_ns, update_ns, layout_ns) = (
            stats.longestNanoseconds, stats.updateNanoseconds, stats.layoutNanoseconds
        )
        (snapshot_ns, drawing_ns) = (stats.snapshotNanoseconds, stats.drawingNanoseconds)
        (interval_ns, interval_told) = (stats.intervalNanoseconds ?? 0, stats.isIntervalTold ? 1 : 0)
        (presented, to_presentation_ns) = (11, (stats.presentationNanoseconds ?? 0) * 11)
        (late, same, processor_ns) = (stats.late ?? 0, stats.same ?? 0, stats.processorNanoseconds ?? 0)
    }
}

// SPDX-License-Identifier: MIT
// What came between two exports, as `look` shows it.

import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("What came between two exports")
struct ExportSpanTests {
    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + seconds * 1_000_000_000)
    }

    private func export(at seconds: Int64, _ stores: [ProcessStats]) -> StatsExport {
        StatsExport(generatedAt: Self.time(seconds), processes: stores, verdict: nil)
    }

    /// A store whose process drew 60 frames in each second without input, until some second.
    private func drawing(until latest: Int64, for seconds: UInt64, of counted: UInt64) -> ProcessStats {
        var store = Sample.store(
            "clock", store: "widgets", kind: .widgets, views: [Sample.view("GtkSpinner", count: counted * 60)])
        var totals = LoopTotals()
        (totals.counted, totals.turns, totals.isInputKnown) = (counted * 1_000_000_000, counted * 60, 1)
        totals.processor = counted * 40_000_000
        (totals.frames.nanoseconds, totals.frames.latestAt) = (seconds * 1_000_000_000, Self.time(latest))
        (totals.frames.frames, totals.frames.sameFrames) = (seconds * 60, seconds * 60)
        totals.frames.processor = seconds * 40_000_000
        store.loop = LoopStats(totals)
        return store
    }

    @Test("counts are those since, a store that is new is whole, and what did not run is left out")
    func counts() {
        var later = Sample.shop
        later.views[0].count += 7
        later.evaluations += 7
        let new = Sample.store("late", pid: 5000, views: [Sample.view("New", count: 3)])
        let span = ExportSpan(from: export(at: 0, [Sample.shop]), to: export(at: 10, [later, new]), hangs: [])
        #expect(span.export.generatedAt == Self.time(10) && span.remarks.isEmpty)
        #expect(span.export.processes.map(\.name) == ["shop", "late"])
        #expect(span.export.processes[0].evaluations == 7 && span.export.processes[0].countedSince == Self.time(0))
        #expect(span.export.processes[0].views.map(\.key) == ["CartTotal"])
        #expect(span.export.processes[0].views.map(\.count) == [7])
        #expect(span.export.processes[1].views.map(\.count) == [3])
    }

    @Test("of a store that was reset all counts are shown, and this is said")
    func reset() throws {
        func store(_ count: UInt64, since second: Int64) -> ProcessStats {
            var (store, frames) = (Sample.store(views: [Sample.view("Row", count: count)]), FrameTotals())
            frames.count = count
            (store.frames, store.countedSince) = (FrameStats(frames), Self.time(second))
            return store
        }
        let new = export(at: 10, [store(1_841, since: 5)])
        let span = ExportSpan(from: export(at: 0, [store(17, since: -60)]), to: new, hangs: [])
        let part = span.export.processes[0]
        #expect(part.views.map(\.count) == [1_841] && part.evaluations == 1_841 && part.frames?.count == 1_841)
        #expect(part.countedSince == Self.time(5))
        let remark = try #require(span.remarks.first)
        #expect(remark.hasPrefix("shop[4711]/main: its counts were reset at "))
        #expect(remark.hasSuffix(", and these are what came after that"))
    }

    @Test("a reset leaves hangs in a recording, so they are subtracted there")
    func resetOfRecording() {
        func store(_ hangs: Int, since second: Int64) -> ProcessStats {
            var store = Sample.store(views: [Sample.view("Row", count: 40)])
            store.countedSince = Self.time(second)
            (store.microHangs, store.hangsOfNoView) = (UInt64(hangs) * 3, HangTotals())
            for _ in 0..<hangs {
                store.hangs.add(nanoseconds: 300_000_000)
                store.hangsOfNoView?.add(nanoseconds: 300_000_000)
                store.views[0].hangs.add(nanoseconds: 300_000_000)
            }
            return store
        }
        let (before, after) = (export(at: 0, [store(1, since: -60)]), export(at: 10, [store(3, since: 5)]))
        for (areKept, count) in [(true, UInt64(2)), (false, 3)] {
            let span = ExportSpan(from: before, to: after, hangs: [], areHangsKept: areKept)
            let part = span.export.processes[0]
            #expect(part.hangs.count == count && part.hangsOfNoView?.count == count)
            #expect(part.views.map(\.hangs.count) == [count] && part.views.map(\.count) == [40])
            #expect(part.microHangs == count * 3 && part.evaluations == 40 && span.remarks.count == 1)
        }
    }

    @Test("what goes on without input is found where it reaches into the time")
    func goesOn() {
        let before = drawing(until: 0, for: 20, of: 30), after = drawing(until: 10, for: 30, of: 40)
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(span.export.verdict?.first?.kind == .sameFrames, "\(String(describing: span.export.verdict))")
        #expect(span.remarks.isEmpty && span.export.processes[0].views.map(\.count) == [600])
    }

    @Test("a time in which less than five seconds were without input is not said to have nothing to fix")
    func short() throws {
        let before = export(at: 0, [drawing(until: 0, for: 0, of: 0)])
        func first(after seconds: Int64, drawing quiet: UInt64) throws -> Verdict.Finding {
            let store = drawing(until: seconds, for: quiet, of: UInt64(seconds))
            let span = ExportSpan(from: before, to: export(at: seconds, [store]), hangs: [])
            return try #require(span.export.verdict?.first)
        }
        #expect(
            try first(after: 8, drawing: 4).text
                == "Nothing to fix is known: 8.00s are too short to judge what goes on without input: look --for 10s would do"
        )
        #expect(try first(after: 8, drawing: 5).kind == .sameFrames, "also of the same length")
        #expect(try first(after: 10, drawing: 4).kind == .nothing)
    }

    @Test("slow interactions are those since, numbered from the first of them")
    func interactions() {
        func store(_ numbers: ClosedRange<Int64>, counted: UInt64) -> ProcessStats {
            var store = drawing(until: 0, for: 20, of: counted)
            store.loop?.facts = numbers.map { number -> WidgetFact in
                var fact = WidgetFact(.interaction, view: "GtkButton")
                fact.interaction = WidgetFact.Interaction(.click, at: Self.time(number - 10))
                (fact.numbers.nanoseconds, fact.numbers.same) = (250_000_000, UInt64(number))
                return fact
            }
            return store
        }
        let (before, after) = (store(2...9, counted: 30), store(8...12, counted: 40))
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(span.export.processes[0].loop?.facts.map(\.numbers.same) == [1, 2, 3])
    }

    @Test("micro-hangs are those since, also without a hang, with the row and the view that they were in")
    func microHangs() {
        func store(_ micro: UInt64, counted: UInt64) -> ProcessStats {
            var (store, totals) = (Sample.store(views: [Sample.view("Row", count: 9)]), LoopTotals())
            var row = LoopRow(.timer, name: "tick()", place: "clock.c:31")
            (row.numbers.count, row.numbers.micro) = (counted, micro)
            totals.counted = counted * 1_000_000_000
            store.loop = LoopStats(totals, rows: [row])
            store.hangs.addMicro(nanoseconds: micro)
            store.views[0].hangs.addMicro(nanoseconds: micro)
            return store
        }
        let (before, after) = (store(1_000_000_000, counted: 30), store(5_500_000_000, counted: 40))
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(span.export.verdict?.has(.microHangs) == true, "\(String(describing: span.export.verdict))")
        let part = span.export.processes[0]
        #expect(part.hangs.microNanoseconds == 4_500_000_000 && part.hangs.count == 0)
        #expect(part.views.map(\.hangs.microNanoseconds) == [4_500_000_000] && part.views.map(\.count) == [0])
        #expect(part.loop?.rows.map(\.numbers.micro) == [4_500_000_000])
        let later = export(at: 10, [store(1_000_000_000, counted: 40)])
        let quiet = ExportSpan(from: export(at: 0, [before]), to: later, hangs: [])
        #expect(quiet.export.verdict?.has(.microHangs) == false && quiet.export.processes[0].views.isEmpty)
    }

    @Test("layouts and what is made anew are those since, and what came before alone is no finding")
    func facts() throws {
        func store(_ layouts: UInt64, turns: UInt64, counted: UInt64) -> ProcessStats {
            var (store, totals) = (Sample.store(kind: .widgets), LoopTotals())
            totals.counted = counted * 1_000_000_000
            var layout = WidgetFact(.layout, view: "GtkFixed"), anew = WidgetFact(.anew, view: "GtkListBoxRow")
            (layout.numbers.count, layout.numbers.same) = (layouts, layouts)
            (layout.numbers.processor, layout.numbers.of) = (layouts * 2_000_000, layouts * 3_000_000)
            (layout.numbers.longest, layout.numbers.longestOf) = (20_000_000, 21_000_000)
            layout.numbers.duration = totals.counted
            (anew.parent, anew.numbers.count, anew.numbers.of) = ("GtkListBox", turns, 263)
            store.loop = LoopStats(totals, facts: [layout, anew])
            return store
        }
        func span(_ after: ProcessStats) -> StatsExport {
            let before = export(at: 0, [store(900, turns: 4, counted: 30)])
            return ExportSpan(from: before, to: export(at: 10, [after]), hangs: []).export
        }
        let found = span(store(1_500, turns: 9, counted: 40))
        #expect(found.verdict?.has(.layout) == true && found.verdict?.has(.madeAnew) == true)
        let numbers = try #require(found.processes[0].loop?.facts.map(\.numbers))
        #expect(numbers.map(\.count) == [600, 5] && numbers.map(\.of) == [1_800_000_000, 263])
        #expect(numbers[0].processor == 1_200_000_000 && numbers[0].duration == 10_000_000_000)
        #expect(numbers[0].same == 600 && numbers[0].longest == 0 && numbers[0].longestOf == 0)
        let quiet = span(store(900, turns: 4, counted: 40))
        #expect(quiet.processes[0].loop?.facts.isEmpty == true && quiet.verdict?.findings.map(\.kind) == [.nothing])
        // A full table gave the place away, and began it anew.
        #expect(span(store(60, turns: 4, counted: 40)).processes[0].loop?.facts.map(\.numbers.count) == [60])
    }

    @Test(
        "other threads are those since, by name where that is known, and a process that lives is not said to have ended"
    )
    func threads() {
        func store(_ processor: UInt64, _ names: Int, counted: UInt64, ended: Timestamp? = nil) -> ProcessStats {
            var (store, totals) = (Sample.store(kind: .loop), LoopTotals())
            (totals.counted, totals.process) = (counted * 1_000_000_000, processor)
            let threads = (0..<names).map { number in
                ThreadTime(name: "pool \(number)", count: 1, atFirst: 1, processor: processor / UInt64(names))
            }
            store.loop = LoopStats(totals, threads: threads)
            store.loop?.endedAt = ended
            return store
        }
        func span(_ before: ProcessStats, _ after: ProcessStats) -> StatsExport {
            ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: []).export
        }
        let named = span(store(2_000_000_000, 1, counted: 30), store(6_000_000_000, 1, counted: 40))
        #expect(named.verdict?.first?.text == "40.0% of a core is in 1 thread \"pool 0\": it is not the UI")
        #expect(named.processes[0].loop?.threads.map(\.processor) == [4_000_000_000])
        let unnamed = span(store(2_000_000_000, 0, counted: 30), store(6_000_000_000, 1, counted: 40))
        #expect(unnamed.verdict?.first?.text == "40.0% of a core is in other threads, whose names are not known")
        // What a name that was not listed had run before is not known.
        let cut = span(store(8_000_000_000, 8, counted: 30), store(18_000_000_000, 9, counted: 40))
        #expect(cut.processes[0].loop?.threads.isEmpty == true)
        let idle = span(store(2_000_000_000, 1, counted: 30), store(2_000_000_000, 1, counted: 40))
        #expect(idle.verdict?.findings.map(\.kind) == [.nothing] && idle.processes[0].loop?.threads.isEmpty == true)
        let over = span(store(2_000_000_000, 1, counted: 30), store(2_000_000_000, 1, counted: 40, ended: Self.time(8)))
        #expect(over.processes[0].loop?.endedAt == Self.time(8))
    }

    @Test("rounds of a cycle are those since, and one that did not go round since is left out")
    func cycles() {
        func store(_ rounds: UInt64, until latest: Int64) -> ProcessStats {
            var store = Sample.shop
            store.cycles = [
                Cycle(
                    steps: [Cycle.Step(name: "Row", writer: nil)], rounds: rounds, latestRounds: 20,
                    latestNanoseconds: 2_000_000, latestAt: Self.time(latest))
            ]
            return store
        }
        func span(_ after: ProcessStats) -> [UInt64]? {
            let before = export(at: 0, [store(500, until: 0)])
            let span = ExportSpan(from: before, to: export(at: 10, [after]), hangs: [])
            return span.export.processes[0].cycles?.map(\.rounds)
        }
        #expect(span(store(530, until: 5)) == [30] && span(store(500, until: 0)) == nil)
    }

    @Test("what ended before is no finding of the time")
    func ended() {
        let before = drawing(until: -5, for: 20, of: 30)
        var after = before
        after.loop?.totals.counted += 10_000_000_000
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(span.export.verdict?.has(.sameFrames) == false && span.remarks.isEmpty)
        #expect(span.export.processes[0].views.isEmpty)
    }

    @Test("where the like goes on after a longer time that has ended, the finding is of that, and this is said")
    func likeBefore() throws {
        var before = drawing(until: -5, for: 60, of: 70)
        var work = IdleWork(.frames, latestAt: Self.time(-5))
        (work.all.own, work.latest.own, work.latestDuration) = (3_600, 3_600, 60_000_000_000)
        before.idleWork = [work]
        var after = drawing(until: -5, for: 60, of: 80)
        (work.latestAt, work.latest.own, work.latestDuration) = (Self.time(10), 480, 8_000_000_000)
        after.idleWork = [work]
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(span.export.verdict?.first?.kind == .sameFrames)
        let remark = try #require(span.remarks.first)
        #expect(
            remark.hasPrefix("clock[4711]: what goes on without input is judged by its longest time, which ended at "))
        // Without it, nothing is known to go on.
        after.idleWork = [IdleWork(.frames, latestAt: Self.time(-5))]
        let quiet = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        #expect(quiet.remarks.isEmpty && quiet.export.processes[0].idleWork == nil)
    }

    @Test("sources that were not called in the time are left out, and the number of one that spins is still its own")
    func sources() throws {
        func store(until end: Int64, calls: UInt64, spins: UInt64) -> ProcessStats {
            var (store, totals) = (Sample.store("loop", kind: .loop, views: []), LoopTotals())
            (totals.counted, totals.turns) = (UInt64(20 + end) * 1_000_000_000, spins)
            (totals.spinning.nanoseconds, totals.spinning.latestAt) = (10_000_000_000, Self.time(end))
            (totals.spinning.turns, totals.spinning.row) = (spins, 2)
            var rows = [
                LoopRow(.timer, name: "once()"), LoopRow(.idle, name: "spin()"), LoopRow(.idle, name: "rare()"),
            ]
            (rows[0].numbers.count, rows[1].numbers.count, rows[2].numbers.count) = (5, spins, calls)
            store.loop = LoopStats(totals, rows: rows)
            return store
        }
        let (before, after) = (store(until: 0, calls: 1, spins: 9_000), store(until: 10, calls: 3, spins: 18_000))
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
        let loop = try #require(span.export.processes.first?.loop)
        #expect(loop.rows.map(\.name) == ["spin()", "rare()"] && loop.rows.map(\.numbers.count) == [9_000, 2])
        #expect(loop.row(loop.totals.spinning)?.name == "spin()")
    }

    @Test("a hang that ended after the time gives its length to no hang of it")
    func endedLater() {
        var (before, after) = (Sample.shop, Sample.shop)
        before.hangs.add(nanoseconds: 5_000_000_000)
        after.hangs = before.hangs
        for length in [400_000_000, 300_000_000] as [UInt64] { after.hangs.add(nanoseconds: length) }
        let hangs = [(Int64(9), UInt64(400_000_000)), (5, 300_000_000), (10, 600_000_000)].map { second, length in
            var hang = Hang(id: length, pid: 4711, process: "shop", startedAt: Self.time(second), turn: 1)
            (hang.durationNanoseconds, hang.open) = (length, false)
            return hang
        }
        let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: hangs)
        let totals = span.export.processes[0].hangs
        #expect(totals.count == 2 && totals.totalNanoseconds == 700_000_000)
        #expect(totals.worstNanoseconds == 400_000_000 && totals.lastNanoseconds == 300_000_000)
    }

    @Test("a source that got another name has its calls since, unless samples found another source")
    func renamed() {
        func span(_ kind: LoopRow.Kind, _ later: LoopRow.Kind) -> [UInt64]? {
            func store(_ named: LoopRow, _ count: UInt64) -> ProcessStats {
                var (store, row, totals) = (Sample.store(kind: .loop), named, LoopTotals())
                (totals.counted, row.numbers.count, row.numbers.wall) = (count * 1_000_000, count, count)
                store.loop = LoopStats(totals, rows: [row])
                return store
            }
            let before = store(LoopRow(kind, name: "[gio] a task"), 1_000)
            let after = store(LoopRow(later, name: "on_ready()", place: "app.c:4"), 1_010)
            let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
            #expect(span.export.processes[0].loop?.rows.map(\.name) == ["on_ready()"])
            return span.export.processes[0].loop?.rows.map(\.numbers.count)
        }
        #expect(span(.source, .source) == [10])
        #expect(span(.sampled, .sampled) == [1_010] && span(.timer, .source) == [1_010])
    }

    @Test("frames are those since, and the longest is a dash where it was before")
    func frames() throws {
        func frames(_ count: UInt64, longest: UInt64) -> FrameStats? {
            var totals = FrameTotals()
            (totals.count, totals.longest, totals.update) = (count, longest, count * 1_000_000)
            return FrameStats(totals)
        }
        func span(_ old: FrameStats?, _ new: FrameStats?) -> FrameStats? {
            var (before, after) = (Sample.shop, Sample.shop)
            (before.frames, after.frames) = (old, new)
            let span = ExportSpan(from: export(at: 0, [before]), to: export(at: 10, [after]), hangs: [])
            return span.export.processes[0].frames
        }
        let some = try #require(span(frames(100, longest: 50_000_000), frames(130, longest: 50_000_000)))
        #expect(some.count == 30 && some.updateNanoseconds == 30_000_000 && some.longestNanoseconds == 0)
        #expect(FrameText.summary(some).contains("longest –; "))
        #expect(span(frames(100, longest: 5), frames(101, longest: 9))?.longestNanoseconds == 9)
        #expect(span(frames(100, longest: 5), frames(100, longest: 5)) == nil)
        #expect(span(nil, frames(3, longest: 5))?.count == 3)
    }
}

// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("Counting from now on, in top")
struct TopBaselineTests {
    private func stores(_ more: UInt64) -> [ProcessStats] {
        var store = Sample.shop
        store.views[0].count += more
        store.views[0].wasted.count += more
        store.views[0].wasted.measured += more
        store.views[0].wasted.nanoseconds += more * 1_000
        store.views[0].body.totalNanoseconds += more * 2_000
        store.views[0].reasons[0].count += more
        store.evaluations += more
        return [store]
    }

    @Test("r asks first, and any key but y changes nothing")
    func asks() {
        var model = TopSamples.model(stores(0), columns: 120)
        _ = model.take(.key(.character("r")))
        #expect(model.mode == .asking && model.frame.lines.last?.text.contains("y yes, any other key no") == true)
        #expect(model.take(.key(.character("q"))).isEmpty && model.baseline == nil)
        #expect(model.mode == .rows && model.message?.text == "nothing was changed")
        #expect(model.take(.key(.character("u"))).isEmpty && model.message?.text.contains("nothing to undo") == true)
    }

    @Test("then only what came since is shown and ranked, says since when, and u shows all again")
    func since() {
        var model = TopSamples.model(stores(0), columns: 140, order: .count)
        _ = TopSamples.press(&model, stores(0), .character("r"), .character("y"))
        #expect(model.baseline != nil && model.total == 0)
        #expect(TopSamples.text(model).contains("Nothing was counted since r."))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), stores(7), at: TopSamples.time(1))
        let row = model.sample?.row(at: 0)
        #expect(model.total == 1 && row?.view.key == "CartTotal" && row?.view.count == 7)
        #expect(row?.view.wasted.count == 7 && row?.view.wasted.nanoseconds == 7_000)
        #expect(row?.view.body.averageNanoseconds == 2_000 && row?.view.body.maxNanoseconds == 0, "not known")
        #expect(row?.view.reasons.map(\.count) == [7] && row?.store.evaluations == 7)
        #expect(model.frame.lines[0].text.contains("counted since"))
        _ = TopSamples.press(&model, stores(7), .enter)
        #expect(!TopSamples.text(model).contains("longest"))
        _ = TopSamples.press(&model, stores(7), .escape, .character("u"))
        #expect(model.baseline == nil && model.total == 3 && model.sample?.row(at: 0)?.view.count == 319)
    }

    @Test("the view that was selected is not called gone: it is selected again with its next evaluation")
    func selection() {
        var model = TopSamples.model(stores(0), order: .count)
        _ = TopSamples.press(&model, stores(0), .down, .character("r"), .character("y"))
        #expect(!TopSamples.text(model).contains("is gone"))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), stores(7), at: TopSamples.time(1))
        #expect(!TopSamples.text(model).contains("is gone") && model.selectedRow?.view.key == "CartTotal")
        var later = stores(7)
        later[0].views[1].count += 2
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(2))), later, at: TopSamples.time(2))
        #expect(model.total == 2 && model.selectedRow?.view.key == "Shop/ProductRow.swift:40")
    }

    @Test("what a main loop did and called since is what is left of its sums")
    func loops() {
        func stores(_ more: UInt64) -> [ProcessStats] {
            var store = Sample.shop
            store.loop = LoopSamples.loop
            store.loop?.totals.counted += more
            store.loop?.totals.turns += more / 1_000_000_000
            store.loop?.totals.processor += more / 10
            store.loop?.totals.bodies.processor += more / 20
            store.loop?.rows[0].numbers.count += more / 1_000_000_000
            var sampled = LoopRow(.sampled, name: "poll()")
            (sampled.numbers.count, sampled.numbers.turns, sampled.numbers.processor) = (19, 20, more)
            store.loop?.rows.append(sampled)
            return [store]
        }
        var model = TopSamples.model(stores(0), columns: 140, order: .count)
        _ = TopSamples.press(&model, stores(0), .character("r"), .character("y"))
        let later = stores(2_000_000_000)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), later, at: TopSamples.time(1))
        let loop = model.latest?.stores.first?.loop
        #expect(loop?.totals.counted == 2_000_000_000 && loop?.totals.turns == 2)
        #expect(loop?.totals.processor == 200_000_000 && loop?.totals.bodies.processor == 100_000_000)
        #expect(loop?.rows.map(\.numbers.count) == [2, 0, 0, 19] && loop?.rows[0].numbers.longest == 0)
        #expect(loop?.rows[3].samples == "19 of 20 samples" && loop?.rows[3].numbers.processor == 2_000_000_000)
        #expect(loop?.threads.isEmpty == true, "not known")
    }

    @Test("a loop that is kept awake after r is found, and one that was before is not")
    func spinning() {
        func stores(_ counted: UInt64, until latest: Double, lasting: UInt64 = 20) -> [ProcessStats] {
            var (store, totals) = (Sample.store("loop", kind: .loop), LoopTotals())
            (totals.counted, totals.turns, totals.isInputKnown) = (counted * 1_000_000_000, counted * 1_000, 1)
            (totals.spinning.nanoseconds, totals.spinning.latestAt) = (lasting * 1_000_000_000, TopSamples.time(latest))
            (totals.spinning.turns, totals.spinning.emptyTurns) = (20_000, 20_000)
            totals.spinning.pollsWithoutWait = 20_000
            store.loop = LoopStats(totals)
            return [store]
        }
        var model = TopSamples.model(stores(20, until: 0), order: .count)
        _ = TopSamples.press(&model, stores(20, until: 0), .character("r"), .character("y"))
        let now = TopSamples.time(10)
        TopSamples.answer(&model, model.take(.tick(now)), stores(30, until: 10), at: now)
        #expect(model.latest?.verdict?.has(.spinning) == true)
        var over = stores(30, until: -1)
        over[0].loop?.totals.turns = 20_000
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(11))), over, at: TopSamples.time(11))
        #expect(model.latest?.verdict?.has(.spinning) == false)
        for (latest, isFound) in [(10.0, false), (11.0, true)] {
            let brief = stores(32, until: latest, lasting: 6)
            TopSamples.answer(&model, model.take(.tick(TopSamples.time(12.5))), brief, at: TopSamples.time(12.5))
            #expect(model.latest?.verdict?.has(.spinning) == isFound, "what ended by itself is none")
        }
    }

    @Test("views that are new, and those of an app that was reset, count from zero")
    func newViews() {
        var model = TopSamples.model(stores(0), order: .count)
        _ = TopSamples.press(&model, stores(0), .character("r"), .character("y"))
        var later = stores(0)
        later[0].views[0].count = 4
        later[0].views.append(Sample.view("New", count: 9))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), later, at: TopSamples.time(1))
        #expect(model.sample?.rows.map(\.view.key) == ["New", "CartTotal"])
        #expect(model.sample?.rows.map(\.view.count) == [9, 4])
    }

    @Test("after a reset all counts are those since, also where they are more than before")
    func reset() {
        func store(_ count: UInt64, since second: Int64) -> ProcessStats {
            var store = Sample.store(views: [Sample.view("Row", count: count)])
            store.countedSince = TopSamples.time(Double(second))
            return store
        }
        var model = TopSamples.model([store(17, since: -60)], order: .count)
        _ = TopSamples.press(&model, [store(17, since: -60)], .character("r"), .character("y"))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), [store(40, since: 1)], at: TopSamples.time(1))
        #expect(model.sample?.rows.map(\.view.count) == [40] && model.sample?.stores.map(\.evaluations) == [40])
        #expect(model.sample?.stores[0].countedSince == TopSamples.time(1))
    }

    @Test("it takes every view or none: of more than 400 it says what to do, and shows all counts")
    func bounded() {
        let many = [TopSamples.large(401)]
        var model = TopSamples.model(many, order: .count)
        _ = TopSamples.press(&model, many, .character("r"), .character("y"))
        #expect(model.baseline == nil && model.message?.text.contains("at most 400 views") == true)
        #expect(model.total == 401)
        let few = [TopSamples.large(400)]
        model = TopSamples.model(few, order: .count)
        _ = TopSamples.press(&model, few, .character("r"), .character("y"))
        #expect(model.baseline != nil && model.total == 0)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), many, at: TopSamples.time(1))
        #expect(model.baseline == nil && model.message?.text.contains("more than 400 views") == true)
    }

    @Test("a filter while it is taken leaves no view out")
    func filtered() {
        var model = TopSamples.model(stores(0), order: .count)
        _ = TopSamples.press(
            &model, stores(0), .character("/"), .character("R"), .character("o"), .character("w"), .enter)
        _ = TopSamples.press(&model, stores(0), .character("r"), .character("y"), .escape)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), stores(2), at: TopSamples.time(1))
        #expect(model.sample?.rows.map(\.view.count) == [2])
    }

    @Test("the longest fault is no hang that is excused, though that was longer")
    func excused() {
        var (before, after) = (HangTotals(), HangTotals())
        before.add(nanoseconds: 5_000_000_000)
        after = before
        after.add(nanoseconds: 3_000_000_000, isExcused: true)
        after.add(nanoseconds: 400_000_000)
        let hangs = [(UInt64(3_000_000_000), HangEnding.exited), (400_000_000, .normally)].map { length, ending in
            var hang = Hang(id: length, pid: 4711, process: "shop", startedAt: TopSamples.time(1), turn: 2)
            (hang.durationNanoseconds, hang.open, hang.ended) = (length, false, ending)
            return hang
        }
        let since = after.since(before, hangs)
        #expect(since.count == 2 && since.faults == 1 && since.worstNanoseconds == 3_000_000_000)
        #expect(since.worstOfFaults == 400_000_000 && after.since(before, []).worstOfFaults == 400_000_000)
    }

    @Test("sums of hangs are those since, and the longest is that of the hangs since")
    func hangs() throws {
        var before = stores(0)
        before[0].hangs.add(nanoseconds: 900_000_000)
        var tick = SourceHangs(name: "tick() shop.c:4"), old = SourceHangs(name: "save() shop.c:9")
        tick.totals.add(nanoseconds: 600_000_000)
        old.totals.add(nanoseconds: 300_000_000)
        before[0].hangsOfSources = [tick, old]
        var model = TopSamples.model(before)
        _ = TopSamples.press(&model, before, .character("r"), .character("y"))
        before[0].hangs.add(nanoseconds: 300_000_000)
        var hang = Hang(id: 2, pid: 4711, process: "shop", startedAt: TopSamples.time(1), turn: 2)
        (hang.durationNanoseconds, hang.open, hang.source) = (300_000_000, false, "tick() shop.c:6")
        before[0].hangsOfSources?[0].totals.add(nanoseconds: 300_000_000)
        TopSamples.answer(
            &model, model.take(.tick(TopSamples.time(2))), before, at: TopSamples.time(2), hangs: [hang])
        let hangs = model.sample?.stores[0].hangs
        #expect(hangs?.count == 1 && hangs?.totalNanoseconds == 300_000_000 && hangs?.worstNanoseconds == 300_000_000)
        // Those of before are of no source any more, and the new one is still of its own.
        let sources = try #require(model.sample?.stores[0].hangsOfSources)
        #expect(sources.map(\.name) == ["tick() shop.c:4"])
        #expect(sources[0].totals.count == 1 && sources[0].totals.worstNanoseconds == 300_000_000)
    }
}

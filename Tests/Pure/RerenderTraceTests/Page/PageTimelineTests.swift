// SPDX-License-Identifier: MIT
// From events to intervals.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageTimelineTests {
    @Test("a beginning and its end are one interval, with what the end says")
    func pairs() throws {
        var trace = SampleTrace()
        let id = trace.begin("Cart", at: 100)
        trace.end("Cart", at: 400, id: id, body: 250, total: 290, reason: "ticker.tick", waste: .measured)
        let timeline = try trace.timeline()
        let interval = try #require(timeline.evaluations.all.first { _ in true })
        #expect(timeline.evaluations.all.count == 1)
        #expect(interval.start == SampleTrace.origin + 100)
        #expect(interval.duration == 300)
        #expect(interval.amount == 250)
        #expect(interval.wasted == 1)
        #expect(trace.texts[timeline.reasons[Int(interval.reason)]] == "ticker.tick")
        #expect(timeline.key(interval) == "Cart")
        #expect(timeline.state.open.threads[Int(interval.thread)].tid == 4711)
        #expect(timeline.histograms[Int(interval.lane)][PageHistogram.bucket(of: 250)] == 1)
    }

    @Test("a reason that comparing values found has a sign before it, and that of a pass has words behind it")
    func shownReasons() throws {
        var trace = SampleTrace()
        for (at, attribution, isPass) in [
            (100, 3, false), (200, 3, true), (300, 1, false), (400, 1, true), (500, 3, false),
        ] as [(Int64, UInt8, Bool)] {
            let id = trace.begin("Row", at: at)
            trace.end("Row", at: at + 50, id: id, body: 40, reason: "tick", attribution: attribution, isPass: isPass)
        }
        let timeline = try trace.timeline()
        let pass = " (a further pass of the same update)"
        #expect(
            timeline.evaluations.all.map { trace.texts[timeline.reasons[Int($0.reason)]] } == [
                "~tick", "~tick" + pass, "tick", "tick" + pass, "~tick",
            ])
    }

    @Test("an evaluation inside others has their number as its depth, each thread by itself")
    func depth() throws {
        var trace = SampleTrace()
        let outer = trace.begin("Shop", at: 100)
        let inner = trace.begin("Cart", at: 200)
        trace.tid = 5000
        trace.evaluate("Other", at: 210, took: 20)
        trace.tid = 4711
        trace.end("Cart", at: 300, id: inner, body: 90)
        trace.end("Shop", at: 400, id: outer, body: 290)
        let timeline = try trace.timeline()
        let depths = timeline.evaluations.all.map { timeline.key($0) + " \($0.depth)" }
        #expect(depths == ["Shop 0", "Cart 1", "Other 0"])
    }

    @Test("without its beginning an evaluation begins when its own stamps say, even before the trace")
    func noBeginning() throws {
        var trace = SampleTrace()
        trace.end("Cart", at: 1_000, id: 0, body: 4_000, total: 5_000)
        trace.end("Cart", at: 9_000, id: 77, body: 2_000, total: 3_000)
        let timeline = try trace.timeline()
        #expect(timeline.evaluations.all.map { $0.start - SampleTrace.origin } == [-4_000, 6_000])
        #expect(timeline.evaluations.all.map(\.duration) == [5_000, 3_000])
        #expect(timeline.range == SampleTrace.origin - 4_000...SampleTrace.origin + 9_000)
    }

    @Test("what an outer one's end leaves open has lost its end, and does not count as being around later ones")
    func lostEnd() throws {
        var trace = SampleTrace()
        let outer = trace.begin("Shop", at: 100)
        trace.begin("Lost", at: 200)
        trace.end("Shop", at: 400, id: outer, body: 300)
        trace.evaluate("Cart", at: 500, took: 50)
        #expect(try trace.timeline().evaluations.all.map(\.depth) == [0, 0])
    }

    @Test("an outermost one whose end was lost is around none of the later ones, however many there are")
    func lostOutermostEnd() throws {
        var trace = SampleTrace()
        for turn in 0..<Int64(TraceLimits.nesting + 10) {
            trace.begin("Lost", at: turn * 1_000, parent: "")
            let outer = trace.begin("Shop", at: turn * 1_000 + 100, parent: "")
            let inner = trace.begin("Cart", at: turn * 1_000 + 200, parent: "Shop")
            trace.end("Cart", at: turn * 1_000 + 300, id: inner, body: 100)
            trace.end("Shop", at: turn * 1_000 + 400, id: outer, body: 300)
        }
        let evaluations = try trace.timeline().evaluations.all
        #expect(Set(evaluations.map(\.depth)) == [0, 1] && Set(evaluations.map(\.duration)) == [100, 300])
    }

    @Test("durations beyond all reason are cut, and nothing traps")
    func absurdDurations() throws {
        var trace = SampleTrace()
        trace.end("Cart", at: 10, id: 0, body: .max, total: .max)
        trace.beginTurn(1, at: .max - SampleTrace.origin)
        trace.end("Cart", at: .max - SampleTrace.origin, id: 0, body: .max, total: .max)
        #expect(try trace.timeline().evaluations.all.count == 2)
    }

    @Test("a commit decides of the evaluation that it names, also of one that is not the latest, and of no other")
    func waste() throws {
        var trace = SampleTrace()
        for instance in [1, 2, 1] as [UInt64] {
            trace.evaluate(
                "Row", at: Int64(trace.events.count) * 100, took: 10, waste: instance == 2 ? .inferred : .none,
                count: UInt64(trace.events.count / 2 + 1), instance: instance)
        }
        #expect(try trace.timeline().evaluations.all.map(\.wasted) == [0, 1, 0])
        // The first evaluation of instance 1 was superseded by the third, which was needed.
        trace.commit("Row", at: 1_000, instance: 1, wasted: 2, change: "judged", of: 1, as: .inferred)
        trace.commit("Row", at: 1_100, instance: 1, wasted: 2, of: 3)
        #expect(try trace.timeline().evaluations.all.map(\.wasted) == [1, 1, 0])
        #expect(try trace.timeline().evaluations.all.map(\.inferred) == [1, 1, 0], "a commit may infer waste, too")
        trace.commit("Row", at: 1_200, instance: 2, wasted: 1, of: 2)
        #expect(try trace.timeline().evaluations.all.map(\.wasted) == [1, 0, 0])
        // Of none, of one that is not in the trace, and of one of another instance.
        trace.commit("Row", at: 1_300, instance: 2, wasted: 2)
        trace.commit("Row", at: 1_400, instance: 2, wasted: 3, of: 77, as: .measured)
        trace.commit("Row", at: 1_500, instance: 1, wasted: 3, of: 2, as: .measured)
        #expect(try trace.timeline().evaluations.all.map(\.wasted) == [1, 0, 0])
    }

    @Test(
        "where more instances came than are remembered, a commit decides of none of those before them",
        arguments: around(4))
    func forgottenInstances(count: Int) throws {
        var trace = SampleTrace()
        for instance in 1...UInt64(count) {
            trace.evaluate("Row", at: Int64(instance) * 100, took: 10, count: instance, instance: instance)
        }
        trace.commit("Row", at: 10_000, instance: 1, wasted: 1, of: 1, as: .measured)
        var limits = PageLimits()
        limits.instances = 4
        let wasted = try trace.timeline(limits).evaluations.all.map(\.wasted)
        #expect(wasted == (0..<count).map { $0 == 0 && count <= 4 ? 1 : 0 })
    }

    @Test("so many reasons are named in the timeline", arguments: around(4))
    func fewReasons(count: Int) throws {
        var trace = SampleTrace()
        for number in 0..<count {
            trace.evaluate("Row", at: Int64(number) * 100, took: 10, reason: "reason \(number)")
        }
        var limits = PageLimits()
        // The first place is for evaluations without a reason.
        limits.reasons = 4 + 1
        let timeline = try trace.timeline(limits)
        let named = timeline.evaluations.all.map { trace.texts[timeline.reasons[Int($0.reason)]] }
        #expect(named == (0..<count).map { $0 < 4 ? "reason \($0)" : "" })
    }

    @Test("a commit decides of the last eight evaluations of an instance")
    func wasteOfMany() throws {
        var trace = SampleTrace()
        for number in 0..<9 {
            trace.evaluate("Row", at: Int64(number) * 100, took: 10, count: UInt64(number + 1), instance: 1)
        }
        for id in 1...9 as ClosedRange<UInt64> {
            trace.commit(
                "Row", at: 1_000, instance: 1, wasted: 9, change: id < 9 ? "judged" : "committed", of: id, as: .measured
            )
        }
        #expect(try trace.timeline().evaluations.all.map(\.wasted) == [0] + Array(repeating: 1, count: 8))
    }

    @Test("turns are told by process; one without its beginning is not drawn")
    func turns() throws {
        var trace = SampleTrace()
        trace.turn(1, from: 100, to: 200, evaluations: 3)
        trace.endTurn(2, at: 300, evaluations: 9)
        trace.pid = 4712
        trace.turn(1, from: 150, to: 450, evaluations: 4)
        let timeline = try trace.timeline()
        #expect(timeline.state.known.processes.map(\.pid) == [4711, 4712])
        #expect(timeline.turns.all.map(\.lane) == [0, 1])
        #expect(timeline.turns.all.map(\.duration) == [100, 300])
        #expect(timeline.turns.all.map(\.amount) == [3, 4])
    }

    @Test("an evaluation says what of its body is of the bodies in it; a group has the sum")
    func inner() throws {
        var trace = SampleTrace()
        let outer = trace.begin("Shop", at: 100)
        trace.evaluate("Cart", at: 200, took: 50)
        trace.evaluate("Cart", at: 300, took: 40)
        trace.end("Shop", at: 400, id: outer, body: 290)
        #expect(try trace.timeline().evaluations.all.map { "\($0.amount) \($0.inner)" } == ["290 90", "50 0", "40 0"])
        for index in 0..<40 as Range<Int64> {
            let outer = trace.begin("Shop", at: 1_000 + index * 100)
            trace.evaluate("Cart", at: 1_010 + index * 100, took: 10)
            trace.end("Shop", at: 1_090 + index * 100, id: outer, body: 80)
        }
        var limits = PageLimits()
        (limits.evaluations, limits.views) = (8, 2)
        let grouped = try trace.timeline(limits).evaluations
        #expect(grouped.groups.count > 0 && grouped.all.reduce(0) { $0 + $1.inner } == 90 + 400)
    }

    @Test("writes are told by process, with the property, who wrote, and how many views they invalidated")
    func writes() throws {
        var trace = SampleTrace()
        trace.write("Ticker.tick", by: "advance() Shop/Ticker.swift:40", at: 100, views: 2)
        trace.evaluate("Cart", at: 150, took: 10)
        trace.pid = 4712
        trace.write("Ticker.tick", by: "", at: 200, views: 1)
        let timeline = try trace.timeline()
        let text = { (place: UInt32) in trace.texts[timeline.reasons[Int(place)]] }
        #expect(timeline.writers == [4711, 4712])
        #expect(
            timeline.writes.all.map { "\($0.lane) \(text($0.reason)) \(text($0.writer)) \($0.amount)" } == [
                "0 Ticker.tick advance() Shop/Ticker.swift:40 2", "1 Ticker.tick  1",
            ])
        let page = timeline.timeline.results(timeline.state, title: "", tool: "").page
        #expect(page.writes.map { page.processes[Int($0.lane)].pid } == [4711, 4712])
    }

    @Test("so many views have a lane, and the evaluations of others are counted", arguments: around(3))
    func fewLanes(count: Int) throws {
        var trace = SampleTrace()
        for number in 0..<count { trace.evaluate("V\(number)", at: Int64(number) * 10, took: 1) }
        var limits = PageLimits()
        limits.views = 3
        let (timeline, kept) = (try trace.timeline(limits), min(count, 3))
        #expect(timeline.lanes == kept && timeline.withoutLane == UInt64(count - kept))
    }

    @Test("the same key in another process or store is another lane; beyond the limit of lanes they are counted")
    func lanes() throws {
        var trace = SampleTrace()
        trace.evaluate("Cart", at: 0, took: 1)
        trace.pid = 4712
        trace.evaluate("Cart", at: 10, took: 1)
        trace.evaluate("Shop", at: 20, took: 1)
        #expect(try trace.timeline().lanes == 3)
        var limits = PageLimits()
        limits.views = 2
        let narrow = try trace.timeline(limits)
        #expect(narrow.lanes == 2)
        #expect(narrow.withoutLane == 1)
        #expect(narrow.evaluations.added == 2)
    }
}

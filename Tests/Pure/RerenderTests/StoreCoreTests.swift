// SPDX-License-Identifier: MIT
// What a store counts, and what a reset does to it.

import Foundation
import RerenderModel
import RerenderWire
import Testing

@testable import Rerender

@Suite("Store")
struct StoreCoreTests {
    @Test("durations of a view: last, average, maximum and sum are exact")
    func durations() throws {
        let core = TestProcess().makeStore()
        for nanoseconds: UInt64 in [100, 300, 200] { core.evaluate("A", nanoseconds: nanoseconds) }
        let stats = try #require(core.stats().first)
        #expect(stats.count == 3)
        #expect(stats.body.lastNanoseconds == 200)
        #expect(stats.body.averageNanoseconds == 200)
        #expect(stats.body.maxNanoseconds == 300)
        #expect(stats.body.totalNanoseconds == 600)
        #expect(stats.total.totalNanoseconds == 750)
    }

    @Test("views are sorted by count, then by key")
    func order() {
        let core = TestProcess().makeStore()
        for label in ["B", "C", "A", "C"] { core.evaluate(label) }
        #expect(core.stats().map(\.key) == ["C", "A", "B"])
    }

    @Test("the first evaluation of each instance is initial, also after it ended and came back")
    func initialReason() throws {
        let core = TestProcess().makeStore()
        for instance: UInt64 in [1, 2, 1, 2, 2] { core.evaluate("Row", instance: instance) }
        core.recordEnd(of: 2, label: "Row")
        core.evaluate("Row", instance: 2)
        let stats = try #require(core.stats().first)
        #expect(stats.instances == 2)
        #expect(stats.reasons.first { $0.reason == Reason.initial }?.count == 3)
        #expect(stats.reasons.first { $0.reason == Reason.externalSignal }?.count == 3)
        #expect(stats.reasons.reduce(0) { $0 + $1.count } == stats.count)
    }

    @Test("a reason that the caller gives comes first, and the instance counts as seen")
    func callersReason() throws {
        let core = TestProcess().makeStore()
        core.evaluate("A", reason: "tap")
        core.evaluate("A")
        let stats = try #require(core.stats().first)
        #expect(stats.reasons.map(\.reason).sorted() == [Reason.externalSignal, "tap"])
        #expect(stats.reasons.first { $0.reason == "tap" }?.attribution == .announced)
        #expect(stats.lastReason == Reason.externalSignal)
    }

    @Test("an instance without a number counts as one until it ends")
    func unnumbered() throws {
        let core = TestProcess().makeStore()
        core.evaluate("A")
        core.evaluate("A")
        #expect(core.stats().first?.instances == 1)
        core.recordEnd(of: nil, label: "A")
        #expect(core.stats().first?.instances == 0)
    }

    @Test("commits are counted beside evaluations, also for a view never evaluated")
    func commits() {
        let core = TestProcess().makeStore()
        core.recordCommit(label: "A", file: "f", line: 1)
        core.evaluate("B")
        core.recordCommit(label: "B", file: "f", line: 1)
        #expect(core.stats().map(\.commits) == [1, 1])
        #expect(core.stats().map(\.count) == [1, 0])
        #expect(core.stats().last?.lastRenderedAt == nil)
    }

    @Test("a reset clears every count, hides views not evaluated since, and keeps instances")
    func reset() {
        let core = TestProcess().makeStore()
        core.evaluate("A", instance: 1)
        core.evaluate("B", instance: 1)
        #expect(core.state().countedSince == core.startedAt)
        core.reset()
        #expect(core.stats().isEmpty && core.export().lastRenderedAt == nil)
        #expect(core.state().countedSince > core.startedAt, "what was before is no part of a rate")
        #expect(core.state().evaluations == 0)
        core.evaluate("A", instance: 1)
        #expect(core.stats().map(\.key) == ["A"])
        #expect(core.stats().first?.reasons.map(\.reason) == [Reason.externalSignal])
        #expect(core.state().evaluations == 1)
        #expect(core.state().epoch == 1 && core.export().lastRenderedAt == core.stats()[0].lastRenderedAt)
    }

    @Test("is judged in its process as its export is")
    func verdict() throws {
        let core = TestProcess().makeStore()
        for _ in 0..<3 { core.evaluate("A", instance: 1) }
        core.recordCommit(label: "B", file: "f", line: 1)
        var builder = VerdictBuilder()
        core.brief().judge(in: &builder)
        let verdict = try #require(builder.verdict)
        #expect(verdict == VerdictBuilder.verdict(of: [core.export()]))
        #expect(verdict.first?.kind == .nothingKnown, "no main loop is watched")
    }

    @Test("says of frames without input which part of a core they take, by their processor time")
    func frameShare() throws {
        let core = TestProcess().makeStore()
        var frame = MeasuredFrame(
            update: 1_000, layout: 3_000, snapshot: 2_000, drawing: 4_000, interval: 0, isIntervalTold: false)
        frame.processor = 5_000
        core.record(frame)
        var work = IdleWork(.frames, latestAt: .now)
        (work.latest.own, work.latest.count) = (61, 61)
        (work.latest.nanoseconds, work.latestDuration) = (61_000_000, 1_000_000_000)
        var store = core.export()
        store.loop = nil
        let share = try #require(CoreShares([store]).share(of: work, in: store.pid))
        #expect(abs(share.percent - 3) < 0.1 && share.isShared, "half of 60 times 1 ms: \(share)")
    }

    @Test("resets amid evaluations on ten threads never lose or double one")
    func concurrentResets() {
        let core = TestProcess().makeStore()
        let perThread = 5_000
        DispatchQueue.concurrentPerform(iterations: 11) { thread in
            if thread == 0 {
                for _ in 0..<200 { core.reset() }
            } else {
                for round in 0..<perThread { core.evaluate("view \(round % 17)") }
            }
        }
        // Whatever the last epoch holds, the views and the flight page's counter agree about it.
        #expect(core.stats().reduce(0) { $0 + $1.count } == core.state().evaluations)
        core.reset()
        for _ in 0..<10 { core.evaluate("A") }
        #expect(core.state().evaluations == 10)
    }

    @Test("the time of the last evaluation does not change by being read")
    func stableTime() throws {
        let core = TestProcess().makeStore()
        let before = Timestamp.now
        core.evaluate("A")
        let first = try #require(core.stats().first?.lastRenderedAt)
        let second = try #require(core.stats().first?.lastRenderedAt)
        #expect(first == second)
        #expect(abs(first.date.timeIntervalSince(before.date)) < 60)
    }

    @Test("thresholds are brought into their range")
    func thresholds() {
        let core = TestProcess().makeStore()
        core.hangThreshold = .seconds(-1)
        #expect(core.hangThreshold == .milliseconds(1))
        core.hangThreshold = .seconds(Int64.max)
        #expect(core.hangThreshold == .seconds(3_600))
    }

    @Test("a view is put on the list once, however often it changes before it is taken")
    func dirtyOnce() {
        let process = TestProcess()
        let core = process.makeStore()
        for _ in 0..<100 { core.evaluate("A") }
        #expect(process.wakeUps.value == 1)
        var views: [UInt32] = []
        core.swapDirtyViews(with: &views)
        #expect(views == [0])
    }
}

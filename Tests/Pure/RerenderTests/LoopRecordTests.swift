// SPDX-License-Identifier: MIT
// The main loop's part of the page as written, read back from the file with the reader that the daemon uses.

import CRerender
import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

private let millisecond: UInt64 = 1_000_000

@Suite("The record of the main loop")
struct LoopRecordTests {
    @Test("says from the beginning that there is no loop")
    func fresh() throws {
        let bench = try LoopBench(nil)
        let reading = try bench.reading()
        #expect(reading.monitor == .none && reading.threadID == 0 && reading.turn == 0)
        #expect(reading.turnStartedAt == 0 && reading.running == nil && reading.last == nil)
        #expect(reading.hangThresholdMilliseconds == 250 && reading.microHangThresholdMilliseconds == 100)
        #expect(try bench.shares().views.isEmpty && bench.longTurns().isEmpty)
    }

    @Test("numbers turns from 1, says when one began, and when the loop waits")
    func turns() throws {
        let bench = try LoopBench()
        bench.record.setThresholds(hangMilliseconds: 30, microHangMilliseconds: 20)
        #expect(bench.record.turnBegan(at: 1_000) == 1)
        var reading = try bench.reading()
        #expect(reading.monitor == .glib && reading.threadID == 4_712)
        #expect(reading.hangThresholdMilliseconds == 30 && reading.microHangThresholdMilliseconds == 20)
        #expect(reading.turn == 1 && reading.turnStartedAt == 1_000)
        #expect(bench.record.turnEnded(at: 2_000) == 0)
        reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 0)
        #expect(bench.record.turnBegan(at: 3_000) == 2)
        bench.record.loopWasLeft(duringTurn: 2, at: 3_500)
        reading = try bench.reading()
        #expect(reading.turn == 2 && reading.leftTurn == 2 && reading.leftAt == 3_500)
        #expect(try bench.longTurns().isEmpty)
    }

    @Test(
        "has bodies look whether GLib's loop was left from half of a long turn on; never another loop's, or between turns"
    )
    func ownerIsDue() throws {
        let bench = try LoopBench()
        #expect(bench.record.ownerIsDueAt == .max)
        bench.record.turnBegan(at: 1_000)
        #expect(bench.record.ownerIsDueAt == 50_001_000)
        bench.record.turnEnded(at: 2_000)
        #expect(bench.record.ownerIsDueAt == .max)
        let other = try LoopBench(.cfrunloop)
        other.record.turnBegan(at: 1_000)
        #expect(other.record.ownerIsDueAt == .max)
    }

    @Test("keeps of a loop that was left what ran in it, and none of a body that runs outside")
    func leftRecord() throws {
        let bench = try LoopBench()
        let (slow, outside) = (bench.view("Slow"), bench.view("Outside"))
        bench.record.turnBegan(at: millisecond)
        bench.began(slow, 2 * millisecond)
        bench.ended(slow, 401 * millisecond)
        bench.record.turnEnded(at: 401 * millisecond, leftBy: 420 * millisecond)
        bench.began(outside, 405 * millisecond)
        bench.ended(outside, 905 * millisecond)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.endedAt == 401 * millisecond && !turn.isMixed && turn.shares.map(\.view.key) == ["Slow"])
        #expect(turn.shares[0].nanoseconds == 399 * millisecond)
        #expect(turn.slack == 0 && turn.endSlack == 19 * millisecond, "how much later it may have been left")
    }

    @Test("keeps turns over the shorter threshold, with the view that ran when the hang began")
    func longTurns() throws {
        let bench = try LoopBench()
        let (slow, fast) = (bench.view("Slow"), bench.view("Fast"))
        bench.record.turnBegan(at: 1_000)
        bench.began(fast, 2_000)
        bench.ended(fast, 3_000)
        bench.record.turnEnded(at: 1_000 + 99 * millisecond)
        #expect(try bench.longTurns().isEmpty)
        let start = 500 * millisecond
        bench.record.turnBegan(at: start)
        bench.began(slow, start + 100 * millisecond)
        bench.began(fast, start + 240 * millisecond)
        bench.ended(fast, start + 260 * millisecond, in: slow)
        bench.ended(slow, start + 300 * millisecond)
        bench.record.turnEnded(at: start + 400 * millisecond)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.number == 1 && turn.turn == 2)
        #expect(turn.startedAt == start && turn.endedAt == start + 400 * millisecond)
        #expect(turn.inBody?.key == "Fast" && turn.last?.key == "Slow" && turn.otherNanoseconds == 0)
        #expect(turn.shares.map(\.view.key) == ["Slow", "Fast"])
        #expect(turn.shares.map(\.nanoseconds) == [180 * millisecond, 20 * millisecond])
        #expect(try bench.reading().longTurns == 1)
        // Between bodies.
        bench.record.turnBegan(at: start)
        bench.began(slow, start + 10 * millisecond)
        bench.ended(slow, start + 250 * millisecond - 1)
        bench.began(slow, start + 250 * millisecond + 1)
        bench.ended(slow, start + 300 * millisecond)
        bench.record.turnEnded(at: start + 300 * millisecond)
        #expect(try bench.longTurns().last?.inBody == nil)
        // A body that lasts until the end of the turn.
        bench.record.turnBegan(at: start)
        bench.began(slow, start + 10 * millisecond)
        bench.record.turnEnded(at: start + 251 * millisecond)
        #expect(try bench.longTurns().last?.inBody?.key == "Slow")
        #expect(try bench.longTurns().last?.last?.key == "Slow")
    }

    @Test("keeps a hang that is set to be shorter than a micro-hang, and no more turns than there is room for")
    func ring() throws {
        let bench = try LoopBench()
        bench.record.setThresholds(hangMilliseconds: 10, microHangMilliseconds: 100)
        for turn in UInt64(1)...40 {
            bench.record.turnBegan(at: turn * 100 * millisecond)
            bench.record.turnEnded(at: turn * 100 * millisecond + 10 * millisecond)
        }
        #expect(try bench.longTurns().map(\.number) == Array(25...40))
        #expect(try bench.longTurns(after: 38).map(\.turn) == [39, 40])
        #expect(try bench.reading().longTurns == 40)
    }

    @Test("a body that runs a loop of its own goes on in that loop's turns, and not while it waits")
    func modal() throws {
        let bench = try LoopBench()
        let (dialog, inside) = (bench.view("Dialog"), bench.view("Inside"))
        bench.record.turnBegan(at: 1_000)
        bench.began(inside, 1_010)
        bench.ended(inside, 1_020)
        bench.began(dialog, 1_100)
        bench.record.turnEnded(at: 1_150)
        #expect(try bench.reading().running == nil)
        bench.record.turnBegan(at: 900_000)
        #expect(try bench.reading().running?.key == "Dialog")
        #expect(try bench.reading().runningSince == 900_000)
        bench.began(inside, 900_010)
        bench.ended(inside, 900_030, in: dialog)
        #expect(try bench.times() == ["Dialog": 10, "Inside": 20])
        bench.record.turnEnded(at: 900_050)
        bench.record.turnBegan(at: 990_000)
        bench.ended(dialog, 990_007)
        #expect(try bench.times() == ["Dialog": 7])
        #expect(try bench.shares().views.count == 1)
        bench.began(dialog, 990_010)
        bench.ended(dialog, 990_011)
        #expect(try bench.times() == ["Dialog": 8])
    }

    @Test("a turn that pauses looks like a wait, and goes on with its views or ends when the pause began")
    func pause() throws {
        let bench = try LoopBench()
        let view = bench.view("View")
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 1_100)
        bench.record.turnPaused(at: 1_200)
        #expect(try bench.reading().turnStartedAt == 0)
        bench.record.turnResumed(at: 1_300)
        #expect(try bench.reading().turnStartedAt == 1_000)
        #expect(try bench.reading().running?.key == "View")
        bench.record.turnPaused(at: 1_400)
        bench.record.turnEnded(at: 1_000 + 150 * millisecond)
        #expect(try bench.longTurns().map(\.endedAt) == [1_000 + 150 * millisecond])
        bench.record.turnBegan(at: 1_000 + 900 * millisecond)
        #expect(try bench.reading().turnStartedAt == 1_000 + 900 * millisecond)
    }

    @Test("time in a body that no view had room for is that of other views")
    func unknownBody() throws {
        let bench = try LoopBench()
        let view = bench.view("Known")
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 1_000)
        bench.record.bodyBegan(nil, epoch: bench.core.epoch, at: 1_010)
        #expect(try bench.reading().running?.isUnlisted == true)
        bench.record.bodyBegan(view, epoch: bench.core.epoch, at: 1_100)
        bench.record.bodyEnded(view, epoch: bench.core.epoch, at: 1_105, enclosing: .unlisted)
        #expect(try bench.reading().running?.isUnlisted == true)
        bench.record.bodyEnded(nil, epoch: bench.core.epoch, at: 1_500, enclosing: bench.runner(view))
        bench.ended(view, 1_503)
        #expect(try bench.times() == ["Known": 18])
        #expect(try bench.shares().otherNanoseconds == 485)
        // One that runs when the threshold is crossed, and in the next turn.
        bench.record.bodyBegan(nil, epoch: bench.core.epoch, at: 2_000)
        bench.record.turnEnded(at: 1_000 + 300 * millisecond)
        #expect(try bench.longTurns().last?.inBody?.isUnlisted == true)
        bench.record.turnBegan(at: 500 * millisecond)
        bench.record.bodyEnded(nil, epoch: bench.core.epoch, at: 500 * millisecond + 7, enclosing: nil)
        #expect(try bench.shares().otherNanoseconds == 7 && bench.reading().running == nil)
    }

    @Test("a loop that moves to another thread leaves its turn and its bodies behind")
    func moved() throws {
        let bench = try LoopBench()
        let view = bench.view("View")
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 2_000)
        bench.record.setMonitor(.glib, threadID: 4_713)
        bench.record.turnBegan(at: 900 * millisecond)
        let reading = try bench.reading()
        #expect(reading.threadID == 4_713 && reading.turnStartedAt == 900 * millisecond && reading.running == nil)
        #expect(try bench.longTurns().isEmpty)
    }

    @Test("a clock that is read a little early, or set back, never makes time")
    func clock() throws {
        let bench = try LoopBench()
        let view = bench.view("View")
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 1_100)
        bench.ended(view, 1_090)
        bench.began(view, 1_095)
        bench.ended(view, 1_120)
        #expect(try bench.times() == ["View": 20])
        bench.record.turnEnded(at: 1_000)
        bench.record.turnBegan(at: 10)
        bench.began(view, 20)
        bench.ended(view, 50)
        #expect(try bench.times() == ["View": 30])
        #expect(try bench.reading().turnStartedAt == 10)
        bench.record.turnEnded(at: 60)
        bench.record.turnBegan(at: 0)
        bench.record.turnEnded(at: 0)
        #expect(try bench.longTurns().isEmpty)
    }

    @Test("a view after a reset is the same one, with all of its time and the new epoch")
    func epochs() throws {
        let bench = try LoopBench()
        let view = bench.view("View")
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 1_000)
        bench.ended(view, 1_010)
        bench.core.reset()
        bench.began(view, 1_020)
        bench.ended(view, 1_025)
        let shares = try bench.shares().views
        #expect(shares.map(\.view.epoch) == [1] && shares.map(\.nanoseconds) == [15])
        #expect(shares.map(\.view.key) == ["View"])
        #expect(try bench.reading().last?.epoch == 1)
    }

    @Test("keys are cut between characters")
    func keys() throws {
        let bench = try LoopBench()
        let view = bench.view("a" + String(repeating: "é", count: 40))
        bench.record.turnBegan(at: 1_000)
        bench.began(view, 1_000)
        #expect(try bench.reading().running?.key == "a" + String(repeating: "é", count: 23))
        bench.ended(view, 1_001)
        #expect(try bench.times() == ["a" + String(repeating: "é", count: 23): 1])
    }

    @Test("evaluations on the loop's thread credit their views, and on no other")
    func evaluations() throws {
        let bench = try LoopBench()
        let store = bench.core
        try store.probe("Before") {}
        #expect(try bench.reading().last == nil)
        bench.record.setMonitor(.glib, threadID: crerender_this_thread())
        bench.record.turnBegan(at: MonotonicClock.now)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try store.probe("Outer") {
                try store.probe("Inner") {
                    #expect((try? bench.reading())?.running?.key == "Inner")
                    spin(nanoseconds: 100_000)
                    throw Failure()
                }
            }
        }
        let reading = try bench.reading()
        #expect(reading.running == nil && reading.last?.key == "Outer" && reading.evaluations == 2)
        let times = try bench.times()
        #expect(times["Inner"].map { $0 >= 100_000 } == true && times["Outer"] != nil && times["Before"] == nil)
        try store.probe("Around") {
            let elsewhere = Thread { try? store.probe("Elsewhere") {} }
            elsewhere.start()
            while !elsewhere.isFinished { sched_yield() }
            #expect((try? bench.reading())?.running?.key == "Around")
        }
        #expect(try bench.times()["Elsewhere"] == nil)
        #expect(bench.record.turnEnded(at: MonotonicClock.now) == 3)
    }

    private func spin(nanoseconds: UInt64) {
        let end = MonotonicClock.now + nanoseconds
        while MonotonicClock.now < end {}
    }
}

extension StoreCore {
    /// What ``RerenderStore/evaluate(_:of:inputs:instance:parent:parentInstance:reason:isPass:comparing:fileID:line:_:)`` does.
    fileprivate func probe(_ label: String, _ body: () throws -> Void) throws {
        try withUnsafeTemporaryAllocation(of: EvaluationCall.self, capacity: 1) { memory in
            guard let call = memory.baseAddress, let frame = enter(call) else { return try body() }
            let arguments = EvaluationArguments(
                label: label, instance: nil, parent: nil, parentInstance: nil, reason: nil, inputs: nil, isPass: false,
                file: #fileID, line: #line)
            try evaluate(
                frame, call, arguments, value: UnsafeRawPointer(frame), type: Void.self,
                comparing: OutputComparison<Void>?.none, body)
        }
    }
}

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

    @Test("gives each view its own time, and none of what runs inside of it")
    func nesting() throws {
        let bench = try LoopBench()
        let (outer, inner) = (bench.view("Outer"), bench.view("Inner"))
        bench.record.turnBegan(at: 1_000)
        bench.began(outer, 1_100)
        bench.began(inner, 1_130)
        var reading = try bench.reading()
        #expect(reading.running?.key == "Inner" && reading.runningSince == 1_130 && reading.last == nil)
        #expect(try bench.times() == ["Outer": 30])
        bench.ended(inner, 1_180, in: outer)
        reading = try bench.reading()
        #expect(reading.running?.key == "Outer" && reading.runningSince == 1_180)
        #expect(reading.last?.key == "Inner" && reading.lastEndedAt == 1_180)
        bench.began(inner, 1_200)
        bench.ended(inner, 1_210, in: outer)
        bench.ended(outer, 1_300)
        reading = try bench.reading()
        #expect(reading.running == nil && reading.last?.key == "Outer" && reading.evaluations == 3)
        #expect(try bench.times() == ["Outer": 140, "Inner": 60])
        #expect(bench.record.turnEnded(at: 1_400) == 3)
        bench.record.turnBegan(at: 1_500)
        #expect(try bench.times().isEmpty)
        #expect(try bench.reading().evaluations == 0)
        bench.began(inner, 1_600)
        bench.ended(inner, 1_605)
        #expect(try bench.times() == ["Inner": 5])
    }

    @Test(
        "gives a handler its own time, and none of the bodies inside of it; it is no evaluation and is not rendered last"
    )
    func handlers() throws {
        let bench = try LoopBench()
        let view = bench.view("Row")
        let save = EventHandler(storeID: 7, index: 0, HandlerName(view: "Toolbar", name: "click on Save"))
        let inner = EventHandler(storeID: 7, index: 1, HandlerName(view: nil, name: "inner"))
        bench.record.setThresholds(hangMilliseconds: 30, microHangMilliseconds: 20)
        bench.record.turnBegan(at: 1_000)
        bench.began(save, 1_100)
        var reading = try bench.reading()
        let running = try #require(reading.running)
        #expect(running.handler == 0 && running.storeID == 7 && reading.runningSince == 1_100)
        #expect(HandlerName(pageText: running.key) == save.name && reading.last == nil)
        bench.began(view, 1_200)
        bench.record.bodyEnded(view, epoch: bench.core.epoch, at: 1_250, enclosing: bench.runner(save))
        bench.began(inner, 1_300)
        bench.handlerEnded(1_370, in: bench.runner(save))
        bench.handlerEnded(50 * millisecond)
        reading = try bench.reading()
        #expect(reading.running == nil && reading.last?.key == "Row" && reading.evaluations == 1)
        #expect(bench.record.turnEnded(at: 60 * millisecond) == 1)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.inBody?.handler == 0 && turn.last?.key == "Row")
        #expect(turn.shares.map(\.view.handler) == [0, 1, nil])
        #expect(turn.shares.map(\.nanoseconds) == [50 * millisecond - 1_370 + 100 + 50, 70, 50])
        #expect(
            turn.shares.compactMap { HandlerName(pageText: $0.view.key)?.text } == [
                "Toolbar: click on Save", "inner", "Row",
            ])
    }

    @Test("gives each phase of a view a share of its own, which add up to the turn")
    func phases() throws {
        let bench = try LoopBench()
        let view = bench.view("Row")
        let (layout, drawing) = (bench.phase(.layout, of: view), bench.phase(.drawing, of: view))
        bench.record.setThresholds(hangMilliseconds: 30, microHangMilliseconds: 20)
        bench.record.turnBegan(at: 1_000)
        bench.began(layout, 1_000)
        bench.began(view, 2_000)
        let around = unsafe LoopRunner.span(Unmanaged.passUnretained(layout), epoch: bench.core.epoch)
        unsafe bench.record.bodyEnded(view, epoch: bench.core.epoch, at: 3_000, enclosing: around)
        bench.handlerEnded(3_500)
        bench.began(drawing, 3_500)
        bench.handlerEnded(50 * millisecond)
        _ = bench.record.turnEnded(at: 50 * millisecond)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.shares.map(\.view.phase) == [.drawing, .layout, .body])
        #expect(turn.shares.map(\.nanoseconds) == [50 * millisecond - 3_500, 1_500, 1_000])
        #expect(turn.inBody?.phase == .drawing && turn.shares.allSatisfy { $0.view.key == "Row" })
    }

    @Test("gives a frame what ran since it began, and nothing where another frame or turn began meanwhile")
    func frames() throws {
        let bench = try LoopBench()
        let (row, list) = (bench.view("Row"), bench.view("List"))
        let layout = bench.phase(.layout, of: row)
        bench.record.turnBegan(at: 1_000)
        bench.began(list, 1_000)
        bench.ended(list, 9_000)
        let frame = bench.record.frameBegan(at: 9_000)
        #expect(bench.record.largest(ofFrame: frame, at: 9_100) == nil, "nothing ran in it")
        bench.began(layout, 9_100)
        bench.handlerEnded(9_900)
        bench.began(list, 9_900)
        bench.ended(list, 10_000)
        let largest = try #require(bench.record.largest(ofFrame: frame, at: 11_000))
        #expect(largest.word == layout.place.pageWord && largest.nanoseconds == 800)
        let next = bench.record.frameBegan(at: 11_000)
        #expect(bench.record.largest(ofFrame: frame, at: 11_000) == nil)
        bench.began(row, 11_000)
        bench.ended(row, 12_000)
        #expect(bench.record.largest(ofFrame: next, at: 12_000)?.nanoseconds == 1_000)
        bench.record.turnBegan(at: 12_000)
        bench.began(row, 12_000)
        bench.ended(row, 13_000)
        #expect(bench.record.largest(ofFrame: next, at: 13_000) == nil)
    }

    @Test("gives no frame the time that a view had before, also where the table is full")
    func framesWithManyViews() throws {
        let bench = try LoopBench()
        let views = (0..<100).map { bench.view("View \($0)") }
        bench.record.turnBegan(at: 1_000)
        var now: UInt64 = 1_000
        for (number, view) in views.enumerated() {
            bench.began(view, now)
            now += UInt64(1_000 + number * 10)
            bench.ended(view, now)
        }
        let frame = bench.record.frameBegan(at: now)
        for view in views {
            bench.began(view, now)
            now += 10
            bench.ended(view, now)
        }
        #expect(bench.record.largest(ofFrame: frame, at: now).map { $0.nanoseconds <= 10 } ?? true)
    }

    @Test("counts a view inside of itself once for every moment")
    func recursion() throws {
        let bench = try LoopBench()
        let tree = bench.view("Tree")
        bench.record.turnBegan(at: 1_000)
        for depth in UInt64(0)..<10 { bench.began(tree, 1_000 + depth * 10) }
        for depth in UInt64(0)..<10 { bench.ended(tree, 1_100 + depth * 10, in: depth < 9 ? tree : nil) }
        #expect(try bench.times() == ["Tree": 190])
    }

    @Test("has the views with most time, however many the turn has, each with all of its time")
    func manyViews() throws {
        let bench = try LoopBench()
        let views = (0..<100).map { bench.view("View \($0)") }
        for turn in UInt64(0)..<2 {
            let start = 1_000 + turn * 500 * millisecond
            bench.record.turnBegan(at: start)
            for round in UInt64(0)..<2 {
                for (number, view) in views.enumerated() {
                    let began = start + (round * 100 + UInt64(number)) * millisecond
                    bench.began(view, began)
                    bench.ended(view, began + UInt64(number + 1) * 1_000)
                }
            }
            let shares = try bench.shares()
            #expect(shares.views.count == 64)
            #expect(shares.views.map(\.nanoseconds).sorted() == (37...100).map { $0 * 2_000 })
            #expect(shares.otherNanoseconds == (1...36).reduce(0) { $0 + $1 * 2_000 })
            bench.record.turnEnded(at: start + 300 * millisecond)
            let long = try #require(try bench.longTurns().last)
            #expect(long.turn == turn + 1 && long.shares.map(\.view.key) == (92..<100).reversed().map { "View \($0)" })
            let named = long.shares.reduce(0) { $0 + $1.nanoseconds }
            #expect(named + long.otherNanoseconds == (1...100).reduce(0) { $0 + $1 * 2_000 })
        }
    }

    @Test("is exact for any number of views that run nested and in any order", arguments: 0..<12)
    func randomViews(seed: UInt64) throws {
        let bench = try LoopBench()
        var generator = SeededGenerator(seed: seed)
        let count = [10, 64, 65, 80, 300, 2_000].randomElement(using: &generator) ?? 65
        let views = (0..<count).map { bench.view("View \($0)") }
        for turn in UInt64(1)...3 {
            var now = turn * 1_000 * millisecond
            let start = now
            var own = [UInt64](repeating: 0, count: count)
            var stack: [Int] = []
            func pass(_ nanoseconds: UInt64) {
                now += nanoseconds
                if let running = stack.last { own[running] += nanoseconds }
            }
            bench.record.turnBegan(at: now)
            for _ in 0..<3_000 {
                pass(
                    .random(in: 0...(Int.random(in: 0..<20, using: &generator) == 0 ? 100_000 : 100), using: &generator)
                )
                if stack.count < 8, stack.isEmpty || Bool.random(using: &generator) {
                    let view = Int.random(in: 0..<count, using: &generator)
                    stack.append(view)
                    bench.began(views[view], now)
                } else if let view = stack.popLast() {
                    bench.ended(views[view], now, in: stack.last.map { views[$0] })
                }
            }
            while let view = stack.popLast() { bench.ended(views[view], now, in: stack.last.map { views[$0] }) }
            let shares = try bench.shares()
            for share in shares.views { #expect(share.nanoseconds == own[Int(share.view.index)], "seed \(seed)") }
            #expect(shares.views.reduce(shares.otherNanoseconds) { $0 + $1.nanoseconds } == own.reduce(0, +))
            // The last one runs there, too, however little it had.
            let most = own.sorted(by: >)
            let listed = shares.views.map(\.nanoseconds).sorted(by: >)
            #expect(Array(listed.prefix(min(count, 63))) == Array(most.filter { $0 > 0 }.prefix(min(count, 63))))
            bench.record.turnEnded(at: start + 900 * millisecond)
            let long = try #require(try bench.longTurns().last)
            #expect(long.shares.map(\.nanoseconds) == Array(most.filter { $0 > 0 }.prefix(8)))
            #expect(long.shares.allSatisfy { $0.view.key == "View \($0.view.index)" })
            #expect(long.shares.reduce(long.otherNanoseconds) { $0 + $1.nanoseconds } == own.reduce(0, +))
        }
    }

    @Test("finds the view with most among more than it remembers, or counts its time as that of other views")
    func verySlowView() throws {
        let bench = try LoopBench()
        let (slow, views) = (bench.view("Slow"), (0..<20_000).map { bench.view("View \($0)") })
        bench.record.turnBegan(at: 1_000)
        var now: UInt64 = 2_000
        for (number, view) in views.enumerated() {
            bench.began(view, now)
            now += 1_000
            bench.ended(view, now)
            guard number % 100 == 0 else { continue }
            bench.began(slow, now)
            now += 200_000
            bench.ended(slow, now)
        }
        bench.record.turnEnded(at: now + 100 * millisecond)
        let long = try #require(try bench.longTurns().last)
        #expect(long.shares.first?.view.key == "Slow" && long.shares.first?.nanoseconds == 200 * 200_000)
        #expect(long.shares.reduce(long.otherNanoseconds) { $0 + $1.nanoseconds } == 200 * 200_000 + 20_000 * 1_000)
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

    @Test("a pinged turn begins with the ping, whoever notices, and ends with the answer")
    func ping() throws {
        let bench = try LoopBench(.ping)
        let view = bench.view("View")
        bench.began(view, 1_000)
        bench.record.pingSent(at: 2_000)
        var reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 2_000 && reading.evaluations == 0)
        #expect(reading.running?.key == "View" && reading.runningSince == 2_000)
        bench.record.pingSent(at: 2_500)
        #expect(try bench.reading().turnStartedAt == 2_000)
        bench.ended(view, 3_000)
        reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 2_000 && reading.evaluations == 1)
        #expect(try bench.times() == ["View": 1_000])
        bench.record.pingAnswered(at: 2_000 + 300 * millisecond)
        reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 0)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.turn == 1 && turn.startedAt == 2_000 && turn.endedAt == 2_000 + 300 * millisecond)
        #expect(turn.shares.map(\.nanoseconds) == [1_000])
        // Without any evaluation the answer notices.
        bench.record.pingSent(at: 900 * millisecond)
        #expect(try bench.reading().turn == 2)
        bench.record.pingAnswered(at: 1_200 * millisecond)
        #expect(try bench.longTurns().map(\.turn) == [1, 2])
        bench.record.pingAnswered(at: 1_300 * millisecond)
        #expect(try bench.longTurns().count == 2)
        #expect(try bench.reading().turnStartedAt == 0)
    }

    @Test("a pinged turn says how much earlier it may have begun, and its record does")
    func slack() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond, notBefore: 95 * millisecond)
        #expect(try bench.reading().turnSlack == 5 * millisecond)
        bench.record.pingAnswered(at: 400 * millisecond)
        #expect(try bench.reading().turnSlack == 0)
        bench.record.pingSent(at: 500 * millisecond, notBefore: 1)
        #expect(try bench.reading().turnSlack == 100 * millisecond, "not before it was free")
        bench.record.pingAnswered(at: 700 * millisecond)
        // One that may have been as long as a long turn is kept.
        bench.record.pingSent(at: 800 * millisecond, notBefore: 790 * millisecond)
        bench.record.pingAnswered(at: 895 * millisecond)
        bench.record.pingSent(at: 900 * millisecond, notBefore: 899 * millisecond)
        bench.record.pingAnswered(at: 998 * millisecond)
        #expect(try bench.longTurns().map(\.slack) == [5, 100, 10].map { $0 * millisecond })
    }

    @Test("a ping is open until its answer, also one whose time is from before the queue was last free")
    func latePing() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond)
        bench.record.pingAnswered(at: 300 * millisecond)
        bench.record.pingSent(at: 250 * millisecond, notBefore: 250 * millisecond)
        #expect(try bench.reading().turnStartedAt == 300 * millisecond + 1)
        bench.record.pingAnswered(at: 700 * millisecond)
        #expect(try bench.longTurns().map(\.endedAt) == [300, 700].map { $0 * millisecond })
        // The same for a body that a thread began just before it was seen that another one had left the queue free.
        bench.record.pingSent(at: 800 * millisecond)
        bench.record.pingSent(at: 750 * millisecond)
        #expect(try bench.reading().turnStartedAt == 800 * millisecond)
    }

    @Test("work that nobody looked at counts if it may have been a hang of the main queue")
    func unseen() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 1 * millisecond)
        bench.record.pingAnswered(at: 100 * millisecond)
        bench.record.noteUnseen(from: 10 * millisecond, to: 349 * millisecond)
        bench.record.noteUnseen(from: 400 * millisecond, to: 300 * millisecond)
        #expect(try bench.reading().unseen == 0, "it was free until 100 ms")
        bench.record.noteUnseen(from: 10 * millisecond, to: 350 * millisecond)
        #expect(try bench.reading().unseen == 1)
        bench.record.setThresholds(hangMilliseconds: 50, microHangMilliseconds: 20)
        bench.record.noteUnseen(from: 400 * millisecond, to: 549 * millisecond)
        #expect(try bench.reading().unseen == 1, "less than between two pings")
        bench.record.noteUnseen(from: 400 * millisecond, to: 550 * millisecond)
        #expect(try bench.reading().unseen == 2)
    }

    @Test("a ping that a hook overtook makes no long turn")
    func overtakenPing() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 1_000)
        bench.began(bench.view("View"), 2_000)
        bench.record.setMonitor(.glib, threadID: 4_712)
        bench.record.turnBegan(at: 500 * millisecond)
        #expect(try bench.reading().turnStartedAt == 500 * millisecond)
        bench.record.pingAnswered(at: 600 * millisecond)
        #expect(try bench.reading().turnStartedAt == 500 * millisecond)
        #expect(try bench.longTurns().isEmpty)
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
        let frame = UnsafeMutablePointer<EvaluationFrame>.allocate(capacity: 1)
        defer { frame.deallocate() }
        guard enter(frame) else { return try body() }
        let arguments = EvaluationArguments(
            label: label, instance: nil, parent: nil, parentInstance: nil, reason: nil, inputs: nil, isPass: false,
            file: #fileID, line: #line)
        try evaluate(
            frame, arguments, value: UnsafeRawPointer(frame), type: Void.self, comparing: OutputComparison<Void>?.none,
            body)
    }
}

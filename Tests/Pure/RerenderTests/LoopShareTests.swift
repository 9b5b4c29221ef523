// SPDX-License-Identifier: MIT
// What the main loop's part of the page says of the time of views, phases and frames.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

private let millisecond: UInt64 = 1_000_000

@Suite("The shares of a turn")
struct LoopShareTests {
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
}

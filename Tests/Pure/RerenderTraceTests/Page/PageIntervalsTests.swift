// SPDX-License-Identifier: MIT
// The timeline's intervals: bounded, with nothing lost from their sums.

import TestSupport
import Testing

@testable import RerenderTrace

@Suite struct PageIntervalsTests {
    private static func interval(_ start: Int64, _ duration: UInt64, lane: UInt32 = 0) -> PageIntervals.Interval {
        PageIntervals.Interval(start: start, duration: duration, lane: lane, amount: duration)
    }

    @Test("keeps each alone below the limit, in the order of their beginnings, the longer of two first")
    func order() {
        var intervals = PageIntervals(limit: 10, lanes: 1)
        for (start, duration) in [(30, 5), (10, 5), (10, 50), (20, 1)] as [(Int64, UInt64)] {
            intervals.add(Self.interval(start, duration))
        }
        intervals.finish()
        #expect(intervals.all.map(\.start) == [10, 10, 20, 30])
        #expect(intervals.all.map(\.duration) == [50, 5, 1, 5])
        #expect(intervals.groupWidth == 0)
        #expect(intervals.groups.members == 0)
    }

    @Test("beyond the limit short neighbours of one lane are together, and every sum stays what it was")
    func groups() {
        var random = SeededGenerator(seed: 7)
        var intervals = PageIntervals(limit: 1_000, lanes: 3)
        var (amount, wasted, count) = ([UInt64](repeating: 0, count: 3), UInt64(0), UInt64(0))
        for index in 0..<20_000 {
            let lane = UInt32.random(in: 0..<3, using: &random)
            var interval = Self.interval(Int64(index) * 1_000, UInt64.random(in: 1...900, using: &random), lane: lane)
            interval.wasted = UInt64.random(in: 0...1, using: &random)
            amount[Int(lane)] += interval.amount
            wasted += interval.wasted
            count += 1
            intervals.add(interval)
        }
        intervals.finish()
        #expect(intervals.all.count <= 1_000)
        #expect(intervals.all.count > 100, "not thinner than it has to be")
        #expect(intervals.added == count)
        for lane in 0..<3 {
            #expect(intervals.all.filter { $0.lane == lane }.reduce(0) { $0 + $1.amount } == amount[lane])
        }
        #expect(intervals.all.reduce(0) { $0 + $1.wasted } == wasted)
        #expect(intervals.all.reduce(0) { $0 + $1.count } == count)
        #expect(intervals.groups.members > 0)
        #expect(intervals.all.allSatisfy { $0.count == 1 || $0.duration < 2 * intervals.groupWidth })
    }

    @Test("so many are drawn one by one, and of more some as one", arguments: around(4))
    func limit(count: Int) {
        var intervals = PageIntervals(limit: 4, lanes: 1)
        for index in 0..<count { intervals.add(Self.interval(Int64(index) * 1_000, 10)) }
        intervals.finish()
        #expect(intervals.all.count <= 4 && (intervals.all.count == count) == (count <= 4))
        #expect((intervals.groups.members == 0) == (count <= 4))
        #expect(intervals.all.reduce(0) { $0 + $1.count } == UInt64(count))
    }

    @Test("a long one is never put together with others")
    func longStaysAlone() {
        var intervals = PageIntervals(limit: 100, lanes: 1)
        intervals.add(Self.interval(500, 400_000))
        for index in 0..<5_000 { intervals.add(Self.interval(Int64(index) * 1_000, 10)) }
        intervals.finish()
        #expect(intervals.all.contains { $0.start == 500 && $0.duration == 400_000 && $0.count == 1 })
    }

    @Test("stays bounded where all begin at once, or last longer than everything else")
    func degenerate() {
        var together = PageIntervals(limit: 50, lanes: 2)
        var endless = PageIntervals(limit: 50, lanes: 2)
        for index in 0..<2_000 {
            together.add(Self.interval(5, 0, lane: UInt32(index % 2)))
            endless.add(Self.interval(Int64(index), UInt64(Int64.max), lane: UInt32(index % 2)))
        }
        #expect(together.all.count <= 50)
        #expect(together.all.reduce(0) { $0 + $1.count } == 2_000)
        #expect(endless.all.count <= 50)
        #expect(endless.all.reduce(0) { $0 + $1.count } == 2_000)
    }
}

// SPDX-License-Identifier: MIT
// Intervals in few bytes: what comes back is what was added.

import TestSupport
import Testing

@testable import RerenderTrace

@Suite struct PackedIntervalsTests {
    private typealias Interval = PageIntervals.Interval

    /// Intervals as evaluations have them, in the order in which they ended; some nest, some stand for several, some have extreme numbers.
    private static func intervals(_ count: Int, seed: UInt64) -> [Interval] {
        var random = SeededGenerator(seed: seed)
        var now: Int64 = 1_763_722_000_000_000_000
        return (0..<count).map { index in
            now += Int64.random(in: 0...20_000, using: &random)
            let took = UInt64.random(in: 0...9_000, using: &random)
            var interval = Interval(
                start: now - Int64(took), duration: took, lane: UInt32.random(in: 0..<60, using: &random),
                amount: took / 2)
            interval.judge([.none, .measured, .inferred][index % 3])
            interval.depth = UInt32(index % 4)
            interval.reason = UInt32.random(in: 0..<300, using: &random)
            interval.inner = took / 3
            if index % 50 == 0 { (interval.count, interval.wasted, interval.inferred) = (9, 4, 2) }
            return interval
        }
    }

    private static let extreme = [
        Interval(
            start: .min, duration: .max, lane: .max, amount: .max, wasted: .max, inferred: .max, count: .max,
            thread: .max,
            depth: .max, reason: .max, writer: .max, inner: .max),
        Interval(start: .max, duration: 0, lane: 0, amount: 0, count: 0),
        Interval(start: 0, duration: 1, lane: 2, amount: 3, wasted: 0, inferred: 1),
    ]

    @Test("each comes back as it was, whatever its numbers, over many blocks")
    func same() {
        let all = Self.extreme + Self.intervals(20_000, seed: 3) + Self.extreme
        let packed = PackedIntervals(all)
        #expect(packed.count == all.count)
        #expect(Array(packed) == all)
        #expect(Array(packed) == all, "reading takes nothing away")
    }

    @Test("an interval takes about ten bytes")
    func small() {
        let packed = PackedIntervals(Self.intervals(100_000, seed: 4))
        #expect(packed.bytes < 16 * packed.count, "\(packed.bytes)")
    }

    @Test(
        "a single one is judged anew where it is, in full blocks and the last, and one that stands for several is not")
    func marks() {
        var expected = Self.intervals(20_000, seed: 5)
        var packed = PackedIntervals()
        let places = expected.map { packed.append($0) }
        for index in stride(from: 0, to: expected.count, by: 7) {
            let waste = [TraceWaste.inferred, .none, .measured][index % 3]
            packed.mark(places[index], as: waste)
            if expected[index].count == 1 { expected[index].judge(waste) }
        }
        #expect(Array(packed) == expected)
    }

    @Test("they are sorted by their beginnings, the longer of two first, and equal ones stay in their order")
    func sorted() {
        var intervals = Self.intervals(80_000, seed: 6)
        // One around everything, which ends last; and equal ones that differ in their lanes.
        intervals.append(Interval(start: intervals[0].start - 5, duration: 1 << 40, lane: 1, amount: 0))
        for index in stride(from: 10, to: 70_000, by: 9) {
            (intervals[index].start, intervals[index].duration) = (
                intervals[index + 1].start, intervals[index + 1].duration
            )
        }
        var packed = PackedIntervals(intervals)
        packed.sort()
        let places = intervals.indices.sorted {
            let (one, other) = (intervals[$0], intervals[$1])
            if one.start != other.start { return one.start < other.start }
            return one.duration != other.duration ? one.duration > other.duration : $0 < $1
        }
        #expect(Array(packed) == places.map { intervals[$0] })
    }

    @Test("lanes have other names where they are read, and keep their numbers when they are sorted")
    func lanes() {
        var packed = PackedIntervals(
            [0, 1, 0].map { Interval(start: 9 - Int64($0), duration: 1, lane: $0, amount: 1) })
        packed.lanes = [7, 8]
        #expect(packed.map(\.lane) == [7, 8, 7])
    }

    @Test("those put together are the same as if all stretches were remembered")
    func grouped() {
        var intervals = PageIntervals(limit: 1_000, lanes: 60)
        let all = Self.intervals(1_000, seed: 8)
        for interval in all { intervals.add(interval) }
        // The next one has them put together.
        intervals.add(all[999])
        let first = all.map(\.start).min() ?? 0
        var (sums, long) = ([UInt64: UInt64](), 0)
        for interval in all {
            guard interval.duration < intervals.groupWidth else { long += 1; continue }
            let stretch = UInt64(interval.start - first) / intervals.groupWidth
            sums[stretch << 8 | UInt64(interval.lane), default: 0] += interval.count
        }
        #expect(intervals.groupWidth > 0)
        #expect(intervals.all.count - 1 == sums.count + long)
        let counts = intervals.all.filter { $0.duration < intervals.groupWidth }.map(\.count)
        #expect(counts.dropLast().sorted() == sums.values.sorted())
    }
}

// SPDX-License-Identifier: MIT
// Percentiles against the exact ones of the same values.

import TestSupport
import Testing

import RerenderModel

@Suite("Latency histogram")
struct LatencyHistogramTests {
    @Test(
        "percentiles of widely spread values are never too short, and at most a sixteenth too long",
        arguments: [1, 7, 1_000, 123_457, 9_999_999])
    func percentilesAreClose(scale: UInt64) {
        var random = SeededGenerator(seed: scale)
        let values = (0..<10_000).map { _ in
            scale &* UInt64.random(in: 1...1_000, using: &random) / UInt64.random(in: 1...10, using: &random)
        }
        expectClose(values)
    }

    @Test("a single value is every percentile", arguments: [0, 1, 15, 16, 17, 31, 32, 1_000_003, UInt64.max])
    func singleValue(value: UInt64) {
        var histogram = LatencyHistogram(octaves: 24)
        histogram.record(value)
        let answers = histogram.percentiles([50, 95, 99], maximum: value)
        for index in 0..<3 { #expect(answers[index] == value) }
    }

    @Test("without values every percentile is zero")
    func empty() {
        #expect(LatencyHistogram(octaves: 24).percentiles([50, 99], maximum: 0)[1] == 0)
    }

    @Test("no percentile is over the longest value")
    func boundedByMaximum() {
        var histogram = LatencyHistogram(octaves: 24)
        for value: UInt64 in [1_000, 1_001, 1_002] { histogram.record(value) }
        #expect(histogram.percentiles([99], maximum: 1_002)[0] <= 1_002)
    }

    @Test("every power of two and its neighbours find their bucket")
    func everyOctave() {
        for exponent in 0..<44 {
            let power = UInt64(1) << UInt64(exponent)
            for value in [power - 1, power, power + 1] { expectClose([value]) }
        }
    }

    @Test("durations of which some are others have the percentiles of those", arguments: 1...8)
    func shifted(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (bodies, totals) = (LatencyHistogram(octaves: 4), LatencyHistogram(octaves: 4))
        var shift = LatencyShift(octaves: 4)
        var maximum: UInt64 = 0
        for _ in 0..<2_000 {
            let body = UInt64.random(in: 0...(1 << UInt64.random(in: 1...20, using: &random)), using: &random)
            let total = Bool.random(using: &random) ? body : body + UInt64.random(in: 1...50_000, using: &random)
            bodies.record(body)
            totals.record(total)
            if body != total { shift.move(from: body, to: total) }
            maximum = max(maximum, total)
        }
        let told = bodies.percentiles([50, 95, 99], maximum: maximum, shiftedBy: shift)
        let expected = totals.percentiles([50, 95, 99], maximum: maximum)
        #expect((0..<3).allSatisfy { told[$0] == expected[$0] })
        shift.removeAll()
        let unshifted = bodies.percentiles([50], maximum: maximum, shiftedBy: shift)[0]
        let own = bodies.percentiles([50], maximum: maximum)[0]
        #expect(unshifted == own)
    }

    @Test(
        "at least as many durations as a percentile says took at most that long, also of the longest", arguments: 1...8)
    func atMost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = LatencyHistogram(octaves: 4)
        var values = (0..<500).map { _ in
            UInt64.random(in: 0...(1 << UInt64.random(in: 1...60, using: &random)), using: &random)
        }
        values += [UInt64](repeating: 1_500_000, count: 700)
        for value in values { histogram.record(value) }
        let told = histogram.percentiles([50, 95, 99], maximum: values.max() ?? 0)
        for (index, percent) in [50, 95, 99].enumerated() {
            let within = values.count { $0 <= told[index] }
            #expect(within * 100 >= values.count * percent, "\(percent)% in \(told[index])")
        }
    }

    @Test("what was forgotten is not counted")
    func removeAll() {
        var histogram = LatencyHistogram(octaves: 24)
        // More than there is room for beside the array.
        let values = (0..<20).map { UInt64(1) << UInt64($0 + 4) }
        for round in 0..<2 {
            for value in round == 0 ? values : values.reversed() { histogram.record(value) }
            let answers = histogram.percentiles([5, 100], maximum: .max)
            #expect(answers[0] < 17 && answers[1] >= 1 << 23 && answers[1] < 1 << 24, "\(answers[0]) \(answers[1])")
            histogram.removeAll()
            #expect(histogram.percentiles([100], maximum: .max)[0] == 0)
        }
        histogram.record(10)
        #expect(histogram.percentiles([99], maximum: 10)[0] == 10)
    }

    private func expectClose(_ values: [UInt64], sourceLocation: SourceLocation = #_sourceLocation) {
        var histogram = LatencyHistogram(octaves: 24)
        for value in values { histogram.record(value) }
        let sorted = values.sorted()
        let answers = histogram.percentiles([50, 95, 99], maximum: sorted[sorted.count - 1])
        for (index, percent) in [50, 95, 99].enumerated() {
            let exact = Double(sorted[max(0, (sorted.count * percent + 99) / 100 - 1)])
            let told = Double(answers[index])
            #expect(told >= exact && told <= exact * 1.0625, "p\(percent)", sourceLocation: sourceLocation)
        }
    }
}

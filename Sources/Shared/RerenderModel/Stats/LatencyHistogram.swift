// SPDX-License-Identifier: MIT
// Durations counted in buckets whose width grows with their value.

/// Counts durations so that any percentile can be told within 3.2 %.
///
/// Values below 16 ns have a bucket each. Above, every octave is cut into 16 equal buckets, so that a bucket is at most
/// 1/16 of its lowest value wide and its middle at most 1/32 off. Values of 2⁴⁴ ns (5 h) and more share the last bucket.
/// Only octaves that were met have buckets. A bucket stops at 2³²−1.
package struct LatencyHistogram: Sendable {
    @usableFromInline static let steps = 16
    @usableFromInline static let stepBits = 4
    @usableFromInline static let octaves = 41
    @usableFromInline static let absent: UInt8 = .max

    /// Buckets of the octaves met, 16 each, in the order in which they were met.
    @usableFromInline var buckets: [UInt32] = []
    /// Where in `buckets`, in runs of 16, an octave's are.
    @usableFromInline var position = InlineArray<41, UInt8>(repeating: LatencyHistogram.absent)

    /// Makes a histogram with room for so many octaves, 64 bytes each.
    package init(octaves: Int) {
        buckets.reserveCapacity(octaves * Self.steps)
    }

    /// Counts one duration. Allocates only for an octave beyond those that there is room for.
    @inlinable package mutating func record(_ nanoseconds: UInt64) {
        let (octave, step) = Self.place(of: nanoseconds)
        if position[octave] == Self.absent { open(octave) }
        let bucket = Int(position[octave]) * Self.steps + step
        if buckets[bucket] != .max { buckets[bucket] += 1 }
    }

    /// Forgets all durations and keeps the storage.
    package mutating func removeAll() {
        buckets.removeAll(keepingCapacity: true)
        position = InlineArray(repeating: Self.absent)
    }

    /// The durations at or below which the given percents of all lie (nearest rank); zero while there are none.
    ///
    /// `percents` must ascend. `maximum`, the longest duration counted, bounds the answers.
    package func percentiles<let n: Int>(_ percents: InlineArray<n, UInt64>, maximum: UInt64) -> InlineArray<n, UInt64>
    {
        var answers = InlineArray<n, UInt64>(repeating: 0)
        let count = buckets.reduce(into: UInt64(0)) { $0 += UInt64($1) }
        guard count > 0 else { return answers }
        var passed: UInt64 = 0
        var next = 0
        for octave in 0..<Self.octaves where position[octave] != Self.absent {
            for step in 0..<Self.steps {
                passed += UInt64(buckets[Int(position[octave]) * Self.steps + step])
                while next < n, passed >= Self.rank(of: percents[next], among: count) {
                    answers[next] = min(Self.middle(octave, step), maximum)
                    next += 1
                }
            }
        }
        return answers
    }

    @usableFromInline mutating func open(_ octave: Int) {
        position[octave] = UInt8(buckets.count / Self.steps)
        for _ in 0..<Self.steps { buckets.append(0) }
    }

    @inlinable static func place(of value: UInt64) -> (octave: Int, step: Int) {
        guard value >= UInt64(steps) else { return (0, Int(value)) }
        let exponent = 63 - value.leadingZeroBitCount
        let octave = exponent - stepBits + 1
        guard octave < octaves else { return (octaves - 1, steps - 1) }
        return (octave, Int(value >> UInt64(exponent - stepBits)) & (steps - 1))
    }

    private static func middle(_ octave: Int, _ step: Int) -> UInt64 {
        guard octave > 0 else { return UInt64(step) }
        let width = UInt64(1) << UInt64(octave - 1)
        return UInt64(steps + step) * width + width / 2
    }

    private static func rank(of percent: UInt64, among count: UInt64) -> UInt64 {
        let (high, low) = count.multipliedFullWidth(by: percent)
        let (quotient, remainder) = UInt64(100).dividingFullWidth((high, low))
        return max(1, remainder == 0 ? quotient : quotient + 1)
    }
}

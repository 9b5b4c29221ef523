// SPDX-License-Identifier: MIT
// Durations counted in buckets whose width grows with their value.

/// Numbers in the buckets of a histogram.
///
/// Values below 16 ns have a bucket each. Above, every octave is cut into 16 equal buckets, so that a bucket is at most
/// 1/16 of its lowest value wide. Values of 2⁴⁴ ns (5 h) and more share the last bucket.
/// Only octaves that were met have buckets. A bucket stops at the limits of its type.
@usableFromInline
struct LatencyBuckets<Count: FixedWidthInteger & Sendable>: Sendable {
    /// Buckets of the octaves met, 16 each, in the order in which they were met: of the first eight. Here, because an array would be
    /// asked for each number whether it is shared.
    @usableFromInline var first = InlineArray<128, Count>(repeating: 0)
    /// Those of the others.
    @usableFromInline var others: [Count] = []
    /// How many octaves were met.
    private var used = 0
    /// Where among all of them, in runs of 16, an octave's are.
    @usableFromInline var position = InlineArray<41, UInt8>(repeating: LatencyScale.absent)

    @usableFromInline
    init(octaves: Int) { others.reserveCapacity(max(0, octaves * LatencyScale.steps - LatencyScale.firstBuckets)) }

    /// Adds to the bucket of a duration. Allocates only for an octave beyond those that there is room for.
    @inlinable
    @inline(__always)
    mutating func add(_ amount: Count, at nanoseconds: UInt64) {
        let (octave, step) = LatencyScale.place(of: nanoseconds)
        if position[octave] == LatencyScale.absent { open(octave) }
        let bucket = Int(position[octave]) &* LatencyScale.steps &+ step
        guard bucket < LatencyScale.firstBuckets else { return Self.add(amount, to: &others, bucket) }
        let (sum, isOver) = first[bucket].addingReportingOverflow(amount)
        if !isOver { first[bucket] = sum }
    }

    @inlinable
    @inline(never)
    static func add(_ amount: Count, to others: inout [Count], _ bucket: Int) {
        let place = bucket - LatencyScale.firstBuckets
        let (sum, isOver) = others[place].addingReportingOverflow(amount)
        if !isOver { others[place] = sum }
    }

    mutating func removeAll() {
        first = InlineArray(repeating: 0)
        others.removeAll(keepingCapacity: true)
        used = 0
        position = InlineArray(repeating: LatencyScale.absent)
    }

    func number(_ octave: Int, _ step: Int) -> Count {
        let run = position[octave]
        guard run != LatencyScale.absent else { return 0 }
        let bucket = Int(run) * LatencyScale.steps + step
        return bucket < LatencyScale.firstBuckets ? first[bucket] : others[bucket - LatencyScale.firstBuckets]
    }

    @usableFromInline
    @inline(never)
    mutating func open(_ octave: Int) {
        position[octave] = UInt8(used)
        used += 1
        guard used * LatencyScale.steps > LatencyScale.firstBuckets else { return }
        for _ in 0..<LatencyScale.steps { others.append(0) }
    }
}

/// Which bucket is for which durations.
@usableFromInline
enum LatencyScale: Sendable {
    @usableFromInline static let steps = 16
    @usableFromInline static let stepBits = 4
    @usableFromInline static let firstBuckets = 128
    @usableFromInline static let octaves = 41
    @usableFromInline static let absent: UInt8 = .max

    @inlinable
    @inline(__always)
    static func place(of value: UInt64) -> (octave: Int, step: Int) {
        guard value >= UInt64(steps) else { return (0, Int(truncatingIfNeeded: value)) }
        let exponent = 63 &- value.leadingZeroBitCount
        let octave = exponent &- stepBits &+ 1
        guard octave < octaves else { return (octaves - 1, steps - 1) }
        let shifted = value &>> UInt64(truncatingIfNeeded: exponent &- stepBits)
        return (octave, Int(truncatingIfNeeded: shifted) & (steps - 1))
    }

    /// The longest duration that a bucket is for.
    static func end(_ octave: Int, _ step: Int) -> UInt64 {
        guard octave > 0 else { return UInt64(step) }
        // The last one is for all that are longer.
        guard octave < octaves - 1 || step < steps - 1 else { return .max }
        let width = UInt64(1) << UInt64(octave - 1)
        return UInt64(steps + step + 1) * width - 1
    }
}

/// Counts durations so that any percentile can be told: never too short, and at most 1/16 too long. A bucket stops at 2³²−1.
package struct LatencyHistogram: Sendable {
    @usableFromInline var buckets: LatencyBuckets<UInt32>

    /// Makes a histogram with room for so many octaves, 64 bytes each, and for eight at least.
    package init(octaves: Int) { buckets = LatencyBuckets(octaves: octaves) }

    /// Counts one duration. Allocates only for an octave beyond those that there is room for.
    @inlinable
    @inline(__always)
    package mutating func record(_ nanoseconds: UInt64) { buckets.add(1, at: nanoseconds) }

    /// Forgets all durations and keeps the storage.
    package mutating func removeAll() { buckets.removeAll() }

    /// The durations at or below which the given percents of all lie (nearest rank); zero while there are none. "95% took at most" the
    /// answer is true.
    ///
    /// `percents` must ascend. `maximum`, the longest duration counted, bounds the answers.
    ///
    /// - Parameter shift: Where some of the durations are others.
    package func percentiles<let n: Int>(
        _ percents: InlineArray<n, UInt64>, maximum: UInt64, shiftedBy shift: LatencyShift? = nil
    ) -> InlineArray<n, UInt64> {
        var answers = InlineArray<n, UInt64>(repeating: 0)
        var count: UInt64 = 0
        forEach(shift) { number, _, _ in count += number }
        guard count > 0 else { return answers }
        var passed: UInt64 = 0
        var next = 0
        forEach(shift) { number, octave, step in
            passed += number
            while next < n, passed >= Self.rank(of: percents[next], among: count) {
                answers[next] = min(LatencyScale.end(octave, step), maximum)
                next += 1
            }
        }
        return answers
    }

    /// The buckets that hold anything, from the shortest durations to the longest.
    private func forEach(_ shift: LatencyShift?, _ body: (_ number: UInt64, _ octave: Int, _ step: Int) -> Void) {
        for octave in 0..<LatencyScale.octaves {
            for step in 0..<LatencyScale.steps {
                let number = Int64(buckets.number(octave, step)) + Int64(shift?.buckets.number(octave, step) ?? 0)
                if number > 0 { body(UInt64(number), octave, step) }
            }
        }
    }

    private static func rank(of percent: UInt64, among count: UInt64) -> UInt64 {
        let (high, low) = count.multipliedFullWidth(by: percent)
        let (quotient, remainder) = UInt64(100).dividingFullWidth((high, low))
        return max(1, remainder == 0 ? quotient : quotient + 1)
    }
}

/// How durations differ from those of a histogram that counts as many, of which most are the same.
///
/// A bucket stops at 2³¹−1 more, and at as many fewer.
package struct LatencyShift: Sendable {
    fileprivate var buckets: LatencyBuckets<Int32>

    /// Makes one with room for so many octaves, 64 bytes each, and for eight at least.
    package init(octaves: Int) { buckets = LatencyBuckets(octaves: octaves) }

    /// Notes that a duration which the histogram counts is another one here.
    package mutating func move(from counted: UInt64, to nanoseconds: UInt64) {
        buckets.add(-1, at: counted)
        buckets.add(1, at: nanoseconds)
    }

    /// Forgets all of it and keeps the storage.
    package mutating func removeAll() { buckets.removeAll() }
}

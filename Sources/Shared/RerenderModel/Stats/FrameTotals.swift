// SPDX-License-Identifier: MIT
// Frames of the windows of a process: how many, how long, and how many over their interval.

/// One frame that a toolkit drew. All in nanoseconds.
package struct MeasuredFrame: Hashable, Sendable {
    package var update: UInt64
    package var layout: UInt64
    /// The widgets' part of the paint phase.
    package var snapshot: UInt64
    /// The rest of the paint phase: the renderer's.
    package var drawing: UInt64
    /// What there is between two frames; 0 where it is not known.
    package var interval: UInt64
    /// Whether the compositor told the interval, and it is no default of the toolkit's.
    package var isIntervalTold: Bool
    /// The thread's processor time in all phases; 0 where it is not known.
    package var processor: UInt64 = 0
    /// Whether every widget that drew gave the same nodes as before.
    package var isSame = false
    /// Whether it came within a second after the first frame: a program that starts is busy.
    package var isEarly = false

    package init(
        update: UInt64, layout: UInt64, snapshot: UInt64, drawing: UInt64, interval: UInt64, isIntervalTold: Bool
    ) {
        (self.update, self.layout, self.snapshot, self.drawing) = (update, layout, snapshot, drawing)
        (self.interval, self.isIntervalTold) = (interval, isIntervalTold)
    }

    /// How long it took. Time between its phases, in which other things ran, is not in it.
    package var nanoseconds: UInt64 { update &+ layout &+ snapshot &+ drawing }
    /// Whether it took longer than there is between two frames, as far as that is known.
    package var isOverInterval: Bool { interval > 0 && nanoseconds > interval }
    /// Whether its own processor time alone was longer than that.
    package var isLate: Bool { interval > 0 && processor > interval && !isEarly }
}

/// Frames of a store's epoch. Integers only and without padding, so that the value's bytes are what travels.
package struct FrameTotals: Hashable, Sendable, BitwiseCopyable {
    package var count: UInt64 = 0
    package var overInterval: UInt64 = 0
    /// Frames of which the interval is not known.
    package var notJudged: UInt64 = 0
    package var longest: UInt64 = 0
    package var update: UInt64 = 0
    package var layout: UInt64 = 0
    package var snapshot: UInt64 = 0
    package var drawing: UInt64 = 0
    /// The interval of the latest frame; 0 where it is not known.
    package var interval: UInt64 = 0
    /// 1 where the compositor told that interval; else 0.
    package var isIntervalTold: UInt64 = 0
    /// Frames of which the compositor told when they were presented.
    package var presented: UInt64 = 0
    /// The sum of the times from their beginning to that.
    package var toPresentation: UInt64 = 0
    /// Frames whose own processor time was longer than the interval, without those of the first second.
    package var late: UInt64 = 0
    /// Frames in which every widget that drew gave the same nodes as before.
    package var same: UInt64 = 0
    /// The processor time of all of them.
    package var processor: UInt64 = 0

    package init() {}

    package mutating func add(_ frame: MeasuredFrame) {
        count &+= 1
        if frame.isOverInterval { overInterval &+= 1 }
        if frame.interval == 0 { notJudged &+= 1 }
        longest = max(longest, frame.nanoseconds)
        update &+= frame.update
        layout &+= frame.layout
        snapshot &+= frame.snapshot
        drawing &+= frame.drawing
        late &+= frame.isLate ? 1 : 0
        same &+= frame.isSame ? 1 : 0
        processor &+= frame.processor
        interval = frame.interval
        isIntervalTold = frame.isIntervalTold ? 1 : 0
    }

    /// Adds that a frame was presented so long after it began.
    package mutating func addPresented(nanoseconds: UInt64) {
        presented &+= 1
        toPresentation &+= nanoseconds
    }
}

/// Frames that a toolkit drew for the windows of a process, since the store was made or last reset.
package struct FrameStats: Hashable, Codable, Sendable {
    /// How many were drawn.
    package var count: UInt64
    /// How many took longer than there is between two frames.
    package var overInterval: UInt64
    /// How many could not be judged, because the interval was not known.
    package var notJudged: UInt64
    /// The longest: update, layout and paint together.
    package var longestNanoseconds: UInt64
    /// Sum of the update phases: animations and other callbacks of the frame clock.
    package var updateNanoseconds: UInt64
    /// Sum of the layout phases.
    package var layoutNanoseconds: UInt64
    /// Sum of the widgets' part of the paint phases.
    package var snapshotNanoseconds: UInt64
    /// Sum of the rest of the paint phases: drawing by GSK.
    package var drawingNanoseconds: UInt64
    /// By which the latest frame was judged; nil where it is not known.
    package var intervalNanoseconds: UInt64?
    /// Whether the compositor told that interval; false where it is the toolkit's default.
    package var isIntervalTold: Bool
    /// The average time from a frame's beginning until it was presented; nil where no compositor tells.
    package var presentationNanoseconds: UInt64?
    /// How many were late by their own processor time; nil where that is not known, and in an older export.
    package var late: UInt64?
    /// In how many everything was drawn as before; nil as ``late``.
    package var same: UInt64?
    /// Their processor time; nil as ``late``.
    package var processorNanoseconds: UInt64?

    /// The frames as the export shows them; nil where there were none.
    package init?(_ totals: FrameTotals) {
        guard totals.count > 0 else { return nil }
        (count, overInterval, notJudged) = (totals.count, totals.overInterval, totals.notJudged)
        longestNanoseconds = totals.longest
        (updateNanoseconds, layoutNanoseconds) = (totals.update, totals.layout)
        (snapshotNanoseconds, drawingNanoseconds) = (totals.snapshot, totals.drawing)
        intervalNanoseconds = totals.interval == 0 ? nil : totals.interval
        isIntervalTold = totals.isIntervalTold != 0
        presentationNanoseconds = totals.presented == 0 ? nil : totals.toPresentation / totals.presented
        guard totals.processor > 0 else { return }
        (late, same, processorNanoseconds) = (totals.late, totals.same, totals.processor)
    }
}

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

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

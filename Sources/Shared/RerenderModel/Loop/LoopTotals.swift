// SPDX-License-Identifier: MIT
// What the main loop of a process did, and which processor time that took.

/// Time of one part of the main thread's work. All in nanoseconds.
package struct LoopPart: Hashable, Codable, Sendable, BitwiseCopyable {
    /// By the clock.
    package var wall: UInt64 = 0
    /// The thread's processor time; for what took less than 50 µs it is shared out by the clock.
    package var processor: UInt64 = 0

    package init() {}

    /// Adds a piece of it.
    package mutating func add(wall: UInt64, processor: UInt64) {
        self.wall &+= wall
        self.processor &+= processor
    }
}

/// What a main loop did since its store's epoch began. Integers only and without padding, so that the value's bytes are what travels.
///
/// Parts never overlap: a body inside of a handler is in ``bodies`` alone. What no part has is ``rest``.
package struct LoopTotals: Hashable, Codable, Sendable, BitwiseCopyable {
    /// For how long it was counted, by the monotonic clock.
    package var counted: UInt64 = 0
    package var turns: UInt64 = 0
    /// Polls whose time-out was 0: some source said that it is due.
    package var pollsWithoutWait: UInt64 = 0
    /// Turns that dispatched no source.
    package var emptyTurns: UInt64 = 0
    /// How often the loop's thread slept and was woken.
    package var wakeups: UInt64 = 0
    /// Processor time of the loop's thread; 0 where it is not known.
    package var processor: UInt64 = 0
    /// Processor time of all threads of the process, those that have ended included; 0 where it is not known.
    package var process: UInt64 = 0
    /// Bodies, and widgets' `snapshot` functions.
    package var bodies = LoopPart()
    /// The toolkit's style sheets: what it finds out in a frame's update before it calls back.
    package var style = LoopPart()
    package var layout = LoopPart()
    /// The rest of the update of a frame.
    package var update = LoopPart()
    /// The toolkit's part of the paint phase before the renderer, without ``bodies``.
    package var snapshot = LoopPart()
    package var drawing = LoopPart()
    /// Functions of sources, and signal handlers.
    package var sources = LoopPart()
    /// The loop itself: between the end of a turn's last function and the beginning of the next turn's first.
    package var loop = LoopPart()
    /// Seconds without input with ten frames or more, in a row.
    package var frames = QuietStretch()
    /// Seconds without input with 200 turns or more, in a row.
    package var spinning = QuietStretch()
    /// Seconds without input with 1 % of a core or more, in a row.
    package var busy = QuietStretch()
    /// 1 where somebody tells of all input; else 0.
    package var isInputKnown: UInt64 = 0

    package init() {}

    /// Processor time of the loop's thread that is in no part.
    package var rest: UInt64 {
        let parts = [bodies, style, layout, update, snapshot, drawing, sources, loop]
        let known = parts.reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        return processor - min(known, processor)
    }

    /// The longer one of ``busy`` and ``spinning``.
    package var longestBusy: QuietStretch { spinning.nanoseconds > busy.nanoseconds ? spinning : busy }

    /// Processor time of other threads than the loop's.
    package var others: UInt64 { process - min(processor, process) }
}

/// Seconds in a row that had no input and in which enough of something happened. Integers only and without padding.
///
/// The longest of a store's epoch: one that goes on, or one that input, a quieter second or the process's end has ended. One that ended by
/// itself and was shorter than ``leastOver`` is forgotten for the one before it. It ends by itself if less happens in two seconds on end.
package struct QuietStretch: Hashable, Codable, Sendable, BitwiseCopyable {
    /// From so long on, it is worth a word.
    package static let least: UInt64 = 5_000_000_000
    /// What ends by itself within this is no finding: a text cursor blinks for ten seconds.
    package static let leastOver: UInt64 = 15_000_000_000
    /// If it was not told of for so long, it may have ended by itself.
    package static let pause: UInt64 = 2_000_000_000

    /// How long it was; 0 for none.
    package var nanoseconds: UInt64 = 0
    /// When its last second ended.
    package var latestAt = Timestamp(nanosecondsSince1970: 0)
    /// Processor time of the loop's thread.
    package var processor: UInt64 = 0
    package var turns: UInt64 = 0
    package var pollsWithoutWait: UInt64 = 0
    package var emptyTurns: UInt64 = 0
    /// Turns that dispatched one source alone, which is the same in all of them.
    package var sameTurns: UInt64 = 0
    /// The number of that source's row plus 1; of ``emptyTurns`` that of the source that said most often that it is due. 0 where none is known.
    package var row: UInt64 = 0
    package var wakeups: UInt64 = 0
    /// Frames, those that painted nothing included.
    package var frames: UInt64 = 0
    /// Frames that painted nothing.
    package var unpainted: UInt64 = 0
    /// Frames in which every widget that drew gave the same nodes as before.
    package var sameFrames: UInt64 = 0
    /// Frames of samples that were compared with the one before by their pixels, too, and those of them that draw the same.
    package var compared: UInt64 = 0
    package var comparedSame: UInt64 = 0
    /// The frames that samples stand for: those since the sample before, without ``sameFrames``.
    package var likely: UInt64 = 0
    /// Those of these that draw the same, by what the samples say. Of frames in a sample that cannot be compared, none counts here.
    package var likelySame: UInt64 = 0

    package init() {}

    /// From so many frames on, samples stand for others: these are two samples or more, each of four frames or more. Of a video that has a new
    /// picture in each second or third frame, no sample lacks one. Of a picture that changes once a second, two samples may.
    package static let leastCompared: UInt64 = 20

    /// Frames that are known to have painted nothing or drawn the same.
    package var seenUseless: UInt64 { min(unpainted.clampedSum(sameFrames), frames) }

    /// Whether samples stand for half or more of the other frames, from enough that were compared.
    package var hasSample: Bool {
        compared >= Self.leastCompared && likely > 0 && UInt128(likely) * 2 >= UInt128(frames - seenUseless)
    }

    /// Frames that painted nothing or drew the same: those that are known to, and of the others the part that samples say.
    package var useless: UInt64 {
        let seen = seenUseless
        guard hasSample else { return seen }
        return seen + UInt64(UInt128(frames - seen) * UInt128(min(likelySame, likely)) / UInt128(likely))
    }

    /// How many in a second.
    package func perSecond(_ count: UInt64) -> Double {
        nanoseconds == 0 ? 0 : Double(count) / (Double(nanoseconds) / 1e9)
    }

    /// The part of a core.
    package var share: Double { nanoseconds == 0 ? 0 : Double(processor) / Double(nanoseconds) }

    /// Whether it lasted long enough for a finding.
    ///
    /// - Parameter now: When it is asked, of a process that lives; nil of one that has ended.
    package func isLong(at now: Timestamp?) -> Bool {
        guard nanoseconds >= Self.least else { return false }
        guard let now, nanoseconds < Self.leastOver else { return true }
        return now.nanoseconds(since: latestAt) <= Int64(Self.pause)
    }
}

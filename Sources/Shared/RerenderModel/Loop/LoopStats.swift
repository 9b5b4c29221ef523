// SPDX-License-Identifier: MIT
// The main loop of a process as the export shows it, and the processor time of other threads by their names.

/// What a process's main loop did, what it called, and what is known of its widgets. One store of a process has it: the oldest that lives.
package struct LoopStats: Hashable, Codable, Sendable {
    package var totals: LoopTotals
    /// Sources and handlers, in the order in which they were met; ``QuietStretch/row`` counts from it.
    package var rows: [LoopRow]
    package var facts: [WidgetFact]
    /// Other threads, most time first; empty where they were not looked at.
    package var threads: [ThreadTime]
    /// When the process ended or its connection did; nil while it lives, and where that is not known.
    package var endedAt: Timestamp?

    package init(
        _ totals: LoopTotals, rows: [LoopRow] = [], facts: [WidgetFact] = [], threads: [ThreadTime] = []
    ) {
        (self.totals, self.rows, self.facts, self.threads) = (totals, rows, facts, threads)
    }

    /// The row that a stretch names; nil for none.
    package func row(_ stretch: QuietStretch) -> LoopRow? {
        guard stretch.row > 0, stretch.row <= UInt64(rows.count) else { return nil }
        return rows[Int(stretch.row - 1)]
    }

    /// The source that samples tell of; nil where none were taken, or most of them were in none.
    package var sampled: LoopRow? { rows.first { $0.kind == .sampled && $0.isTold } }

    /// Who wakes the loop from another thread, at least half as often as it turns; nil where no other thread does that.
    package var waker: LoopRow? { wakeup(inPart: 0.5) { $0.thread != nil } }

    /// Who has the loop turn without waiting, nine times of ten; nil where it turns by itself.
    package var turner: LoopRow? { wakeup(inPart: 0.9) { $0.thread == nil } }

    private func wakeup(inPart part: Double, _ isWanted: (LoopRow) -> Bool) -> LoopRow? {
        let most = rows.filter { $0.kind == .wakeup && isWanted($0) }.max { $0.numbers.count < $1.numbers.count }
        let least = Double(totals.turns) * part
        return most.flatMap { totals.turns > 0 && Double($0.numbers.count) >= least ? $0 : nil }
    }

    /// By what time in bodies by the clock is multiplied to have processor time: 1 where that is not known.
    package var bodiesRunning: Double {
        let bodies = totals.bodies
        return bodies.wall == 0 || bodies.processor == 0 ? 1 : min(1, Double(bodies.processor) / Double(bodies.wall))
    }

    /// Threads that take a share of a core together which is worth a word, the one with most first.
    package var busyThreads: [ThreadTime] {
        let all = threads.reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        guard totals.counted > 0, Double(all) >= ThreadTime.leastShare * Double(totals.counted) else { return [] }
        return threads
    }

    /// What other threads took that are not listed: they have ended, or no thread was read. Nil below 5 % of a core.
    package var unlistedThreads: String? {
        let known = threads.reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        let left = totals.others - min(known, totals.others)
        guard totals.counted > 0, Double(left) >= ThreadTime.leastShare * Double(totals.counted) else { return nil }
        let share = PercentOfCore.text(Double(left) / Double(totals.counted) * 100)
        return threads.isEmpty
            ? "\(share) of a core is in other threads, whose names are not known"
            : "\(share) of a core is in threads that have ended"
    }

    /// The part of a core that threads took which draw frames in the place of a graphics card.
    package var drawingShare: Double {
        let all = threads.filter(\.isDrawing).reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        return totals.counted == 0 ? 0 : Double(all) / Double(totals.counted)
    }
}

/// Threads of a process that have one name.
package struct ThreadTime: Hashable, Codable, Sendable {
    /// From which part of a core on the threads together are worth a word.
    package static let leastShare = 0.05
    /// The most names that are listed, the ones with most time first.
    package static let mostNames = 8

    /// The threads' name, as the kernel has it.
    package var name: String
    package var count: UInt64
    /// How many there were at the first frame, or when they were first looked at.
    package var atFirst: UInt64
    /// Their processor time since the process began, or since the main loop's store was last reset.
    package var processor: UInt64

    package init(name: String, count: UInt64, atFirst: UInt64, processor: UInt64) {
        (self.name, self.count, self.atFirst, self.processor) = (name, count, atFirst, processor)
    }

    /// Whether the library or LTTng-UST made a thread: the program has them only because it is looked at. LTTng-UST puts its ending behind the
    /// process's name.
    package static func isOfTracing(_ name: String) -> Bool { name.hasPrefix("rerender-") || name.hasSuffix("-ust") }

    /// The threads of a process by their names, most time first, at most ``mostNames``.
    ///
    /// - Parameters:
    ///   - threads: Each thread but the loop's and those of the library and of LTTng-UST, with its processor time.
    ///   - first: How many of each name there were at first.
    package static func grouped(
        _ threads: [(name: String, processor: UInt64)], atFirst first: [String: UInt64]
    ) -> [ThreadTime] {
        var groups: [String: ThreadTime] = [:]
        let first = first.reduce(into: [String: UInt64]()) { $0[stem(of: $1.key), default: 0] += $1.value }
        for thread in threads {
            let name = stem(of: thread.name)
            groups[name, default: ThreadTime(name: name, count: 0, atFirst: first[name] ?? 0, processor: 0)]
                .add(thread.processor)
        }
        return Array(sorted(Array(groups.values)).prefix(mostNames))
    }

    /// `llvmpipe-*` for `llvmpipe-0` and `llvmpipe-1`: threads that are alike have numbers.
    private static func stem(of name: String) -> String {
        let bytes = name.utf8.reversed().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return bytes.count == name.utf8.count || bytes.isEmpty
            ? name : String(decoding: Array(bytes.reversed()), as: UTF8.self) + "*"
    }

    /// Whether Mesa's software renderers have such threads: they draw the frames of a window.
    package var isDrawing: Bool { ["llvmpipe", "softpipe"].contains(where: name.hasPrefix) }

    private static func sorted(_ threads: [ThreadTime]) -> [ThreadTime] {
        threads.sorted { $0.processor != $1.processor ? $0.processor > $1.processor : $0.name < $1.name }
    }

    /// What threads ran since a moment at which their times were read.
    package static func since(_ before: [ThreadTime], _ threads: [ThreadTime]) -> [ThreadTime] {
        let known = before.reduce(into: [String: UInt64]()) { $0[$1.name] = $1.processor }
        let later = threads.map { thread in
            var thread = thread
            thread.processor -= min(known[thread.name] ?? 0, thread.processor)
            return thread
        }
        return before.isEmpty ? threads : sorted(later)
    }

    private mutating func add(_ processor: UInt64) {
        count &+= 1
        self.processor = self.processor.clampedSum(processor)
    }

    /// `48% of a core is in 58 threads "gldisplay-event", 8 more than at the first frame`, safe to print.
    package func sentence(of counted: UInt64) -> String {
        let share = PercentOfCore.text(counted == 0 ? 0 : Double(processor) / Double(counted) * 100)
        let isMore = count > atFirst && atFirst > 0
        let more = isMore ? ", \(Counted.grouped(count - atFirst)) more than at the first frame" : ""
        return "\(share) of a core is in \(Counted.text(count, "thread")) \"\(Printable.text(name))\"\(more)"
    }
}

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

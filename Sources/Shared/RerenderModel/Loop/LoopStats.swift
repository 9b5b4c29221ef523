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

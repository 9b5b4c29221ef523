// SPDX-License-Identifier: MIT
// The main loop of a process as the export shows it.

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

    /// What other threads took that are not listed: they have ended, or were not read before the process did. Nil below 5 % of a core.
    package var unlistedThreads: String? {
        let known = threads.reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        let left = totals.others - min(known, totals.others)
        guard totals.counted > 0, Double(left) >= ThreadTime.leastShare * Double(totals.counted) else { return nil }
        let share = PercentOfCore.text(Double(left) / Double(totals.counted) * 100)
        return threads.isEmpty
            ? "\(share) of a core is in other threads, which were not read before the process ended"
            : "\(share) of a core is in threads that have ended"
    }

    /// The part of a core that threads took which draw frames in the place of a graphics card.
    package var drawingShare: Double {
        let all = threads.filter(\.isDrawing).reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        return totals.counted == 0 ? 0 : Double(all) / Double(totals.counted)
    }
}

// SPDX-License-Identifier: MIT
// The main loop of one process as the daemon holds it.

import NIOCore
import RerenderModel
import RerenderWire

/// What an app told of its main loop in an epoch.
struct LoopEntry {
    /// A loop that turns tells more often than its figures would be wrong by.
    private static let silence: Int64 = 2_000_000_000

    /// Nil before the app told of its loop: then the others are not shown.
    private(set) var totals: LoopTotals?
    private var toldAt = NIODeadline.uptimeNanoseconds(0)
    /// When the process ended or its connection did; nil while it tells.
    private var endedAt: Timestamp?
    /// By the app's numbers. Only its store changes these three, and counts what they take.
    var rows: [LoopRow] = []
    var facts: [WidgetFact] = []
    var threads: [ThreadTime] = []
    /// What threads had run when a reset began this epoch; nil where that was not read.
    var threadsBefore: [ThreadTime]?
    /// Hangs by the source or handler that they were in, as the watchdog saw them.
    var hangs: [SourceHangs] = []
    /// Estimated memory of the three lists.
    var bytes: Int { rows.bytes + facts.bytes + Self.bytes(threads) }

    /// Whether the app tells of its loop now.
    var isTold: Bool { totals != nil && endedAt == nil }

    /// Takes in what the loop did in all.
    mutating func receive(_ totals: LoopTotals, now: NIODeadline = .now()) {
        (self.totals, toldAt, endedAt) = (totals, now, nil)
    }

    /// Notes that the app tells nothing more. A loop that slept until then was counted until then.
    mutating func end(now: NIODeadline = .now(), at time: Timestamp = .now) {
        guard totals != nil, endedAt == nil else { return }
        let counted = counted(isAlive: true, now: now)
        totals?.counted = counted
        endedAt = time
    }

    /// For how long the loop was counted. One that sleeps tells nothing, and its time goes on while the process lives.
    func counted(isAlive: Bool, now: NIODeadline = .now()) -> UInt64 {
        let (told, since) = (totals?.counted ?? 0, (now - toldAt).nanoseconds)
        return isAlive && since >= Self.silence ? told.clampedSum(UInt64(since)) : told
    }

    /// What threads take in memory.
    static func bytes(_ threads: [ThreadTime]) -> Int {
        threads.reduce(0) { $0 + MemoryLayout<ThreadTime>.stride + $1.name.utf8.count }
    }

    /// The loop as the export shows it.
    func stats(isAlive: Bool, now: NIODeadline = .now()) -> LoopStats? {
        guard var totals else { return nil }
        totals.counted = counted(isAlive: isAlive, now: now)
        var stats = LoopStats(totals, rows: rows, facts: facts, threads: threads)
        stats.endedAt = endedAt
        return stats
    }
}

extension Array {
    /// Adds the next element, or replaces one; none whose number leaves a gap. Returns by how much they grew, by a measure.
    mutating func put(_ value: Element, at index: Int, _ bytes: (Element) -> Int) -> Int {
        guard index < count else {
            guard index == count else { return 0 }
            append(value)
            return bytes(value)
        }
        defer { self[index] = value }
        return bytes(value) - bytes(self[index])
    }
}

// SPDX-License-Identifier: MIT
// What the table of a turn had when a frame began: the rest is the frame's.

import RerenderWire

/// The times of the turn's views at the beginning of the latest frame. Only the loop's thread uses it.
struct FrameShares: Sendable {
    /// Views and nanoseconds, then the numbers below.
    private let words = AtomicWords.allocate(count: LoopLayout.entries * 2 + 3)
    private let usedIndex = LoopLayout.entries * 2
    private let turnIndex = LoopLayout.entries * 2 + 1
    private let numberIndex = LoopLayout.entries * 2 + 2

    /// Keeps the times as they are; returns the number of the frame.
    func begin(_ table: LoopTable, turn: UInt64) -> UInt64 {
        let used = table.used
        var entry = 0
        while entry < used {
            words[entry * 2] = table.view(entry)
            words[entry * 2 + 1] = table.nanoseconds(entry)
            entry += 1
        }
        words[usedIndex] = UInt64(used)
        words[turnIndex] = turn
        words[numberIndex] &+= 1
        return words[numberIndex]
    }

    /// The view, in a phase, with most time since the frame began, and that time. Nil where another frame began meanwhile, or
    /// another turn, and where nothing ran.
    ///
    /// A view that was not in a full table may have had time before: it is left out, so that no view has time of another frame.
    func largest(of frame: UInt64, _ table: LoopTable, turn: UInt64) -> (word: UInt64, nanoseconds: UInt64)? {
        guard words[numberIndex] == frame, words[turnIndex] == turn else { return nil }
        var best: (word: UInt64, nanoseconds: UInt64)?
        let used = table.used
        var entry = 0
        while entry < used {
            if let before = before(table.view(entry), at: entry) {
                let time = table.nanoseconds(entry) &- min(before, table.nanoseconds(entry))
                if time > best?.nanoseconds ?? 0 { best = (table.view(entry), time) }
            }
            entry += 1
        }
        return best
    }

    private func before(_ view: UInt64, at place: Int) -> UInt64? {
        let used = Int(truncatingIfNeeded: words[usedIndex])
        if place < used, words[place * 2] == view { return words[place * 2 + 1] }
        var entry = 0
        while entry < used {
            if words[entry * 2] == view { return words[entry * 2 + 1] }
            entry += 1
        }
        return used < LoopLayout.entries ? 0 : nil
    }
}

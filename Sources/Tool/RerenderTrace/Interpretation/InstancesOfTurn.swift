// SPDX-License-Identifier: MIT
// Which instances were evaluated in the current turn, and how often.

/// Counts evaluations by view and instance within one turn of a main loop.
struct InstancesOfTurn: Sendable {
    private var counts: [(view: Int, instance: UInt64, count: UInt32)] = []
    /// The places of ``counts``, by view and instance, or by the next words that were free.
    private var places = WordIndex()
    private var turn = UInt64.max
    /// Evaluations of instances that there was no room to remember.
    private(set) var overflowed: UInt64 = 0

    /// Counts one and returns how often it was in this turn; 1 where there is no room to remember it.
    @inline(__always)
    mutating func count(view: Int, instance: UInt64, turn: UInt64) -> UInt32 {
        if turn != self.turn {
            self.turn = turn
            counts.removeAll(keepingCapacity: true)
            places.removeAll()
        }
        var word = max(1, instance ^ UInt64(view) << 40)
        while let place = places[word].map({ Int($0) }) {
            if counts[place].view == view, counts[place].instance == instance {
                counts[place].count += 1
                return counts[place].count
            }
            word = max(1, word &+ 1)
        }
        if counts.count < TraceLimits.instancesPerTurn {
            places.set(word, UInt32(counts.count))
            counts.append((view, instance, 1))
        } else {
            overflowed += 1
        }
        return 1
    }
}

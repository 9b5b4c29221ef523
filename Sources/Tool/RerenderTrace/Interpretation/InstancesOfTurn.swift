// SPDX-License-Identifier: MIT
// Which instances were evaluated in the current turn, and how often.

/// Counts evaluations by view and instance within one turn of a main loop.
struct InstancesOfTurn: Sendable {
    private struct Instance: Hashable {
        let view: Int
        let number: UInt64
    }

    private var counts: [Instance: UInt32] = [:]
    private var turn = UInt64.max
    /// Evaluations of instances that there was no room to remember.
    private(set) var overflowed: UInt64 = 0

    /// Counts one and returns how often it was in this turn; 1 where there is no room to remember it.
    mutating func count(view: Int, instance: UInt64, turn: UInt64) -> UInt32 {
        if turn != self.turn {
            self.turn = turn
            counts.removeAll(keepingCapacity: true)
        }
        let instance = Instance(view: view, number: instance)
        guard counts.count < TraceLimits.instancesPerTurn || counts[instance] != nil else {
            overflowed += 1
            return 1
        }
        return Self.raise(&counts[instance, default: 0])
    }

    private static func raise(_ count: inout UInt32) -> UInt32 {
        count += 1
        return count
    }
}

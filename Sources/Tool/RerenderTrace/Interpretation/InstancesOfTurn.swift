// SPDX-License-Identifier: MIT
// Which instances were evaluated in the current turn, and how often.

/// Counts evaluations by view and instance within one turn of a main loop.
struct InstancesOfTurn: Sendable {
    private struct Slot: Sendable {
        var turn: UInt64 = .max
        var instance: UInt64 = 0
        var view: UInt32 = 0
        var count: UInt32 = 0
    }

    private var slots: [Slot] = []
    private var used = 0
    private var turn = UInt64.max
    /// Evaluations of instances that there was no room to remember.
    private(set) var overflowed: UInt64 = 0

    /// Counts one and returns how often it was in this turn; 1 where there is no room to remember it.
    @inline(__always)
    mutating func count(view: Int, instance: UInt64, turn: UInt64) -> UInt32 {
        if turn != self.turn {
            self.turn = turn
            used = 0
        }
        if slots.isEmpty { grow() }
        var slot = slot(UInt32(view), instance)
        if slots[slot].turn != turn {
            if used * 2 >= slots.count {
                guard slots.count < TraceLimits.instancesPerTurn * 2 else {
                    overflowed += 1
                    return 1
                }
                grow()
                slot = self.slot(UInt32(view), instance)
            }
            slots[slot] = Slot(turn: turn, instance: instance, view: UInt32(view), count: 0)
            used += 1
        }
        slots[slot].count += 1
        return slots[slot].count
    }

    private func slot(_ view: UInt32, _ instance: UInt64) -> Int {
        let mixed = (instance ^ UInt64(view) << 40 ^ instance >> 32) &* 0x9E37_79B9_7F4A_7C15
        var slot = Int(truncatingIfNeeded: mixed >> 32) & (slots.count - 1)
        while slots[slot].turn == turn, slots[slot].view != view || slots[slot].instance != instance {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(64, old.count * 2))
        for entry in old where entry.turn == turn { slots[slot(entry.view, entry.instance)] = entry }
    }
}

// SPDX-License-Identifier: MIT
// Turns in which a view was evaluated more than once: their number, and those with the most.

/// Counts turns with double evaluations.
struct DoubleTally: Sendable {
    private(set) var turns: UInt64 = 0
    private(set) var again: UInt64 = 0
    private(set) var worst: [DoubleTurn] = []

    mutating func add(_ turn: DoubleTurn) {
        turns += 1
        again += turn.again
        if worst.count < TraceLimits.doubleTurns { return worst.append(turn) }
        guard let least = worst.indices.min(by: { worst[$0].again < worst[$1].again }),
            worst[least].again < turn.again
        else { return }
        worst[least] = turn
    }
}

// SPDX-License-Identifier: MIT
// The number of the main loop's turn, as evaluations note it.

import Synchronization

/// The turn of the main loop that the process is in.
enum MainLoopTurn {
    /// Turns that a host without a monitored loop told of.
    private static let serial = Atomic<UInt64>(0)

    /// The turn's number; 0 where nobody tells of turns, and between two turns of a monitored loop.
    static var current: UInt64 {
        LoopMonitor.tellsTurns ? LoopMonitor.turn : serial.load(ordering: .relaxed)
    }

    /// The host says that a turn begins. A monitored loop knows better.
    static func begin() { serial.wrappingAdd(1, ordering: .relaxed) }
}

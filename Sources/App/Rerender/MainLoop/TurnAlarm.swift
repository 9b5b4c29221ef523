// SPDX-License-Identifier: MIT
// What has the uplink's thread look, with a daemon and without, whether a GLib loop was left.

import Synchronization

/// Rings in a turn of GLib's loop that gets long, before it is a micro-hang: GLib does not say that its loop is left, and
/// the time outside of it must not be a turn's.
enum TurnAlarm {
    private static let nanoseconds = Atomic<UInt64>(.max)
    private static let file = Atomic<CInt>(-1)

    /// Readable once it rings; -1 before a store is made, and where there is no timer to be had.
    static var descriptor: CInt { file.load(ordering: .relaxed) }

    /// The turn that it rang for, if that goes on. Half of the time will do: the clock was read twice when the turn began.
    static var turn: UInt64? { LoopMonitor.glibTurn(lasting: nanoseconds.load(ordering: .relaxed) / 2) }

    /// Has it ring between a quarter and a half of what a turn must last to be kept.
    static func set(thresholdMilliseconds: UInt32) {
        let quarter = max(UInt64(thresholdMilliseconds) * 250_000, StoreLimits.shortestAlarmNanoseconds)
        nanoseconds.store(quarter, ordering: .relaxed)
        file.store(LoopHooks.turnAlarm(after: quarter), ordering: .relaxed)
    }
}

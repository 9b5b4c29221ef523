// SPDX-License-Identifier: MIT
// A timer for long turns, after which the uplink's thread looks at GLib's loop or at the main queue.

import CRerender
import Synchronization

/// Expires in a turn that gets long, before the turn is a micro-hang.
///
/// GLib does not say that its loop is left, and the time after that must not count as the turn's. Of the main queue it is not
/// known which block is the last of a turn. The timer runs with a daemon and without.
final class TurnAlarm: Sendable {
    private let nanoseconds = Atomic<UInt64>(.max)

    /// How long a turn has lasted when the timer expires. Halved, because the clock was read twice when the turn began.
    var leastNanoseconds: UInt64 { nanoseconds.load(ordering: .relaxed) / 2 }

    /// Has it expire between a quarter and a half of what a turn must last to be kept.
    func set(thresholdMilliseconds: UInt32) {
        let quarter = max(UInt64(thresholdMilliseconds) * 250_000, StoreLimits.shortestAlarmNanoseconds)
        nanoseconds.store(quarter, ordering: .relaxed)
        crerender_set_turn_alarm(quarter)
    }
}

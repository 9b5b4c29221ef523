// SPDX-License-Identifier: MIT
// What the uplink's thread does for the main loop: pings where no hook fires, and looks whether a GLib loop was left.

import CRerender
import Synchronization

/// Pings the main queue while a daemon listens and no hook has fired; used by the uplink's thread alone.
///
/// One ping is under way at most, and it is its answer that wakes the thread: a program that never serves its main queue
/// is pinged once.
struct LoopPing {
    private static let isUnderWay = Atomic<Bool>(false)
    private var nextAt: UInt64 = 0
    private var isPossible = true

    /// Pings if it is time; returns when to call again, nil for not before the thread is woken.
    mutating func continueIfDue(at now: UInt64, isConnected: Bool) -> UInt64? {
        guard isConnected, isPossible, !LoopMonitor.tellsTurns, !Self.isUnderWay.load(ordering: .acquiring) else {
            return nil
        }
        guard now >= nextAt else { return nextAt }
        nextAt = now + StoreLimits.pingNanoseconds
        Self.isUnderWay.store(true, ordering: .relaxed)
        // Before the ping goes out: its answer may be quicker than we are.
        LoopMonitor.pingSent(at: now)
        isPossible = LoopHooks.ping {
            LoopMonitor.pingAnswered(on: crerender_this_thread())
            LoopPing.isUnderWay.store(false, ordering: .releasing)
            Uplink.poke()
        }
        return nil
    }
}

/// Looks whether the loop was left, for as long as the turn lasts that the daemon asked about; used by the uplink's thread
/// alone.
struct LoopExitWatch {
    private var turn: UInt64 = 0
    private var nextAt: UInt64 = 0
    private var slowAt: UInt64 = 0

    /// The daemon asks about a turn.
    mutating func begin(turn: UInt64, at now: UInt64) {
        self.turn = turn
        nextAt = now
        slowAt = now + StoreLimits.closeWatchNanoseconds
    }

    /// Looks if it is time; returns when to call again, nil if there is nothing to watch.
    mutating func continueIfDue(at now: UInt64, look: (UInt64) -> Bool) -> UInt64? {
        guard turn != 0 else { return nil }
        guard now >= nextAt else { return nextAt }
        guard look(turn) else {
            turn = 0
            return nil
        }
        nextAt = now + (now < slowAt ? StoreLimits.exitLookNanoseconds : StoreLimits.slowExitLookNanoseconds)
        return nextAt
    }
}

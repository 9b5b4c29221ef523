// SPDX-License-Identifier: MIT
// What the uplink's thread does for the main loop: pings where no hooked loop is run, and looks whether a GLib loop was left.

import CRerender
import Synchronization

/// Pings the main queue while a daemon listens and no hooked loop is run; used by the uplink's thread alone.
///
/// One ping is under way at most, and it is its answer that wakes the thread: a program that never serves its main queue
/// is pinged once. A loop that is left is often run again at once, so it has to be left for a while.
struct LoopPing {
    private static let isUnderWay = Atomic<Bool>(false)
    /// Whether the thread will look at the loop without being woken.
    private static let looksLater = Atomic<Bool>(false)
    private var nextAt: UInt64 = 0
    private var isPossible = true
    /// When the ping went out that is under way, and how often it was looked for who keeps it waiting.
    private var sentAt: UInt64 = 0
    private var looks = 0

    /// Pings if it is time; returns when to call again, nil for not before the thread is woken.
    mutating func continueIfDue(at now: UInt64, isConnected: Bool) -> UInt64? {
        // Before the loop is looked at: whoever leaves it from now on wakes the thread.
        Self.looksLater.store(false, ordering: .sequentiallyConsistent)
        guard isConnected, isPossible else { return nil }
        guard !Self.isUnderWay.load(ordering: .acquiring) else { return lookWhoServes(at: now) }
        guard let outsideSince = LoopMonitor.outsideSince else { return nil }
        if outsideSince > 0 { nextAt = max(nextAt, outsideSince + StoreLimits.outsideNanoseconds) }
        guard now >= nextAt else {
            Self.looksLater.store(true, ordering: .sequentiallyConsistent)
            return nextAt
        }
        nextAt = now + StoreLimits.pingNanoseconds
        Self.isUnderWay.store(true, ordering: .relaxed)
        (sentAt, looks) = (now, 0)
        // Before the ping goes out: its answer may be quicker than we are.
        LoopMonitor.pingSent(at: now)
        isPossible = LoopHooks.ping {
            LoopMonitor.pingAnswered(on: crerender_this_thread())
            LoopPing.isUnderWay.store(false, ordering: .releasing)
            Uplink.poke()
        }
        return lookWhoServes(at: now)
    }

    /// Looks whether the thread that serves the queue is the one that answered last, some times while a ping of a loop that
    /// answered before is under way, and then no more.
    private mutating func lookWhoServes(at now: UInt64) -> UInt64? {
        guard LoopMonitor.kind == .ping, looks < StoreLimits.ownerLooks else { return nil }
        let due = sentAt + StoreLimits.firstOwnerLookNanoseconds << UInt64(looks)
        guard now >= due else { return due }
        LoopMonitor.lookWhoServes()
        looks += 1
        return lookWhoServes(at: now)
    }

    /// A hook saw that its loop was left. One system call, at most one in ``StoreLimits/outsideNanoseconds``; none without
    /// a daemon, since whoever connects looks at the loop then.
    static func loopWasLeft() {
        guard Uplink.isConnected.load(ordering: .relaxed), !looksLater.load(ordering: .sequentiallyConsistent),
            !isUnderWay.load(ordering: .relaxed)
        else { return }
        Uplink.poke()
    }
}

/// Looks whether GLib's loop was left, for as long as a turn lasts: one that is long, or that the daemon asked about. Used
/// by the uplink's thread alone.
struct LoopExitWatch {
    private var turn: UInt64 = 0
    private var nextAt: UInt64 = 0
    private var slowAt: UInt64 = 0

    mutating func begin(turn: UInt64, at now: UInt64) {
        guard turn != self.turn else { return }
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

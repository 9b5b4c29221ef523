// SPDX-License-Identifier: MIT
// The uplink thread's work for the main loop: pings the main queue where no hooked loop runs, and looks whether a GLib loop was
// left.

/// Pings the main queue while a daemon listens and no hooked loop is run; used by the uplink's thread alone.
///
/// At most one ping is under way, and its answer wakes the thread: a program that never serves its main queue is pinged once.
/// A loop that is left is often run again at once, so pings begin only some time after that.
struct LoopPing {
    private let mainLoop: LoopMonitor
    private var nextAt: UInt64 = 0
    private var isPossible = true
    /// Those for the thread that keeps the ping under way waiting.
    private var looks = OwnerLooks()

    init(_ mainLoop: LoopMonitor) { self.mainLoop = mainLoop }

    /// Pings if it is time; returns when to call again, nil for not before the thread is woken.
    mutating func continueIfDue(at now: UInt64, isConnected: Bool) -> UInt64? {
        // Before the loop is looked at: from now on a thread that leaves it wakes this one.
        mainLoop.willLookLater(false)
        guard isConnected, isPossible else {
            mainLoop.stopPings()
            return nil
        }
        mainLoop.watchDrains()
        guard !mainLoop.answerWillWake else { return lookWhoServes(at: now) }
        guard let outsideSince = mainLoop.outsideSince else { return nil }
        if outsideSince > 0 { nextAt = max(nextAt, outsideSince + StoreLimits.outsideNanoseconds) }
        guard now >= nextAt else {
            mainLoop.willLookLater(true)
            return nextAt
        }
        nextAt = now + StoreLimits.pingNanoseconds
        looks.begin(at: now)
        isPossible = mainLoop.ping(at: now)
        // The answer to a body's ping wakes nobody, and one of this thread's may have come already, with a wake-up.
        return mainLoop.answerWillWake || !isPossible ? lookWhoServes(at: now) : nextAt
    }

    /// Looks whether another thread serves the queue than answered last. Does so some times while a ping is under way, of a
    /// loop that answered before.
    private mutating func lookWhoServes(at now: UInt64) -> UInt64? {
        guard mainLoop.kind == .ping else { return nil }
        return looks.continueIfDue(at: now) { [mainLoop] in mainLoop.lookWhoServes() }
    }
}

/// When to look for the thread that keeps a ping waiting: each time after twice as long, and some times at most.
struct OwnerLooks {
    private var sentAt: UInt64 = 0
    private var count = 0

    mutating func begin(at now: UInt64) { (sentAt, count) = (now, 0) }

    /// Looks as often as it is time; returns when to call again, nil after the last look.
    mutating func continueIfDue(at now: UInt64, look: () -> Void) -> UInt64? {
        while count < StoreLimits.ownerLooks {
            let due = sentAt + StoreLimits.firstOwnerLookNanoseconds << UInt64(count)
            guard now >= due else { return due }
            look()
            count += 1
        }
        return nil
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

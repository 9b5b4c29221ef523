// SPDX-License-Identifier: MIT
// Calls the C code that hooks the main loops, sets the alarm of long turns, and serves the main queue from GLib.

import CRerender
import Synchronization

/// The hooks into GLib, CoreFoundation and libdispatch. This library links none of them.
///
/// Proof of the unsafe parts: what is passed are functions without a context, which live for ever; the C functions look
/// for each library before they call it, and never load one.
enum LoopHooks {
    private static let isInstalling = Atomic<Bool>(false)

    /// Runs what installs hooks, unless another thread is at it: that one may wait for the loader, which may wait for the thread that comes
    /// here from a constructor.
    static func alone(_ install: () -> Void) {
        guard !isInstalling.exchange(true, ordering: .acquiring) else { return }
        defer { isInstalling.store(false, ordering: .releasing) }
        install()
        // It may have been switched off meanwhile.
        if crerender_is_switched_off() { putBack() }
    }

    /// Sees which sources are attached from now on. On a thread that may wait for the loader: not from a constructor.
    static func installSources() {
        alone {
            let might = crerender_thread_may_wait_for_loader()
            crerender_let_thread_wait_for_loader(true)
            crerender_hook_sources()
            crerender_let_thread_wait_for_loader(might)
        }
    }

    /// Installs what can be had and is not there yet. In ``alone(_:)``.
    ///
    /// - Parameters:
    ///   - edge: Told of a loop's edges.
    ///   - leading: Asked for the step that leads to what is put on a queue.
    static func install(
        _ edge: @convention(c) (CInt, CInt) -> Void, leading: @convention(c) (CInt) -> UInt
    ) {
        guard !crerender_is_silent() else { return }
        crerender_hook_bus_calls()
        crerender_hook_queues(leading)
        crerender_hook_glib(edge)
        crerender_hook_cfrunloop(edge)
        guard LoopRows.isProvided else { return }
        crerender_hook_sources()
        crerender_hook_run_loops()
    }

    /// Puts back what was put into tables of the host, once everything is off. Any number of times.
    static func putBack() {
        crerender_unhook_glib()
        crerender_unhook_cfrunloop()
        crerender_unhook_imports()
        crerender_unhook_tables()
    }

    /// Has libdispatch tell when its threads have worked off what there was; false where it does not.
    @discardableResult
    static func watchDrains(_ ended: @convention(c) () -> Void) -> Bool {
        return crerender_watch_drains(ended)
    }

    /// Since when a thread of libdispatch's works off queues; nil where that is not known.
    static func drainBegan(on thread: Int32) -> UInt64? {
        let began = crerender_drain_began(thread)
        return began == 0 ? nil : began
    }

    /// The same for the calling thread.
    static var ownDrainBegan: UInt64? {
        let began = crerender_own_drain_began()
        return began == 0 ? nil : began
    }

    /// The thread that serves the main queue now, 0 for none; nil where that cannot be told.
    static var mainQueueOwner: Int32? {
        let owner = crerender_main_queue_owner()
        return owner < 0 ? nil : owner
    }
}

/// Expires in a turn that gets long, before the turn is a micro-hang.
///
/// GLib does not say that its loop is left, and the time after that must not count as the turn's. The timer runs with a daemon and
/// without, unless a command's has ended.
final class TurnAlarm: Sendable {
    private let nanoseconds = Atomic<UInt64>(.max)
    private let rests = Atomic<Bool>(false)

    /// How long a turn has lasted when the timer expires. Halved, because the clock was read twice when the turn began.
    var leastNanoseconds: UInt64 { nanoseconds.load(ordering: .relaxed) / 2 }

    /// Has it expire between a quarter and a half of what a turn must last to be kept.
    func set(thresholdMilliseconds: UInt32) {
        let quarter = max(UInt64(thresholdMilliseconds) * 250_000, StoreLimits.shortestAlarmNanoseconds)
        nanoseconds.store(quarter, ordering: .relaxed)
        rest(rests.load(ordering: .relaxed))
    }

    /// Has it not expire, or expire again.
    func rest(_ isResting: Bool) {
        rests.store(isResting, ordering: .relaxed)
        let latest = UInt64.max / 4  // twice of it, from now on, is still a time
        crerender_set_turn_alarm(isResting ? latest : min(nanoseconds.load(ordering: .relaxed), latest))
    }
}

/// Lets a GLib main loop serve `DispatchQueue.main` and the main actor.
public enum MainQueueBridge: Sendable {
    /// Makes GLib's default main context run what is sent to the main queue, within microseconds of its arrival.
    ///
    /// Without it, nothing that is sent to `DispatchQueue.main` or awaits the main actor runs in a loop of GLib, as
    /// `g_application_run` is. It may be called on any thread, before or while the loop runs, and further calls do nothing.
    /// The loop must run on the process's first thread; on another one the bridge takes itself away at the first block. A
    /// block that runs a nested loop holds back the others until it returns. In a forked child nothing is served.
    ///
    /// It works with or without a pump that runs `RunLoop.main` now and then, costs nothing while nothing is sent, and is
    /// there in release builds and under `RERENDER=0` too: an app relies on it.
    ///
    /// - Returns: Whether the queue is served; false where GLib or libdispatch is not in the process.
    @discardableResult
    public static func serveFromGLib() -> Bool {
        crerender_serve_main_queue()
    }
}

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
        // The answer to a body's ping wakes no thread, and one of this thread's may have come already, with a wake-up.
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

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

// SPDX-License-Identifier: MIT
// The process's main loop: the shell around the state that decides, the hooks that see, and the record that is kept.

import CRerender
package import RerenderModel
import Synchronization

/// Watches the main loop of this process. A hook costs two readings of the clock and a lock that nobody else holds for
/// more than that; on an idle loop nothing ever runs.
package enum LoopMonitor {
    private struct Watch {
        var state = LoopState()
        /// The number of the latest turn.
        var turn: UInt64 = 0
        /// When GLib's loop was last seen to have an owner, and in which turn.
        var owned: (turn: UInt64, at: UInt64) = (0, 0)
    }

    /// What happened, for what is done after unlocking.
    private struct Outcome {
        var ended: (turn: UInt64, evaluations: UInt64)?
        var began: UInt64?
        var isRenamed = false
        var isOutside = false
    }

    private static let watch = Mutex(freshWatch())
    /// Not inlined, because Swift 6.3.1 makes zeros of this state where it is a constant of an optimised build.
    @inline(never) private static func freshWatch() -> Watch { Watch() }
    /// Which of ``kinds``.
    private static let kindNumber = Atomic<Int>(0)
    private static let kinds: [MainLoopKind] = [.none, .glib, .cfrunloop, .ping]
    private static let turnNumber = Atomic<UInt64>(0)
    private static let hookFired = Atomic<Bool>(false)
    private static let isInstalling = Atomic<Bool>(false)

    /// The turn under way; 0 between two, and where no hook fired.
    package static var turn: UInt64 { turnNumber.load(ordering: .relaxed) }

    /// How many turns there were.
    package static var turns: UInt64 { watch.withLock { $0.turn } }

    /// Whether a hook has ever fired, so that turns are known while its loop is run. A pinged loop has none that are.
    static var tellsTurns: Bool { hookFired.load(ordering: .relaxed) }

    /// What the main loop is known by.
    package static var kind: MainLoopKind { kinds[kindNumber.load(ordering: .relaxed)] }

    /// Installs each hook that can be had and is not there yet: libraries may be loaded late, and an app may set a poll
    /// function of its own. Any thread; some microseconds.
    static func install() {
        // Whoever is at it may wait for the loader, which may wait for the thread that comes here from a constructor.
        guard !isInstalling.exchange(true, ordering: .acquiring) else { return }
        LoopHooks.install()
        isInstalling.store(false, ordering: .releasing)
    }

    /// Takes what a hook saw, on the thread of its loop.
    static func handle(_ loop: LoopState.Loop, _ edge: LoopState.Edge, on thread: Int32) {
        let event = LoopState.Event(loop: loop, edge: edge, thread: thread, time: MonotonicClock.now)
        let isGone = loop == .cfrunloop && edge == .entered && glibIsGone(asSeenOn: thread)
        let outcome = watch.withLock { watch in
            if isGone { _ = watch.state.glibWasLeft(at: nil) }
            return apply(watch.state.handle(event), at: event.time, to: &watch)
        }
        hookFired.store(true, ordering: .relaxed)
        tell(outcome)
        if loop == .cfrunloop, edge == .left, outcome.isOutside { LoopPing.loopWasLeft() }
    }

    private static func tell(_ outcome: Outcome) {
        if let ended = outcome.ended { TurnSignpost.end(ended.turn, evaluations: ended.evaluations) }
        if let began = outcome.began { TurnSignpost.begin(began) }
        if outcome.isRenamed { tellStores() }
    }

    /// Where the record can be written in the order in which things happened: under the lock.
    private static func apply(_ effects: LoopState.Effects, at time: UInt64, to watch: inout Watch) -> Outcome {
        let record = LoopRecord.shared
        var outcome = Outcome()
        if let time = effects.ended {
            outcome.ended = (watch.turn, record?.turnEnded(at: time, wasLeft: effects.wasLeft) ?? 0)
            turnNumber.store(0, ordering: .relaxed)
        }
        if effects.isNamed { outcome.isRenamed = name(watch.state, record) }
        if let time = effects.began {
            // Without a page nobody else counts them.
            let number = record?.turnBegan(at: time) ?? 0
            watch.turn = number != 0 ? number : watch.turn + 1
            turnNumber.store(watch.turn, ordering: .relaxed)
            outcome.began = watch.turn
        }
        if effects.isPaused { record?.turnPaused(at: time) }
        if effects.isResumed { record?.turnResumed(at: time) }
        outcome.isOutside = watch.state.outsideSince != nil
        return outcome
    }

    /// Publishes who monitors; true if that has another name than before.
    private static func name(_ state: LoopState, _ record: LoopRecord?) -> Bool {
        record?.setMonitor(state.monitor, threadID: state.thread)
        // Whoever takes a stack of a thread that is not the process's first must know where it lies.
        if state.thread != ProcessContext.shared.identity.pid { crerender_note_stack() }
        let number = kinds.firstIndex(of: state.monitor) ?? 0
        return kindNumber.exchange(number, ordering: .relaxed) != number
    }

    private static func tellStores() {
        for core in Uplink.stores.withLock({ $0.live }) { core.markStateDirty() }
    }
}

// MARK: - A loop that was left

extension LoopMonitor {
    /// Whether a CFRunLoop that is entered now is outside of GLib's loop, which says nothing when it is left.
    private static func glibIsGone(asSeenOn thread: Int32) -> Bool {
        let (mayBeGone, owner) = watch.withLock { ($0.state.mayBeGone, $0.state.thread) }
        guard mayBeGone else { return false }
        return owner == thread ? !LoopHooks.ownsGLib : LoopHooks.glibIsFree
    }

    /// The turn of a GLib loop that has lasted for so long, and may be one whose loop was left; nil where there is none.
    static func glibTurn(lasting nanoseconds: UInt64) -> UInt64? {
        watch.withLock { watch in
            guard let since = watch.state.glibTurnSince, MonotonicClock.now >= since &+ nanoseconds else { return nil }
            return watch.turn
        }
    }

    /// Looks whether GLib's loop was left during that turn, and notes it. False once there is nothing left to look for.
    ///
    /// It was left at some time since it was last seen to have an owner: the turn counts until then and no longer.
    static func lookForExit(fromTurn turn: UInt64) -> Bool {
        let now = MonotonicClock.now
        let isOpen = watch.withLock { $0.state.mayBeGone && !$0.state.waitsInside(at: now) }
        guard self.turn == turn, isOpen else { return false }
        guard LoopHooks.glibIsFree else {
            watch.withLock { $0.owned = (turn, now) }
            return true
        }
        // A loop that was started since has ended that turn, which is then not the one under way.
        watch.withLock { watch in
            let seenAt = watch.owned.turn == turn ? watch.owned.at : nil
            guard watch.turn == turn, watch.state.glibWasLeft(at: seenAt) else { return }
            turnNumber.store(0, ordering: .relaxed)
            LoopRecord.shared?.loopWasLeft(duringTurn: turn, at: seenAt ?? 1)
        }
        return false
    }
}

// MARK: - The ping

extension LoopMonitor {
    /// The main queue answered a ping, on the thread that serves it.
    static func pingAnswered(on thread: Int32) {
        let now = MonotonicClock.now
        let outcome = watch.withLock { watch in
            // Also where a hook has fired since: the ping must not stay open.
            let record = LoopRecord.shared
            record?.pingAnswered(at: now)
            let effects = watch.state.pingAnswered(on: thread)
            // A body, or a look, may have found it on another thread since the answer before.
            if watch.state.monitor == .ping, !effects.isNamed, let record, record.threadID != thread {
                _ = name(watch.state, record)
            }
            return apply(effects, at: now, to: &watch)
        }
        tell(outcome)
    }

    /// Since when no hooked loop is run; 0 if none ever was, nil while one is run, or may be.
    static var outsideSince: UInt64? { watch.withLock { $0.state.outsideSince } }

    /// Which thread runs the loop, as the page says.
    package static var thread: Int32 { LoopRecord.shared?.threadID ?? 0 }

    /// A body found that its thread serves the main queue of a pinged loop, and not the one before.
    static func mainQueueMoved(to thread: Int32, _ record: LoopRecord) {
        let isPinged = watch.withLock { watch in
            guard watch.state.monitor == .ping else { return false }
            record.setMonitor(.ping, threadID: thread)
            return true
        }
        if isPinged, thread != ProcessContext.shared.identity.pid { crerender_note_stack() }
    }

    /// A ping is long unanswered: notes which thread keeps it waiting, where that can be told. Its stack is not known here.
    static func lookWhoServes() {
        guard let owner = LoopHooks.mainQueueOwner else { return }
        watch.withLock { watch in
            guard watch.state.monitor == .ping, let record = LoopRecord.shared, record.threadID != owner else { return }
            record.setMonitor(.ping, threadID: owner)
        }
    }

    /// A ping is under way; a turn only where pings were answered before: a program without a main loop never hangs.
    static func pingSent(at now: UInt64) {
        watch.withLock { watch in
            if watch.state.monitor == .ping { LoopRecord.shared?.pingSent(at: now) }
        }
    }
}

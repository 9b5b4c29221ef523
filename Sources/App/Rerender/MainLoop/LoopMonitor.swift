// SPDX-License-Identifier: MIT
// Watches the process's main loop: takes what hooks see, asks the state machine what it means, and writes the record.

import CRerender
package import RerenderModel
import Synchronization

/// Watches the main loop of this process. Any thread, except where a method says otherwise.
///
/// A hook costs two readings of the clock and a lock that is held for no longer than that. On an idle loop nothing runs.
package final class LoopMonitor: Sendable {
    /// What the monitor calls, or has called. C code calls the first four, so they have no context.
    struct Callbacks: Sendable {
        /// Calls ``LoopMonitor/handle(loop:edge:)``.
        var edge: @convention(c) (CInt, CInt) -> Void = { _, _ in }
        /// Calls ``LoopMonitor/pingAnswered(on:)``.
        var pingAnswered: @convention(c) () -> Void = {}
        /// Calls ``LoopMonitor/drainEnded(on:)``.
        var drainEnded: @convention(c) () -> Void = {}
        /// Calls ``StoreCore/leadingStep(over:)``.
        var leading: @convention(c) (CInt) -> UInt = { _ in 0 }
        /// The main loop is monitored in another way than before.
        var renamed: @Sendable () -> Void = {}
        /// Something happened that the uplink's thread has to look at, if a daemon listens.
        var needsLook: @Sendable () -> Void = {}
        /// Has the uplink's thread look for loops of libraries that were loaded, also where no daemon listens.
        var needsHooks: @Sendable () -> Void = {}
    }

    private struct Watch {
        var state = LoopState()
        /// The number of the latest turn.
        var turn: UInt64 = 0
        /// When GLib's loop was last seen to have an owner.
        var ownedAt: UInt64 = 0

        /// The same, if it was in the turn under way.
        var ownedInTurnAt: UInt64? { state.glibTurnSince.flatMap { ownedAt >= $0 ? ownedAt : nil } }
    }

    /// What happened, for what is done after unlocking.
    private struct Outcome {
        var ended: (turn: UInt64, evaluations: UInt64)?
        var began: UInt64?
        var isRenamed = false
        var isOutside = false
    }

    private let pageRecord: LoopRecord?
    private let firstThread: Int32
    /// Whether turns are recorded in traces: by one copy of the library in a process.
    let tracesTurns: Bool
    private let callbacks: Callbacks
    private let watch = Mutex(Watch())
    /// Which of ``kinds``.
    private let kindNumber = Atomic<Int>(0)
    private static let kinds: [MainLoopKind] = [.none, .glib, .cfrunloop, .ping]
    private let turnNumber = Atomic<UInt64>(0)
    /// The thread of the turn under way, or of the latest.
    private let turnThread = Atomic<Int32>(0)
    /// How many files had been loaded when the hooks were installed last, and when an evaluation looked for more.
    private let loads = Atomic<UInt64>(0)
    private let lookedAt = Atomic<UInt64>(0)
    private let watchesDrains = Atomic<Bool>(false)
    private let pingIsUnderWay = Atomic<Bool>(false)
    /// Whether that ping is the uplink's thread's, which waits for the answer. One from a body wakes nobody.
    private let answerWakes = Atomic<Bool>(false)
    /// Whether the uplink's thread will look at the loop without being woken.
    private let looksLater = Atomic<Bool>(false)
    /// When it last looked whether the main queue is served; `max` while nobody is to look.
    private let queueLookedAt = Atomic<UInt64>(.max)

    /// - Parameters:
    ///   - record: Where turns are kept; nil where there is no flight page.
    ///   - firstThread: The thread with which the process began.
    ///   - tracesTurns: Whether turns are recorded in traces.
    ///   - callbacks: What to call.
    init(record: LoopRecord?, firstThread: Int32, tracesTurns: Bool = true, callbacks: Callbacks = Callbacks()) {
        pageRecord = record
        self.tracesTurns = tracesTurns
        self.firstThread = firstThread
        self.callbacks = callbacks
    }

    /// Where turns are kept; nil where there is no flight page, and in a forked child.
    var record: LoopRecord? { crerender_is_silent() ? nil : pageRecord }

    /// The turn under way; 0 between two, and where no hook fired.
    package var turn: UInt64 { turnNumber.load(ordering: .relaxed) }

    package var turns: UInt64 { watch.withLock { $0.turn } }

    package var kind: MainLoopKind { Self.kinds[kindNumber.load(ordering: .relaxed)] }

    /// Whether turns of a loop of GLib or CFRunLoop are known.
    var isHooked: Bool { kind == .glib || kind == .cfrunloop }

    /// Which thread runs the loop, as the page says; 0 where that is not known.
    package var thread: Int32 { record?.threadID ?? 0 }

    /// The turn under way on the calling thread; 0 for none. A pinged loop's turns are not known while they run.
    @inline(__always)
    var turnOfThisThread: UInt64 {
        let turn = self.turn
        return turn != 0 && turnThread.load(ordering: .relaxed) == crerender_this_thread() ? turn : 0
    }

    /// Installs each hook that can be had and is not there yet: libraries may be loaded late, and an app may set a poll
    /// function of its own. Some microseconds.
    ///
    /// On a host's thread only hooks into what the program links; the uplink's thread looks for the rest.
    func install() {
        LoopHooks.alone {
            // Before that: what is loaded meanwhile is found at the next look.
            if crerender_thread_may_wait_for_loader() { loads.store(crerender_loads(), ordering: .relaxed) }
            LoopHooks.install(callbacks.edge, leading: callbacks.leading)
        }
    }

    /// The same for a new store, whose loop may have been loaded with it.
    func installForStore() {
        install()
        if hasUnknownFiles { callbacks.needsHooks() }
    }

    /// Whether files have been loaded since the last look: a plugin may bring GLib. A tenth of a microsecond.
    private var hasUnknownFiles: Bool {
        !crerender_is_silent() && crerender_loads() != loads.load(ordering: .relaxed)
    }

    /// Installs the hooks again where there may be more to hook. On the uplink's thread.
    ///
    /// - Returns: False where that has to wait, because the loader is busy with LTTng.
    func lookForLoops() -> Bool {
        guard hasUnknownFiles else { return true }
        guard crerender_thread_may_wait_for_loader() else { return false }
        install()
        return true
    }

    /// Has the uplink's thread look, now and then, in an evaluation while no loop is known. That thread may wait for the loader;
    /// this one must not, because a library's constructor may wait for it.
    @inline(__always)
    private func askForLoops(at now: UInt64) {
        let last = lookedAt.load(ordering: .relaxed)
        if now &- last >= StoreLimits.loopLookNanoseconds { askForLoops(at: now, after: last) }
    }

    @inline(never)
    private func askForLoops(at now: UInt64, after last: UInt64) {
        guard !crerender_is_silent(),
            lookedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged, hasUnknownFiles
        else { return }
        callbacks.needsHooks()
    }

    /// Takes what a hook saw, as the C code names it, on the thread of its loop.
    func handle(loop: CInt, edge: CInt) {
        let loop: LoopState.Loop = Int(loop) == CRERENDER_GLIB ? .glib : .cfrunloop
        let edge = LoopState.Edge(rawValue: edge) ?? .afterWait
        let event = LoopState.Event(loop: loop, edge: edge, thread: crerender_this_thread(), time: MonotonicClock.now)
        let isGone = loop == .cfrunloop && edge == .entered && glibIsGone(asSeenOn: event.thread)
        let outcome = watch.withLock { watch in
            if isGone { _ = watch.state.glibWasLeft(at: nil, by: event.time) }
            return apply(watch.state.handle(event), at: event.time, to: &watch)
        }
        tell(outcome)
        if loop == .cfrunloop, edge == .left, outcome.isOutside { loopWasLeft() }
    }

    private func tell(_ outcome: Outcome) {
        if tracesTurns, let ended = outcome.ended { TurnSignpost.end(ended.turn, evaluations: ended.evaluations) }
        // A body that was left in an earlier turn does not run in this one. A block of a queue leads to nothing in a loop that it runs.
        if outcome.began != nil {
            crerender_drop_left()
            crerender_end_queue_step()
        }
        if tracesTurns, let began = outcome.began { TurnSignpost.begin(began) }
        if outcome.isRenamed { callbacks.renamed() }
    }

    /// Writes the record under the lock, so that it is written in the order in which things happened.
    private func apply(_ effects: LoopState.Effects, at time: UInt64, to watch: inout Watch) -> Outcome {
        let record = record
        var outcome = Outcome()
        if let time = effects.ended {
            outcome.ended = (watch.turn, record?.turnEnded(at: time, leftBy: effects.leftBy) ?? 0)
            turnNumber.store(0, ordering: .relaxed)
        }
        if effects.isNamed { outcome.isRenamed = name(watch.state, record) }
        if let time = effects.began {
            // The page numbers turns; without one they are counted here.
            let number = record?.turnBegan(at: time) ?? 0
            watch.turn = number != 0 ? number : watch.turn + 1
            turnThread.store(watch.state.thread, ordering: .relaxed)
            turnNumber.store(watch.turn, ordering: .relaxed)
            outcome.began = watch.turn
        }
        if effects.isPaused { record?.turnPaused(at: time) }
        if effects.isResumed { record?.turnResumed(at: time) }
        outcome.isOutside = watch.state.outsideSince != nil
        return outcome
    }

    /// Publishes how the loop is monitored; true if that is another way than before.
    private func name(_ state: LoopState, _ record: LoopRecord?) -> Bool {
        record?.setMonitor(state.monitor, threadID: state.thread)
        // A stack can be taken of another thread than the first only if the bounds of its stack are known.
        if state.thread != firstThread { crerender_note_stack() }
        let number = Self.kinds.firstIndex(of: state.monitor) ?? 0
        return kindNumber.exchange(number, ordering: .relaxed) != number
    }
}

// MARK: - A loop that was left

extension LoopMonitor {
    /// Whether a CFRunLoop that is entered now is outside of GLib's loop, which does not say when it is left.
    private func glibIsGone(asSeenOn thread: Int32) -> Bool {
        let (mayBeGone, owner) = watch.withLock { ($0.state.mayBeGone, $0.state.thread) }
        guard mayBeGone else { return false }
        return owner == thread ? !crerender_owns_glib() : crerender_glib_is_free()
    }

    /// The turn of a GLib loop that has lasted for so long, and may be one whose loop was left; nil where there is none.
    func glibTurn(lasting nanoseconds: UInt64) -> UInt64? {
        watch.withLock { watch in
            guard let since = watch.state.glibTurnSince, MonotonicClock.now >= since &+ nanoseconds else { return nil }
            return watch.turn
        }
    }

    /// Looks whether GLib's loop was left during that turn, and notes it. False once there is nothing left to look for.
    ///
    /// The loop was left at some time since it was last seen to have an owner, here or by a body that ended in it. The turn counts
    /// until that sight.
    func lookForExit(fromTurn turn: UInt64) -> Bool {
        let now = MonotonicClock.now
        let isOpen = watch.withLock { $0.state.mayBeGone && !$0.state.waitsInside(at: now) }
        guard self.turn == turn, isOpen else { return false }
        guard crerender_glib_is_free() else {
            noteOwner(at: now)
            return true
        }
        // A loop that was started since has ended that turn, which is then not the one under way.
        watch.withLock { watch in
            let seenAt = watch.ownedInTurnAt
            guard watch.turn == turn, watch.state.glibWasLeft(at: seenAt, by: now) else { return }
            turnNumber.store(0, ordering: .relaxed)
            record?.loopWasLeft(duringTurn: turn, at: seenAt ?? 1)
        }
        return false
    }

    private func noteOwner(at time: UInt64) {
        // The uplink's thread and the loop's may come here in any order.
        watch.withLock { $0.ownedAt = max($0.ownedAt, time) }
    }

    /// A body begins or ends in a long turn of GLib's, on the loop's thread: the loop is still run, or was left before.
    ///
    /// Without it a body that is the last in its loop would end after the loop was last seen to be run, and a body that runs
    /// outside would be in the turn.
    @inline(never)
    private func lookForOwner(_ record: LoopRecord, at now: UInt64) {
        guard !crerender_owns_glib() else { return noteOwner(at: now) }
        let outcome = watch.withLock { watch in
            let seenAt = watch.ownedInTurnAt
            // First, so that nobody waits for the record of a turn that gets none.
            record.loopWasLeft(duringTurn: watch.turn, at: seenAt ?? 1)
            return apply(watch.state.glibWasLeftByItsThread(at: seenAt, by: now), at: now, to: &watch)
        }
        tell(outcome)
        if outcome.isOutside { loopWasLeft() }
    }

    /// A hook saw that its loop was left. Asks for a look unless one is coming anyway: at most one system call in
    /// ``StoreLimits/outsideNanoseconds``.
    private func loopWasLeft() {
        guard !looksLater.load(ordering: .sequentiallyConsistent), !pingIsUnderWay.load(ordering: .relaxed) else {
            return
        }
        callbacks.needsLook()
    }

    /// Says whether the uplink's thread will look at the loop without being woken. On that thread.
    func willLookLater(_ looksLater: Bool) {
        self.looksLater.store(looksLater, ordering: .sequentiallyConsistent)
    }
}

// MARK: - The ping

extension LoopMonitor {
    /// Whether a ping was sent and not answered.
    var isPinging: Bool { pingIsUnderWay.load(ordering: .acquiring) }

    /// Whether one is under way whose answer will wake the uplink's thread.
    var answerWillWake: Bool { isPinging && answerWakes.load(ordering: .relaxed) }

    /// Pings the main queue; false where there is none. A turn begins only where pings were answered before, because a
    /// program without a main loop never hangs. On the uplink's thread.
    func ping(at now: UInt64) -> Bool {
        queueLookedAt.store(now, ordering: .relaxed)
        let state = crerender_main_queue_wake_state()
        guard state == CRERENDER_WAKES else { return state == CRERENDER_WAKE_UNKNOWN }
        // One that a body has sent will do.
        guard takePing(forUplink: true) else { return true }
        // Before the ping goes out: its answer may be quicker.
        watch.withLock { watch in
            if watch.state.monitor == .ping { record?.pingSent(at: now, notBefore: freeUntil(now)) }
        }
        if crerender_ping_main_queue(callbacks.pingAnswered) { return true }
        // What is not linked cannot be looked up at this moment: there may be one.
        if !crerender_thread_may_wait_for_loader() { pingIsUnderWay.store(false, ordering: .releasing) }
        return !isPinging
    }

    /// Has libdispatch tell of its threads' work once the main loop is a pinged one. On the uplink's thread: it may wait for
    /// the loader, which may wait for a constructor that runs a loop.
    func watchDrains() {
        guard kind == .ping, crerender_thread_may_wait_for_loader(),
            !watchesDrains.exchange(true, ordering: .relaxed)
        else { return }
        LoopHooks.watchDrains(callbacks.drainEnded)
    }

    /// At most one ping is under way.
    private func takePing(forUplink: Bool) -> Bool {
        guard pingIsUnderWay.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        answerWakes.store(forUplink, ordering: .relaxed)
        return true
    }

    /// Pings the main queue from a body with which a turn begins, on the thread that serves the queue. So the end of the turn is
    /// known also where the uplink's thread gets no processor: nothing tells the next block from this one.
    @inline(never)
    private func pingFromBody(_ record: LoopRecord, at now: UInt64) {
        guard let drain = LoopHooks.ownDrainBegan, takePing(forUplink: false) else { return }
        watch.withLock { watch in
            if watch.state.monitor == .ping { record.pingSent(at: now, notBefore: drain) }
        }
        if !crerender_ping_main_queue(callbacks.pingAnswered) {
            pingIsUnderWay.store(false, ordering: .releasing)
        }
    }

    /// Until when the main queue was not served, as far as that is known: until now, or until its thread began to work.
    private func freeUntil(_ now: UInt64) -> UInt64 {
        guard let owner = LoopHooks.mainQueueOwner else { return 0 }
        return owner == 0 ? now : LoopHooks.drainBegan(on: owner) ?? 0
    }

    /// Nobody pings the main queue, because no daemon listens.
    func stopPings() { queueLookedAt.store(.max, ordering: .relaxed) }

    /// A thread of libdispatch's has worked off what there was; on that thread, often.
    func drainEnded(on thread: Int32) {
        guard let record, record.isOfPings else { return }
        guard record.isBusyPinged else { return noteIfUnseen(record) }
        guard record.threadID == thread else { return }
        watch.withLock { watch in
            let now = MonotonicClock.now
            guard watch.state.monitor == .ping, record.drainEnded(on: thread, at: now) else { return }
            // That ping may come behind what is sent to the queue next.
            if isPinging { record.pingSent(at: now, notBefore: now) }
        }
    }

    /// The calling thread has worked, and the main queue was free as far as is known: nobody may have looked meanwhile.
    private func noteIfUnseen(_ record: LoopRecord) {
        let lookedAt = queueLookedAt.load(ordering: .relaxed)
        guard let began = LoopHooks.ownDrainBegan else { return }
        let now = MonotonicClock.now
        if now > lookedAt { record.noteUnseen(from: max(began, lookedAt), to: now) }
    }

    /// The main queue answered a ping, on the thread that serves it.
    func pingAnswered(on thread: Int32) {
        let now = MonotonicClock.now
        let outcome = watch.withLock { watch in
            // Also where a hook has fired since: the ping must not stay open.
            let record = record
            record?.pingAnswered(at: now)
            let effects = watch.state.pingAnswered(on: thread)
            // A body, or a look, may have found it on another thread since the answer before.
            if watch.state.monitor == .ping, !effects.isNamed, let record, record.threadID != thread {
                _ = name(watch.state, record)
            }
            return apply(effects, at: now, to: &watch)
        }
        tell(outcome)
        // Before the next ping may go out, which may be another one's.
        let wakes = answerWakes.load(ordering: .relaxed)
        pingIsUnderWay.store(false, ordering: .releasing)
        if wakes { callbacks.needsLook() }
    }

    /// Since when no hooked loop is run; 0 if none ever was, nil while one is run, or may be.
    var outsideSince: UInt64? { watch.withLock { $0.state.outsideSince } }

    /// Whether the calling thread is the loop's; three loads. That of a pinged loop is the one that serves the main queue now.
    @inline(__always)
    func runsOnThisThread(_ record: LoopRecord, at now: UInt64) -> Bool {
        let loop = record.threadOfLoop
        guard !loop.isPinged else { return servesMainQueue(loop.id, record, at: now) }
        if loop.id == 0 { askForLoops(at: now) }
        guard loop.id == crerender_this_thread(), !crerender_is_silent() else { return false }
        if now >= record.ownerIsDueAt { lookForOwner(record, at: now) }
        return true
    }

    /// Whether the calling thread serves the main queue. Notes it if another one did before.
    @inline(never)
    private func servesMainQueue(_ known: Int32, _ record: LoopRecord, at now: UInt64) -> Bool {
        let thread = crerender_this_thread()
        guard !crerender_is_silent() else { return false }
        guard let owner = LoopHooks.mainQueueOwner else { return known == thread }
        guard owner == thread else { return false }
        if known != thread, setServer(thread, record), thread != firstThread { crerender_note_stack() }
        if !record.isBusyPinged, queueLookedAt.load(ordering: .relaxed) != .max { pingFromBody(record, at: now) }
        return true
    }

    /// A ping is long unanswered: notes which thread keeps it waiting, where that can be told. Its stack is not known here.
    func lookWhoServes() {
        guard let owner = LoopHooks.mainQueueOwner, let record, record.threadID != owner else { return }
        _ = setServer(owner, record)
    }

    /// Notes which thread serves the main queue of a pinged loop; false for other loops.
    private func setServer(_ thread: Int32, _ record: LoopRecord) -> Bool {
        watch.withLock { watch in
            guard watch.state.monitor == .ping else { return false }
            record.setMonitor(.ping, threadID: thread)
            return true
        }
    }
}

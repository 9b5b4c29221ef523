// SPDX-License-Identifier: MIT
// Follows writes from evaluation to evaluation, finds those that lead back to where they began, and adds up what needs no input.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// Proof of the unsafe parts: those of ``EvaluationFrame`` and ``TimedSpan``. What of these a thread is in is alive.
extension StoreCore {
    /// The step that runs on this thread: its innermost body, or a handler that an evaluation led to; nil for what comes from outside.
    static func currentLink() -> CauseLink? {
        crerender_drop_left()
        let evaluation = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        var span = unsafe crerender_span()?.assumingMemoryBound(to: TimedSpan.self)
        while let current = unsafe span, unsafe current.pointee.evaluation == UnsafeMutableRawPointer(evaluation) {
            if let link = unsafe current.pointee.link { return unsafe link.takeUnretainedValue() }
            // In a body, it is the body's doing.
            if unsafe current.pointee.isHandler && evaluation == nil { return nil }
            unsafe span = current.pointee.enclosing?.assumingMemoryBound(to: TimedSpan.self)
        }
        guard let innermost = unsafe evaluation else { return queueLink ?? SourceSteps.link }
        return unsafe link(of: innermost)
    }

    /// The step that led to the block or job that a queue runs on this thread.
    ///
    /// Proof: what is kept there is what ``leadingStep(over:)`` gave away, until the block or job has ended.
    private static var queueLink: CauseLink? {
        unsafe crerender_queue_step().map { unsafe Unmanaged<CauseLink>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The step that runs on this thread, as one that leads on to what is put on a queue: its address, retained; 0 where none runs.
    ///
    /// - Parameter passage: What lies between, as the C code names it.
    static func leadingStep(over passage: CInt) -> UInt {
        guard let current = currentLink() else { return 0 }
        let step = current.leading(over: Int(passage) == CRERENDER_OVER_TASK ? .task : .queue)
        return unsafe UInt(bitPattern: Unmanaged.passRetained(step).toOpaque())
    }

    /// An evaluation that runs as a step; nil where nobody knows of which instance it is.
    private static func link(of frame: UnsafeMutablePointer<EvaluationFrame>) -> CauseLink? {
        guard unsafe !frame.pointee.isOfAnyInstance, let view = unsafe frame.pointee.view else { return nil }
        let instance = unsafe frame.pointee.instance
        let evaluation = unsafe view._withUnsafeGuaranteedRef { step($0, instance) }
        return unsafe link(of: evaluation, ledToBy: frame.pointee.cause.link)
    }

    private static func step(_ view: ViewRecord, _ instance: UInt64?) -> CauseLink.Step {
        .evaluation(storeID: view.storeID, view: view.index, key: view.key, instance: instance)
    }

    /// The link of an evaluation that writes; it may have been made when the evaluation began.
    private static func link(of step: CauseLink.Step, ledToBy link: CauseLink?) -> CauseLink {
        if let link, link.step == step { return link }
        return CauseLink(step, after: link)
    }

    /// The link of a handler that begins; nil if no evaluation led to it.
    ///
    /// - Parameter instance: The instance of the view to whose evaluation it reacts; nil if it reacts to none.
    func handlerLink(
        _ handler: EventHandler, of view: String?, reactingTo instance: InstanceID??
    ) -> CauseLink? {
        let previous =
            if let instance, let view {
                reactionLink(view, instance?.rawValue)
            } else {
                Self.currentLink()
            }
        return previous.map { CauseLink(.handler(handler), after: $0) }
    }

    private func reactionLink(_ label: String, _ instance: UInt64?) -> CauseLink? {
        guard let view = unsafe knownView(LongText.bounded(label, to: WireLimits.keyBytes)) else { return nil }
        return unsafe view._withUnsafeGuaranteedRef { view in
            view.state.withLock { $0.latestEvaluation(of: instance) }.map {
                Self.link(of: Self.step(view, instance), ledToBy: $0.link)
            }
        }
    }

    /// Finds the step that led to an evaluation, and whether it closes a cycle.
    func findStep(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ evidence: CauseEvidence) {
        guard unsafe !frame.pointee.isOfAnyInstance, evidence.callersReason == nil else { return }
        // A parent that something from outside led to would have led to this evaluation, too.
        if let parent = evidence.parent, parent.link == nil { return }
        guard let pending = evidence.pending,
            evidence.observesModels && !pending.observed.isEmpty || !pending.announced.isEmpty
        else {
            unsafe frame.pointee.details?.pointee.cause.link = evidence.parent?.link
            return
        }
        guard let previous = pending.step else { return }
        let step = unsafe Self.step(view, frame.pointee.instance)
        let writer = unsafe frame.pointee.cause.writers.first?.writer
        let (link, cycle) = CauseLink.closing(step, writer: writer, after: previous, at: MonotonicClock.now)
        unsafe frame.pointee.details?.pointee.cause.link = link
        if let cycle { note(cycle) }
    }

    /// Notes a round of a cycle.
    func note(_ cycle: ClosedCycle) {
        if cycles.withLock({ $0.note(cycle, epoch: epoch) }) { markStateDirty() }
    }

    /// The cycles as they travel. Naming their writers takes milliseconds, once.
    func cycles(_ wallClock: WallClock, named: Bool = true) -> [Cycle] {
        let entries = cycles.withLock { cycles in
            cycles.enter(epoch: epoch)
            return cycles.entries
        }
        return entries.map { entry in
            Cycle(
                steps: entry.steps.map { Cycle.Step(name: $0.name, writer: named ? $0.writer?.name : nil) },
                rounds: entry.rounds,
                latestRounds: entry.run.rounds, latestNanoseconds: entry.run.nanoseconds,
                latestAt: wallClock.time(at: entry.run.endedAt), over: entry.passage?.rawValue)
        }
    }
}

/// Proof of the unsafe parts: that of ``EvaluationFrame``.
extension StoreCore {
    /// Finds the cause that an evaluation is added to, where it comes without input: its parent's, or its own. Its reason is known.
    @inline(__always)
    func findWork(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord) {
        guard unsafe input.quietSince(at: frame.pointee.enteredAt) != nil else {
            unsafe frame.pointee.details?.pointee.cause.work = nil
            return
        }
        // A parent that was evaluated before it was quiet has none.
        guard unsafe frame.pointee.details?.pointee.cause.work == nil,
            unsafe frame.pointee.details?.pointee.cause.chain == nil
        else { return }
        unsafe frame.pointee.details?.pointee.cause.work = place(of: frame.pointee.cause, view, nil)
    }

    /// The same for an evaluation whose caller gives the cause at the end. If an evaluation inside of it led to it, it has that one's.
    ///
    /// - Returns: The place of its own cause; nil where it has another one's, and where it came with input.
    func findWork(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ told: ToldCause
    ) -> WorkPlace? {
        guard unsafe input.quietSince(at: frame.pointee.beganAt) != nil else { return nil }
        let inner = unsafe innerWork(frame, told)
        let own = unsafe inner == nil ? place(of: frame.pointee.cause, view, told.workCallback) : nil
        guard let work = inner ?? own else { return nil }
        unsafe frame.pointee.details?.pointee.cause.work = work
        unsafe hand(work, from: frame)
        return own
    }

    /// The cause of what an evaluation came because of, where that ran inside of it.
    @inline(__always)
    func innerWork(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ told: ToldCause) -> WorkPlace? {
        unsafe told.isProved ? frame.pointee.innerWork : nil
    }

    /// Tells the evaluation around one what the cause of that one is.
    @inline(__always)
    func hand(_ work: WorkPlace, from frame: UnsafeMutablePointer<EvaluationFrame>) {
        if let enclosing = unsafe frame.pointee.enclosing, unsafe enclosing.pointee.innerWork == nil {
            unsafe enclosing.pointee.innerWork = work
        }
    }

    private func place(of cause: EvaluationCause, _ view: ViewRecord, _ callback: WorkCallback?) -> WorkPlace {
        let cause = WorkCause(
            view: view.index, key: view.key, reason: cause.reason, writer: cause.writers.first?.writer,
            callback: callback)
        let now = MonotonicClock.now
        return work.withLock { work in
            work.enter(epoch: epoch)
            return work.place(of: cause, at: now)
        }
    }

    /// Adds an evaluation that has ended; false if its place was given away. `isWasted`: its output was measured to be the same. Its view is marked afterwards, which wakes the followers of changes.
    @inline(never)
    @discardableResult
    func noteWork(
        _ place: WorkPlace, of view: ViewRecord, nanoseconds: UInt64, isWasted: Bool, at now: UInt64
    ) -> Bool {
        guard let inputAt = input.quietSince(at: now) else { return true }
        let noted = work.withLock { work in
            work.enter(epoch: epoch)
            return work.note(
                place, view: view.index, nanoseconds: nanoseconds, isWasted: isWasted, at: now, inputAt: inputAt)
        }
        if noted == .shown { noteStateChange() }
        return noted != .nowhere
    }

    /// Notes that a commit shows that an evaluation was not needed.
    @inline(never)
    func noteWasted(_ place: WorkPlace, of view: ViewRecord) {
        work.withLock { work in
            work.enter(epoch: epoch)
            work.noteWasted(place, view: view.index)
        }
    }

    /// Adds a frame that has ended.
    func noteWork(_ frame: MeasuredFrame) {
        let now = MonotonicClock.now
        guard let inputAt = input.quietSince(at: now) else { return }
        work.withLock { work in
            work.enter(epoch: epoch)
            _ = work.noteFrame(nanoseconds: frame.nanoseconds, at: now, inputAt: inputAt)
        }
    }

    /// What goes on without input, as it travels. Naming writers takes milliseconds, once.
    func idleWork(_ wallClock: WallClock) -> [IdleWork] {
        let shown = work.withLock { work in
            work.enter(epoch: epoch)
            return work.shown
        }
        return shown.work(wallClock)
    }
}

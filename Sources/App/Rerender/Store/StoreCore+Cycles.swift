// SPDX-License-Identifier: MIT
// Follows writes from evaluation to evaluation, and finds those that lead back to where they began.

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
        return unsafe evaluation.flatMap { unsafe link(of: $0) }
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
        guard let pending = evidence.pending, !(pending.observed.isEmpty && pending.announced.isEmpty) else {
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
                latestAt: wallClock.time(at: entry.run.endedAt))
        }
    }
}

// SPDX-License-Identifier: MIT
// Finds what is evaluated without input, and adds it up by its causes.

import RerenderModel
import Synchronization

/// Proof of the unsafe parts: that of ``EvaluationFrame``.
extension StoreCore {
    /// Finds the cause that an evaluation is added to, where it comes without input: its parent's, or its own. Its reason is known.
    @inline(__always)
    func findWork(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord) {
        guard unsafe input.quietSince(at: frame.pointee.enteredAt) != nil else {
            unsafe frame.pointee.cause.work = nil
            return
        }
        // A parent that was evaluated before it was quiet has none.
        guard unsafe frame.pointee.cause.work == nil, unsafe frame.pointee.cause.chain == nil else { return }
        unsafe frame.pointee.cause.work = place(of: frame.pointee.cause, view, nil)
    }

    /// The same for an evaluation whose cause is told when it has ended. Where it came because of one inside of it, it has that one's.
    func findWork(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ told: ToldCause) {
        guard unsafe input.quietSince(at: frame.pointee.enteredAt) != nil else { return }
        let inner = unsafe told.isProved ? frame.pointee.innerWork : nil
        let work = unsafe inner ?? place(of: frame.pointee.cause, view, told.workCallback)
        unsafe frame.pointee.cause.work = work
        if let enclosing = unsafe frame.pointee.enclosing, unsafe enclosing.pointee.innerWork == nil {
            unsafe enclosing.pointee.innerWork = work
        }
    }

    private func place(of cause: EvaluationCause, _ view: ViewRecord, _ callback: WorkCallback?) -> WorkPlace {
        let cause = WorkCause(
            view: view.index, key: view.key, reason: cause.reason, writer: cause.writers.first?.writer,
            callback: callback)
        return work.withLock { work in
            work.enter(epoch: epoch)
            return work.place(of: cause)
        }
    }

    /// Adds an evaluation that has ended. Its view is marked afterwards, which wakes who is told.
    @inline(never)
    func noteWork(_ place: WorkPlace, of view: ViewRecord, nanoseconds: UInt64, at now: UInt64) {
        guard let inputAt = input.quietSince(at: now) else { return }
        let isShown = work.withLock { work in
            work.enter(epoch: epoch)
            return work.note(place, view: view.index, nanoseconds: nanoseconds, at: now, inputAt: inputAt)
        }
        if isShown { noteStateChange() }
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
    func idleWork(_ wallClock: WallClock, named: Bool = true) -> [IdleWork] {
        let list = work.withLock { work in
            work.enter(epoch: epoch)
            return work
        }
        return list.work(wallClock, named: named)
    }
}

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
            unsafe frame.pointee.details?.pointee.cause.work = nil
            return
        }
        // A parent that was evaluated before it was quiet has none.
        guard unsafe frame.pointee.details?.pointee.cause.work == nil,
            unsafe frame.pointee.details?.pointee.cause.chain == nil
        else { return }
        unsafe frame.pointee.details?.pointee.cause.work = place(of: frame.pointee.cause, view, nil)
    }

    /// The same for an evaluation whose cause is told when it has ended. Where it came because of one inside of it, it has that one's.
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

    /// Adds an evaluation that has ended; false if its place was given away. Its view is marked afterwards, which wakes who is told.
    @inline(never)
    @discardableResult
    func noteWork(_ place: WorkPlace, of view: ViewRecord, nanoseconds: UInt64, at now: UInt64) -> Bool {
        guard let inputAt = input.quietSince(at: now) else { return true }
        let noted = work.withLock { work in
            work.enter(epoch: epoch)
            return work.note(place, view: view.index, nanoseconds: nanoseconds, at: now, inputAt: inputAt)
        }
        if noted == .shown { noteStateChange() }
        return noted != .nowhere
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
        let shown = work.withLock { work in
            work.enter(epoch: epoch)
            return work.shown
        }
        return shown.work(wallClock, named: named)
    }
}

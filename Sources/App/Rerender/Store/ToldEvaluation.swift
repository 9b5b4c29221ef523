// SPDX-License-Identifier: MIT
// Counts evaluations whose cause is told. What was told of a view before is counted without a look at any text.

import CRerender
import RerenderModel
import Synchronization

/// Proof of the unsafe parts: see `InjectedView.toldMemory()`.
extension StoreCore {
    /// Begins an evaluation whose cause is told when it has ended; nothing is compared, and nothing looked for.
    @inline(__always)
    func beginTold(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, of view: Unmanaged<ViewRecord>, instance: UInt64,
        hint: inout UInt32
    ) {
        unsafe frame.pointee.view = view
        unsafe frame.pointee.store = Unmanaged.passUnretained(self)
        unsafe frame.pointee.enclosing = Self.innermostFrame
        unsafe frame.pointee.instance = instance
        unsafe frame.pointee.bodyEndedAt = 0
        unsafe frame.pointee.innerProbes = 0
        unsafe frame.pointee.innerBodies = 0
        unsafe frame.pointee.innerWork = nil
        unsafe view._withUnsafeGuaranteedRef { view in
            if let known = view.state.withLock({ $0.checkOutKnown(instance, hint: &hint) }) {
                unsafe frame.pointee.details?.pointee.record = known
            } else {
                unsafe checkOut(frame, view, instance)
            }
            if tracing.recordsBegins { unsafe beginSignpost(frame, view, instance) }
        }
        unsafe list(frame)
        unsafe bodyBegins(frame)
    }

    @inline(never)
    private func checkOut(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ instance: UInt64) {
        let checkOut = view.state.withLock { $0.checkOut(instance, settings) }
        unsafe frame.pointee.details?.pointee.record = checkOut.record
        if checkOut.isInitial {
            unsafe frame.pointee.details?.pointee.cause = EvaluationCause(reason: Reason.initial, attribution: .exact)
        }
    }

    @inline(never)
    private func beginSignpost(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ instance: UInt64
    ) {
        let parent = unsafe frame.pointee.enclosing?.pointee.view?.takeUnretainedValue().key
        unsafe frame.pointee.signpostID = BodyEvalSignpost.begin(view, parent: parent, instance: instance)
    }

    /// Ends an evaluation whose cause is told, and counts it; nil for one that does not count.
    @inline(__always)
    func endTold(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ told: ToldCause?, _ text: (UInt32) -> String?
    ) {
        // It is dropped where what it began in has ended before it.
        guard unsafe frame.pointee.isListed else { return }
        unsafe unlist(frame)
        guard let told, !crerender_is_silent(), let view = unsafe frame.pointee.view else {
            return unsafe withdrawTold(frame)
        }
        let ran = unsafe Self.duration(from: frame.pointee.bodyBeganAt, to: frame.pointee.bodyEndedAt)
        let body = unsafe ran - min(frame.pointee.innerProbes, ran)
        let isCounted = unsafe view._withUnsafeGuaranteedRef { view in
            unsafe count(frame, view, told, body: body, total: ran)
        }
        guard isCounted else { return unsafe countNew(frame, view, told, text) }
        unsafe chargeProbe(frame, body: body)
    }

    /// Counts an evaluation of a view that was told the same before; false if it was not, and where it is traced.
    @inline(__always)
    private func count(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ told: ToldCause, body: UInt64,
        total: UInt64
    ) -> Bool {
        guard unsafe frame.pointee.signpostID == 0, !tracing.recordsEnds,
            unsafe frame.pointee.details?.pointee.cause.isExplained != true
        else { return false }
        let (beganAt, endedAt) = unsafe (frame.pointee.beganAt, frame.pointee.bodyEndedAt)
        let isQuiet = input.quietSince(at: beganAt) != nil
        let own = unsafe body - min(frame.pointee.innerBodies, body)
        let times = EvaluationTimes(beganAt: beganAt, endedAt: endedAt, body: body, own: own, total: total)
        // Let go of when the lock is released.
        let record = unsafe frame.pointee.details?.pointee.record.take()
        let isKnown = update(view) { state in
            guard let place = state.place(of: told) else { return false }
            if isQuiet, unsafe !noteWork(frame, view, told, place.work, nanoseconds: own) { return false }
            // First the page, then the view: should the process die between the two, the evaluation shows as lost.
            countEvaluation(epoch: state.sums.epoch)
            state.record(told, at: place, times, record)
            return true
        }
        if !isKnown { unsafe frame.pointee.details?.pointee.record = record }
        return isKnown
    }

    /// Adds an evaluation that came without input to its cause; false if there is no place for that.
    @inline(__always)
    private func noteWork(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ told: ToldCause, _ own: WorkPlace?,
        nanoseconds: UInt64
    ) -> Bool {
        guard let work = unsafe innerWork(frame, told) ?? own else { return false }
        let isWasted = told.isSameOutput == true
        guard
            unsafe noteWork(
                work, of: view, nanoseconds: nanoseconds, isWasted: isWasted, at: frame.pointee.bodyEndedAt)
        else { return false }
        unsafe hand(work, from: frame)
        return true
    }

    @inline(never)
    private func countNew(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: Unmanaged<ViewRecord>, _ told: ToldCause,
        _ text: (UInt32) -> String?
    ) {
        let isInitial = unsafe frame.pointee.cause.isExplained
        let cause = told.cause(told.reason == 0 ? nil : text(told.reason))
        if !isInitial { unsafe frame.pointee.details?.pointee.cause = cause }
        unsafe frame.pointee.details?.pointee.isSameOutput = told.isSameOutput
        let work = unsafe view._withUnsafeGuaranteedRef { unsafe findWork(frame, $0, told) }
        unsafe count(frame, view, in: .none)
        if !isInitial {
            unsafe view._withUnsafeGuaranteedRef { view in
                view.state.withLock { $0.learn(told, as: cause, work: work) }
            }
        }
        unsafe clear(frame)
    }

    @inline(never)
    private func withdrawTold(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        // In a forked child, a lock may be held by a thread that is not here.
        if let record = unsafe frame.pointee.record, let view = unsafe frame.pointee.view, !crerender_is_silent() {
            unsafe view._withUnsafeGuaranteedRef { view in view.state.withLock { _ in record.isCheckedOut = false } }
        }
        unsafe clear(frame)
    }

    /// Leaves nothing in the memory for the next evaluation in it.
    private func clear(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.pointee.details?.pointee = EvaluationDetails()
        unsafe frame.pointee.signpostID = 0
    }
}

// SPDX-License-Identifier: MIT
// One evaluation in flight: a frame on its thread's stack, linked to the one that encloses it.

import CRerender
import RerenderModel
import Synchronization

/// An evaluation that has begun and not ended.
@usableFromInline
@unsafe
struct EvaluationFrame: ~Copyable {
    fileprivate var view: Unmanaged<ViewRecord>?
    fileprivate var enclosing: UnsafeMutablePointer<EvaluationFrame>?
    fileprivate var enteredAt: UInt64 = 0
    fileprivate var bodyBeganAt: UInt64 = 0
    fileprivate var signpostID: UInt64 = 0

    @usableFromInline
    init() {}
}

@available(*, unavailable)
extension EvaluationFrame: Sendable {}

/// Proof of the unsafe parts. A frame is a local variable of `RerenderStore.evaluate`, which ends it before it returns
/// or throws, on the thread that began it: so the thread's innermost frame is always alive, and the frames of a thread
/// form a stack. A frame's view is kept alive by its store, and the store by the call of `evaluate`.
extension StoreCore {
    /// Whether evaluations count now; takes the time if so.
    @usableFromInline
    func enter(_ frame: inout EvaluationFrame) -> Bool {
        guard isCounting.load(ordering: .relaxed), !crerender_is_forked() else { return false }
        unsafe frame.enteredAt = MonotonicClock.now
        return true
    }

    /// Begins an evaluation: finds its view, makes it the thread's innermost, and takes the time last of all.
    @usableFromInline
    func begin(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, label: String?, parent: ViewKey?, file: StaticString,
        line: UInt32
    ) {
        let view =
            if let label {
                unsafe self.view(label: label, file: file, line: line)
            } else {
                unsafe self.view(file: file, line: line)
            }
        let enclosing = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        unsafe frame.pointee.view = view
        unsafe frame.pointee.enclosing = enclosing
        unsafe crerender_set_frame(frame)
        if let view = unsafe view, BodyEvalSignpost.isOn {
            let parent = unsafe parent ?? enclosing?.pointee.view?.takeUnretainedValue().key
            unsafe frame.pointee.signpostID = BodyEvalSignpost.begin(view.takeUnretainedValue(), parent: parent)
        }
        unsafe frame.pointee.bodyBeganAt = MonotonicClock.now
    }

    /// Ends an evaluation and counts it; takes the body's end first of all.
    @usableFromInline
    func end(_ frame: UnsafeMutablePointer<EvaluationFrame>, instance: InstanceID?, reason: String?) {
        let bodyEndedAt = MonotonicClock.now
        unsafe crerender_set_frame(frame.pointee.enclosing)
        // A body that forked ends twice, and the parent counts it.
        guard !crerender_is_forked() else { return }
        guard let view = unsafe frame.pointee.view else { return recordDropped() }
        let endedAt = MonotonicClock.now
        let evaluation = unsafe Evaluation(
            endedAt: bodyEndedAt,
            bodyNanoseconds: Self.duration(from: frame.pointee.bodyBeganAt, to: bodyEndedAt),
            totalNanoseconds: Self.duration(from: frame.pointee.enteredAt, to: endedAt),
            instance: instance?.rawValue, reason: reason)
        unsafe view._withUnsafeGuaranteedRef { view in
            let signpostID = unsafe frame.pointee.signpostID
            let recorded = record(evaluation, of: view, isTraced: signpostID != 0)
            if let recorded { BodyEvalSignpost.end(signpostID, view, evaluation, recorded) }
        }
    }

    /// The counter may be read a few nanoseconds early by the processor; a duration is never less than zero for it.
    private static func duration(from start: UInt64, to end: UInt64) -> UInt64 {
        end > start ? end - start : 0
    }
}

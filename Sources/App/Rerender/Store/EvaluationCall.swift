// SPDX-License-Identifier: MIT
// The call that evaluates a body: it takes memory for a frame, and gives it back; and what becomes of a frame whose call was left.

import CRerender
import RerenderModel
import Synchronization

/// What an evaluation has on the stack of its caller.
@usableFromInline
@unsafe
struct EvaluationCall {
    /// A `crerender_running_mark`.
    private var number: UInt64 = 0

    @usableFromInline
    init() {}
}

@available(*, unavailable)
extension EvaluationCall: Sendable {}

extension UnsafeMutablePointer<EvaluationCall> {
    /// Proof: a word is what the mark is.
    fileprivate var mark: UnsafeMutablePointer<crerender_running_mark> {
        unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: crerender_running_mark.self)
    }
}

extension UnsafeMutablePointer<EvaluationFrame> {
    /// The call of a frame whose memory is of one.
    var running: UnsafeMutablePointer<crerender_running> { unsafe crerender_running_of(self) }

    /// Where the details of such a frame are, if it has some.
    fileprivate var detailsOfCall: UnsafeMutablePointer<EvaluationDetails> {
        unsafe (UnsafeMutableRawPointer(self) + StoreCore.placeOfDetails)
            .assumingMemoryBound(to: EvaluationDetails.self)
    }

    /// Ends what ``StoreCore/addDetails(_:)`` began.
    fileprivate func removeDetails() {
        if unsafe pointee.details.take() != nil { unsafe detailsOfCall.deinitialize(count: 1) }
    }
}

/// Proof of the unsafe parts. The memory of a call is a frame, and behind that its details. It stays until the thread ends: a frame whose
/// call was left is as it was until it is dropped. That happens before the memory is used again, and before anything is looked up in the
/// frames of the thread. `RunningCall` keeps the store as long as the memory may be in use. A call that was taken for left and does return
/// finds that its mark is no more the memory's, and touches nothing.
extension StoreCore {
    fileprivate static var placeOfDetails: Int {
        let alignment = MemoryLayout<EvaluationDetails>.alignment
        return unsafe (MemoryLayout<EvaluationFrame>.size + alignment - 1) / alignment * alignment
    }

    /// Makes a frame if evaluations count now. Inside another evaluation, it also reads the clock: this one is no time of that one's body.
    ///
    /// - Parameter call: Memory for one, on the stack until the call returns or throws an error.
    /// - Returns: nil where they do not count, and where there is no memory, or too little of the stack.
    @usableFromInline
    @inline(never)
    func enter(_ call: UnsafeMutablePointer<EvaluationCall>) -> UnsafeMutablePointer<EvaluationFrame>? {
        guard isCounting.load(ordering: .relaxed), !crerender_is_silent() else { return nil }
        let frame = unsafe crerender_callers_frame()
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard unsafe crerender_frame() == nil,
            let running = unsafe crerender_begin_first(call.mark, frame, own, { unsafe StoreCore.drop(memory: $0) })
        else { return unsafe enterSlowly(call, frame) }
        let ready = unsafe crerender_memory(running).assumingMemoryBound(to: EvaluationFrame.self)
        unsafe clear(ready)
        return unsafe ready
    }

    /// Takes out of a frame what a plain evaluation, and those in it, left there. What is missing here is set before it is used, by a
    /// plain one or by ``addDetails(_:)``.
    @inline(__always)
    private func clear(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.pointee.signpostID = 0
        unsafe frame.pointee.plain.record = nil
        unsafe frame.pointee.bodyBeganAt = 0
        unsafe frame.pointee.bodyEndedAt = 0
        unsafe frame.pointee.innerProbes = 0
        unsafe frame.pointee.innerBodies = 0
        unsafe frame.pointee.view = nil
        unsafe frame.pointee.value = nil
        unsafe frame.pointee.innerWork = nil
        unsafe frame.pointee.isOfAnyInstance = false
    }

    private func initialize(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.initialize(to: EvaluationFrame())
        unsafe frame.pointee.isOfCall = true
        unsafe frame.pointee.store = Unmanaged.passUnretained(self)
    }

    /// Ends the details of a frame, and leaves it as the next evaluation in its memory needs it.
    func makeReady(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.removeDetails()
        unsafe initialize(frame)
    }

    /// In another evaluation or call, or for the first time on this thread, or in this store.
    @inline(never)
    private func enterSlowly(
        _ call: UnsafeMutablePointer<EvaluationCall>, _ frame: UnsafePointer<UInt>
    ) -> UnsafeMutablePointer<EvaluationFrame>? {
        if unsafe crerender_is_deep(call.mark, frame) {
            noteTooDeep()
            return nil
        }
        guard Self.placeOfDetails + MemoryLayout<EvaluationDetails>.size <= CRERENDER_RUNNING_BYTES,
            let running = unsafe crerender_begin_running(call.mark, frame, { unsafe StoreCore.drop(memory: $0) })
        else { return unsafe noteNoMemory() }
        let begun = unsafe crerender_memory(running).assumingMemoryBound(to: EvaluationFrame.self)
        unsafe initialize(begun)
        let isInside = unsafe crerender_frame() != nil
        if isInside { unsafe begun.pointee.enteredAt = MonotonicClock.now }
        unsafe RunningCall.keep(self, in: running)
        // A plain evaluation leaves the time of a frame that began in another.
        if !isInside {
            unsafe running.pointee.ready_for = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        }
        return unsafe begun
    }

    @inline(never)
    private func noteNoMemory() -> UnsafeMutablePointer<EvaluationFrame>? {
        recordDropped()
        return nil
    }

    /// Takes the time of an evaluation that begins in a frame that is no call's; false if evaluations do not count now.
    @inline(__always)
    func enter(_ frame: UnsafeMutablePointer<EvaluationFrame>) -> Bool {
        guard isCounting.load(ordering: .relaxed), !crerender_is_silent() else { return false }
        unsafe frame.pointee.enteredAt = unsafe Self.innermostFrame == nil ? 0 : MonotonicClock.now
        return true
    }

    /// The innermost evaluation of this thread, once those are dropped that were left.
    @inline(__always)
    static var innermostFrame: UnsafeMutablePointer<EvaluationFrame>? {
        if unsafe crerender_frame() == nil { return nil }
        crerender_drop_left()
        return unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
    }

    /// Gives a frame of a call its details. The call begins until its body runs.
    @inline(__always)
    func addDetails(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.pointee.value = nil
        unsafe frame.pointee.valueType = Void.self
        unsafe frame.detailsOfCall.initialize(to: EvaluationDetails())
        unsafe frame.pointee.details = unsafe frame.detailsOfCall
        unsafe frame.running.pointee.is_beginning = true
    }

    /// Whether the call of a frame runs: only then may the frame be used.
    @inline(__always)
    func isRunning(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>
    ) -> Bool { unsafe crerender_is_running(frame.running, call.mark) }

    /// Ends the call of a frame by what `end` does with the frame; nothing happens where it was taken for left.
    @inline(__always)
    func end(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>, _ end: () -> Void
    ) {
        guard unsafe crerender_begin_ending(frame.running, call.mark) else { return }
        end()
        unsafe crerender_has_ended(frame.running)
    }

    // MARK: Frames of this thread

    /// Takes an evaluation out of those of this thread. What is in it and is no call's is dropped: what it began in ends.
    @inline(__always)
    func unlist(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        if unsafe crerender_frame() != UnsafeMutableRawPointer(frame) { return unsafe Self.unlistOuter(frame) }
        unsafe frame.pointee.isListed = false
        unsafe crerender_set_frame(frame.pointee.enclosing)
    }

    /// Puts an evaluation among those of this thread.
    @inline(__always)
    func list(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.pointee.isListed = true
        unsafe crerender_set_frame(frame)
    }

    /// Whether an evaluation is among those of this thread, which one of a call does not note.
    private static func isAmongThese(_ frame: UnsafeMutablePointer<EvaluationFrame>) -> Bool {
        var next = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        while let inner = unsafe next {
            if unsafe inner == frame { return true }
            unsafe next = inner.pointee.enclosing
        }
        return false
    }

    @inline(never)
    private static func unlistOuter(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe frame.pointee.isListed = false
        var outermost: UnsafeMutablePointer<EvaluationFrame>?
        var next = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        var hasCall = false
        while let inner = unsafe next, unsafe inner != frame {
            unsafe hasCall = hasCall || inner.pointee.isOfCall
            unsafe (outermost, next) = (inner, inner.pointee.enclosing)
        }
        // A call on another stack goes on, and ends later than what it began in.
        if hasCall {
            unsafe outermost?.pointee.enclosing = frame.pointee.enclosing
            return
        }
        while let inner = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self),
            unsafe inner != frame
        {
            if let store = unsafe inner.pointee.store {
                unsafe store._withUnsafeGuaranteedRef { unsafe $0.drop(inner) }
            } else {
                unsafe crerender_set_frame(inner.pointee.enclosing)
            }
        }
        unsafe crerender_set_frame(frame.pointee.enclosing)
    }

    private static func drop(memory: UnsafeMutableRawPointer) {
        let frame = unsafe memory.assumingMemoryBound(to: EvaluationFrame.self)
        if let store = unsafe frame.pointee.store {
            unsafe store._withUnsafeGuaranteedRef { unsafe $0.drop(frame) }
        }
        unsafe frame.removeDetails()
    }

    /// Ends an evaluation that never returned: gives back what it took, and adds it to the evaluations that the store says are not counted.
    @inline(never)
    func drop(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        if unsafe frame.pointee.isListed || Self.isAmongThese(frame) { unsafe unlist(frame) }
        // A span in it was left with it.
        while let span = unsafe crerender_span()?.assumingMemoryBound(to: TimedSpan.self),
            unsafe span.pointee.evaluation == UnsafeMutableRawPointer(frame)
        {
            unsafe crerender_set_span(span.pointee.enclosing)
        }
        if unsafe frame.pointee.isOfCall { unsafe OpenAccessList.drop(OpenAccessList.list(of: frame.running)) }
        unsafe crerender_tell_ended(frame)
        guard !crerender_is_silent() else { return }
        noteUnended()
        if let view = unsafe frame.pointee.view {
            unsafe view._withUnsafeGuaranteedRef { view in
                guard let record = unsafe takePlainRecord(frame, view) ?? frame.pointee.record else { return }
                unsafe record.evaluated.hasThrown = true
                record.pending.bodyEnded()
                view.state.withLock { _ in record.letGo() }
            }
        }
        unsafe frame.pointee.plain.change = nil
        unsafe frame.pointee.details?.pointee = EvaluationDetails()
        unsafe frame.pointee.signpostID = 0
    }
}

/// What a probe says of an evaluation, its arguments evaluated.
@usableFromInline
struct EvaluationArguments: ~Copyable {
    @usableFromInline let label: String?
    @usableFromInline let instance: InstanceID?
    @usableFromInline let parent: ViewKey?
    @usableFromInline let parentInstance: InstanceID?
    @usableFromInline let reason: String?
    @usableFromInline let inputs: [(String, Any)]?
    @usableFromInline let isPass: Bool
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt32
    /// Whether its framework evaluates a view whose model was written, as those with Observation do.
    @usableFromInline let observesModels: Bool

    /// Inlined: returned by a call, the whole would be copied once more.
    @inlinable
    init(
        label: String?, instance: InstanceID?, parent: ViewKey?, parentInstance: InstanceID?, reason: String?,
        inputs: [(String, Any)]?, isPass: Bool, file: StaticString, line: UInt32,
        observesModels: Bool = true
    ) {
        self.label = label
        self.instance = instance
        self.parent = parent
        self.parentInstance = parentInstance
        self.reason = reason
        self.inputs = inputs
        self.isPass = isPass
        self.file = file
        self.line = line
        self.observesModels = observesModels
    }
}

@available(*, unavailable)
extension EvaluationArguments: Sendable {}

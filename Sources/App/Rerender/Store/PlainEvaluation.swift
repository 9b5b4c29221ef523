// SPDX-License-Identifier: MIT
// Counts evaluations of an instance that is known, in no other one, and explained by nothing, without looking for more.

import CRerender
import RerenderModel
import Synchronization

/// What an evaluation has while nothing explains it.
@safe
struct PlainEvaluation {
    /// The instance's memory. It is not retained: where it is taken out of its view meanwhile, it is kept for the evaluation.
    var record: Unmanaged<InstanceRecord>?
    /// The kind of waste that the inputs show; nil if that cannot be told.
    var waste: WasteKind?
    /// How the view's properties differ, where the evaluation turned out to be no plain one.
    var change: ValueChange?
}

@available(*, unavailable)
extension PlainEvaluation: Sendable {}

/// Proof of the unsafe parts: that of ``EvaluationFrame``. The memory of an instance lives while its view has it. A view that lets
/// go of one that a plain evaluation has keeps it alive, and the evaluation's end lets go of it.
extension StoreCore {
    /// Begins an evaluation if it is a plain one, which counts no reference, and looks at no text but those of the view's properties.
    ///
    /// - Returns: False for another one. What was found out of it is in the frame.
    @usableFromInline
    func beginPlain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ label: String?, _ instance: InstanceID?,
        value: UnsafeRawPointer,
        type: Any.Type, file: StaticString, line: UInt32
    ) -> Bool {
        let view = unsafe view(label: label, file: file, line: line)
        unsafe frame.pointee.view = view
        guard let view = unsafe view else { return false }
        return unsafe beginPlain(frame, of: view, instance?.rawValue, value: value, type: type)
    }

    /// The same for a view that is known.
    @inline(__always)
    func beginPlain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, of view: Unmanaged<ViewRecord>, _ instance: UInt64?,
        value: UnsafeRawPointer, type: Any.Type
    ) -> Bool {
        guard unsafe crerender_frame() == nil, isQuietAround else { return false }
        unsafe frame.pointee.view = view
        return unsafe view._withUnsafeGuaranteedRef { unsafe begin(frame, $0, instance, value, type) }
    }

    /// Whether evaluations are announced to no reader, and their reads are tracked.
    @inline(__always)
    private var isQuietAround: Bool {
        !crerender_is_watched() && !input.isTold && settings.tracksReads.load(ordering: .relaxed)
    }

    @inline(__always)
    private func begin(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ instance: UInt64?,
        _ value: UnsafeRawPointer, _ type: Any.Type
    ) -> Bool {
        guard let held = unsafe checkOutPlain(view, instance) else { return false }
        unsafe frame.pointee.plain.record = held
        // What was written before is recorded before.
        if tracing.recordsWrites { WriteLog.flush() }
        return unsafe held._withUnsafeGuaranteedRef { record in
            guard unsafe record.evaluated.generation == settings.generation, !record.pending.hasAny,
                unsafe isAsBefore(frame, record, value, type)
            else { return false }
            unsafe frame.pointee.instance = instance
            if tracing.recordsBegins {
                unsafe frame.pointee.signpostID = BodyEvalSignpost.begin(view, parent: nil, instance: instance)
            }
            record.pending.bodyBegins(on: crerender_thread_pointer())
            unsafe OpenAccessList.begin(OpenAccessList.list(of: frame.running))
            unsafe crerender_set_frame(frame)
            unsafe bodyBegins(frame)
            unsafe record.evaluated.beganAt = frame.pointee.bodyBeganAt
            return true
        }
    }

    /// Takes the instance's memory, mostly without the lock of its view.
    @inline(__always)
    private func checkOutPlain(_ view: ViewRecord, _ instance: UInt64?) -> Unmanaged<InstanceRecord>? {
        guard let held = unsafe view.offer.take(instance) else {
            return unsafe view.state.withLock { unsafe $0.checkOutPlain(instance) }
        }
        let isMeant = unsafe held._withUnsafeGuaranteedRef { $0.instance == instance }
        return unsafe isMeant ? held : giveBack(held, view)
    }

    /// Gives back what is of another instance, which was offered in the same moment; nil.
    @inline(never)
    private func giveBack(_ held: Unmanaged<InstanceRecord>, _ view: ViewRecord) -> Unmanaged<InstanceRecord>? {
        let isAbandoned = unsafe held._withUnsafeGuaranteedRef { record in
            view.state.withLock { state in
                state.withdrawOffer()
                record.isCheckedOut = false
                return record.endPlain()
            }
        }
        if isAbandoned { unsafe held.release() }
        return nil
    }

    /// Whether the view's properties are what they were, which says whether the evaluation was needed.
    @inline(__always)
    private func isAsBefore(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord, _ value: UnsafeRawPointer,
        _ type: Any.Type
    ) -> Bool {
        var isProved = false
        if type == Void.self {
            guard unsafe record.evaluated.properties.isEmpty else { return false }
        } else {
            guard let layout = unsafe record.evaluated.properties.layout(of: type, depth: settings.depth) else {
                return false
            }
            unsafe frame.pointee.value = unsafe value
            unsafe frame.pointee.valueType = type
            let isSame = unsafe layout._withUnsafeGuaranteedRef { layout in
                if unsafe record.evaluated.properties.isUnchanged(value, layout) {
                    isProved = !layout.isOpaque && !layout.isEmpty
                    return true
                }
                // What was read elsewhere may prove what is compared here.
                TrackedFields.seek { KeyPathName.property(of: $0)?.property }
                // This may run the app's code.
                unsafe frame.running.pointee.is_beginning = true
                let change = unsafe record.evaluated.properties.update(value, layout)
                unsafe frame.running.pointee.is_beginning = false
                guard change.isUnremarkable else {
                    unsafe frame.pointee.plain.change = change
                    return false
                }
                isProved = change.isProved && !layout.isEmpty
                return true
            }
            guard isSame else { return false }
        }
        let hasUnknownWrites = record.pending.takeTaint()
        unsafe frame.pointee.plain.waste = isProved && !hasUnknownWrites ? .sameInputs : nil
        return true
    }

    /// Ends a plain evaluation whose body has returned, and counts it.
    @usableFromInline
    func endPlain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>
    ) {
        unsafe end(frame, call) { unsafe endReturned(frame) }
    }

    /// Ends a plain evaluation whose body threw an error, and counts it.
    @usableFromInline
    @inline(never)
    func endThrown(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>
    ) {
        unsafe end(frame, call) {
            let reads = unsafe endBody(frame)
            guard !crerender_is_silent(), let view = unsafe frame.pointee.view else { return }
            unsafe endFully(frame, view.takeUnretainedValue(), reads, hasReturned: false)
        }
    }

    // Inlined by itself, since the compiler takes the closure that calls this for too long otherwise.
    @inline(__always)
    private func endReturned(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let reads = unsafe endBody(frame)
        // In the child of a fork, a lock may be held by a thread that is not here.
        guard !crerender_is_silent(), let view = unsafe frame.pointee.view, let held = unsafe frame.pointee.plain.record
        else { return }
        unsafe view._withUnsafeGuaranteedRef { view in
            guard reads == nil else { return unsafe endFully(frame, view, reads, hasReturned: true) }
            unsafe held._withUnsafeGuaranteedRef { unsafe countPlain(frame, view, $0) }
        }
    }

    /// Takes a plain evaluation out of those of this thread; returns what its body has read.
    @inline(__always)
    private func endBody(_ frame: UnsafeMutablePointer<EvaluationFrame>) -> AccessList? {
        unsafe bodyEnds(frame)
        let reads = unsafe OpenAccessList.end(OpenAccessList.list(of: frame.running))
        if unsafe crerender_frame() == UnsafeMutableRawPointer(frame) {
            crerender_set_frame(nil)
        } else {
            unsafe unlist(frame)
        }
        unsafe crerender_tell_ended(frame)
        return reads
    }

    @inline(__always)
    private func countPlain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ record: InstanceRecord
    ) {
        record.pending.bodyEnded()
        let waste = unsafe frame.pointee.plain.waste
        unsafe record.evaluated.update?.becomePlain(waste)
        let turn = turnOfThisThread
        let ran = unsafe Self.duration(from: frame.pointee.bodyBeganAt, to: frame.pointee.bodyEndedAt)
        let body = unsafe ran - min(frame.pointee.innerProbes, ran)
        let times = unsafe EvaluationTimes(
            beganAt: frame.pointee.bodyBeganAt, endedAt: frame.pointee.bodyEndedAt, body: body,
            own: body - min(frame.pointee.innerBodies, body), total: ran)
        guard !tracing.recordsEnds else { return unsafe countTraced(frame, view, record, times, turn) }
        let isAbandoned = update(view) { state in
            // First the page, then the view: should the process die between the two, the evaluation shows as lost.
            countEvaluation(epoch: state.sums.epoch)
            _ = unsafe state.recordPlain(times, waste, frame, turn, record)
            return state.endPlain(record)
        }
        if isAbandoned { unsafe frame.pointee.plain.record?.release() }
    }

    /// Counts a plain evaluation, and records its end.
    @inline(never)
    private func countTraced(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ record: InstanceRecord,
        _ times: EvaluationTimes, _ turn: LoopTurn
    ) {
        unsafe numberEvents(of: frame, view)
        let waste = unsafe frame.pointee.plain.waste
        let (recorded, isAbandoned) = update(view) { state in
            countEvaluation(epoch: state.sums.epoch)
            let verdict = unsafe state.recordPlain(times, waste, frame, turn, record)
            return (state.recorded(verdict), state.endPlain(record))
        }
        unsafe BodyEvalSignpost.endPlain(
            frame.pointee.signpostID, view, times, turn, instance: frame.pointee.instance, recorded, in: self)
        if isAbandoned { unsafe frame.pointee.plain.record?.release() }
    }

    /// Gives an evaluation whose end is recorded a number, where its beginning gave it none.
    func numberEvents(of frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord) {
        if unsafe frame.pointee.signpostID == 0 { unsafe frame.pointee.signpostID = BodyEvalSignpost.makeID(view) }
    }

    /// Ends an evaluation that began as a plain one, and whose body threw an error or read a model.
    @inline(never)
    private func endFully(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ reads: consuming AccessList?,
        hasReturned: Bool
    ) {
        var details = EvaluationDetails()
        unsafe details.cause.becomePlain(frame.pointee.plain.waste)
        if let record = unsafe takePlainRecord(frame, view) {
            details.record = record
            if !hasReturned {
                unsafe record.evaluated.hasThrown = true
                details.cause.leaveUnjudged()
            }
            if let reads { details.reads = ObservedReads.registered(for: reads, record.onWrite) }
        }
        unsafe withUnsafeMutablePointer(to: &details) { details in
            unsafe frame.pointee.details = details
            if let record = unsafe details.pointee.record { unsafe remember(frame, record) }
            unsafe count(frame, Unmanaged.passUnretained(view), in: turnOfThisThread)
            unsafe frame.pointee.details = nil
        }
    }

    /// Ends a plain evaluation that turned out to be counted by somebody else.
    @inline(never)
    func withdrawPlain(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe bodyEnds(frame)
        _ = unsafe OpenAccessList.end(OpenAccessList.list(of: frame.running))
        if !crerender_is_silent(), let view = unsafe frame.pointee.view {
            let record = unsafe view._withUnsafeGuaranteedRef { unsafe takePlainRecord(frame, $0) }
            record?.pending.bodyEnded()
        }
        unsafe withdraw(frame)
    }

    /// Takes the memory that an evaluation has as a plain one, as others have theirs.
    func takePlainRecord(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord) -> InstanceRecord? {
        guard let held = unsafe frame.pointee.plain.record.take() else { return nil }
        let record = unsafe held.takeUnretainedValue()
        let isAbandoned = view.state.withLock { state in
            state.withdrawOffer()
            return record.endPlain()
        }
        if isAbandoned { unsafe held.release() }
        return record
    }
}

extension ViewState {
    /// Begins an evaluation of the instance that was evaluated last, if it is at rest and its last evaluation was a plain one.
    @inline(__always)
    mutating func checkOutPlain(_ instance: UInt64?) -> Unmanaged<InstanceRecord>? {
        withdrawOffer()
        guard let held = unsafe records.latest(instance) else { return nil }
        let isPlain = unsafe held._withUnsafeGuaranteedRef { $0.beginPlain() }
        guard isPlain else { return nil }
        lastInstance = instance
        return unsafe held
    }

    /// Counts a plain evaluation; returns whether it was wasted.
    @inline(__always)
    mutating func recordPlain(
        _ times: EvaluationTimes, _ waste: WasteKind?, _ frame: UnsafeMutablePointer<EvaluationFrame>, _ turn: LoopTurn,
        _ record: InstanceRecord
    ) -> WasteVerdict {
        count(body: times.body, own: times.own, total: times.total, endedAt: times.endedAt)
        reasons.countUnknown(as: Reason.externalSignal)
        var verdict = WasteVerdict(kind: waste, selfNanoseconds: times.own)
        unsafe verdict.signpostID = frame.pointee.signpostID
        let isNumbered = unsafe frame.pointee.instance != nil
        verdict.isAgain = unsafe isNumbered && turn != .none && record.turn == turn && !record.open.isEmpty
        if verdict.kind == nil { verdict.kind = verdict.isAgain ? .twiceInATurn : nil }
        verdict.isUnjudged = verdict.kind == nil
        addWaste(verdict)
        unsafe record.open.append(verdict, epoch: sums.epoch)
        record.endedPlain(at: times.beganAt, in: turn)
        return verdict
    }
}

extension InstanceRecord {
    /// Notes whether the next evaluation may be a plain one; before the memory is given back.
    func notePlain(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ settings: CauseSettings) {
        // A plain one's cause is that nothing explains it.
        let hasPlainCause = unsafe frame.pointee.details?.pointee.cause.isPlain ?? true
        let isTracked = settings.tracksReads.load(ordering: .relaxed)
        isPlain = unsafe !frame.pointee.isPass && hasPlainCause && evaluated.isPlain && isTracked
    }
}

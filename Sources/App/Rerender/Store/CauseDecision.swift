// SPDX-License-Identifier: MIT
// Finds the cause of an evaluation when its body begins, and keeps what the next one needs when it has ended.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// Proof of the unsafe parts: that of ``EvaluationFrame``. A frame and what it points to live until its evaluation has ended,
/// and these are called before that, on its thread.
extension StoreCore {
    /// Takes the instance's memory and finds the cause of this evaluation in it.
    func decide(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ arguments: borrowing EvaluationArguments,
        _ enclosing: UnsafeMutablePointer<EvaluationFrame>?
    ) {
        let isOfAny = unsafe frame.pointee.isOfAnyInstance
        let checkOut = unsafe checkOut(frame, view, arguments.instance)
        let found = found(checkOut)
        if WriteSignpost.isOn { WriteLog.flush() }
        guard let record = checkOut.record else {
            var evidence = CauseEvidence(
                callersReason: arguments.reason, found: found, isForgotten: checkOut.isForgotten && !isOfAny)
            if isOfAny { unsafe evidence.parent = parent(running: enclosing) }
            unsafe frame.pointee.details?.pointee.cause = evidence.cause()
            return
        }
        unsafe frame.pointee.details?.pointee.record = record
        defer {
            unsafe record.evaluated.beganAt = frame.pointee.enteredAt
            record.pending.bodyBegins(on: crerender_thread_pointer())
        }
        let isOfAnotherTime = unsafe record.evaluated.generation != settings.generation
        if arguments.isPass, !isOfAnotherTime, let update = update(record, checkOut) {
            unsafe frame.pointee.isPass = true
            unsafe frame.pointee.details?.pointee.cause = update.ofPass
            if !checkOut.reportedReads.isEmpty { view.state.withLock { _ in record.keep(checkOut.reportedReads) } }
            return
        }
        for reads in checkOut.reportedReads { reads.cancel() }
        if checkOut.isForgotten || isOfAnotherTime { resume(record) }
        if checkOut.isInitial || checkOut.isForgotten { unsafe copyModels(frame, &record.evaluated) }
        // There is nothing to compare with before.
        if !checkOut.isInitial { TrackedFields.seek { KeyPathName.property(of: $0)?.property } }
        let comparison = unsafe compare(frame, arguments.inputs, &record.evaluated)
        let change = comparison?.change
        // Most evaluations of a busy app: nothing is known that could have caused this one. Evidence that this condition
        // leaves out is never looked for.
        let isUnexplained = unsafe arguments.reason == nil && arguments.parent == nil && enclosing == nil
        let isAsBefore = found == nil && (change?.isUnremarkable ?? true)
        if isUnexplained, isAsBefore, !record.pending.hasAny {
            let hasUnknownWrites = record.pending.takeTaint()
            let isTracked = settings.tracksReads.load(ordering: .relaxed)
            if unsafe change?.isProved != true || hasUnknownWrites || !isTracked || !record.evaluated.hasInputs {
                unsafe frame.pointee.details?.pointee.cause.isUnjudged = true
                return
            }
            // What the body read has to be looked at, too.
            if unsafe record.evaluated.reads == nil, checkOut.reportedReads.isEmpty {
                unsafe frame.pointee.details?.pointee.cause.waste = .sameInputs
                return
            }
        }
        unsafe explain(frame, record, checkOut, found, arguments, comparison, enclosing, view)
    }

    /// Takes the instance's memory, which the evaluation may have from its attempt to be a plain one.
    private func checkOut(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ instance: InstanceID?
    ) -> CheckOut {
        if let record = unsafe takePlainRecord(frame, view) {
            return CheckOut(record: record, isInitial: false, isForgotten: false)
        }
        let isOfAny = unsafe frame.pointee.isOfAnyInstance
        return view.state.withLock { $0.checkOut(instance?.rawValue, isOfAny: isOfAny, settings) }
    }

    /// The cause of the update that a further evaluation belongs to; nil if none is known, or if something has happened since
    /// that is a cause of its own.
    private func update(_ record: InstanceRecord, _ checkOut: CheckOut) -> EvaluationCause? {
        guard !checkOut.isInitial, !checkOut.isForgotten, !record.pending.hasAny else { return nil }
        return unsafe record.evaluated.update
    }

    /// Begins anew with an instance that was evaluated without its memory: in a pause, or beside another evaluation.
    private func resume(_ record: InstanceRecord) {
        unsafe record.evaluated.forget()
        unsafe record.evaluated.generation = settings.generation
        _ = record.pending.take()
    }

    /// The reason of an evaluation that holds whatever was written or compared; asked before anything of its memory changes.
    private func found(_ checkOut: CheckOut) -> FixedReason? { checkOut.isInitial ? .initial : nil }

    private func explain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord, _ checkOut: CheckOut,
        _ found: FixedReason?, _ arguments: borrowing EvaluationArguments, _ comparison: InputComparison?,
        _ enclosing: UnsafeMutablePointer<EvaluationFrame>?, _ view: ViewRecord
    ) {
        // Of no instance in particular, there was nothing to forget: whose body runs now still holds.
        var evidence = unsafe CauseEvidence(
            callersReason: arguments.reason, found: found,
            isForgotten: checkOut.isForgotten && !frame.pointee.isOfAnyInstance)
        evidence.observesModels = arguments.observesModels
        unsafe observe(frame, record, &evidence)
        let change = comparison?.change
        evidence.properties = change
        if change?.isProved == true, !evidence.isExplainedByWrite, settings.tracksReads.load(ordering: .relaxed) {
            evidence.areReadsProved = unsafe record.evaluated.areReadsProved(
                checkOut.reportedReads, except: record.pending.foreignWrites)
            evidence.hasInputs = unsafe record.evaluated.hasInputs
        }
        if let comparison, !comparison.change.isFirst, !comparison.change.changed.isEmpty {
            evidence.changedNames = unsafe changedNames(frame, comparison)
        }
        unsafe evidence.parent = parent(of: view, arguments, enclosing, &record.evaluated)
        unsafe frame.pointee.details?.pointee.cause = evidence.cause()
        // What appears anew is its parent's doing, too.
        if let parent = evidence.parent, unsafe frame.pointee.cause.chain != nil || checkOut.isInitial {
            unsafe frame.pointee.details?.pointee.cause.work = parent.work
        }
        unsafe findStep(frame, view, evidence)
        // What was written since an evaluation of the view need not be what led to this one.
        if unsafe frame.pointee.isOfAnyInstance, !checkOut.isInitial {
            unsafe frame.pointee.details?.pointee.cause.leaveUncertain()
        }
    }

    /// Takes what was written since the last evaluation to what it had read, and finds whether more was written than was
    /// reported.
    private func observe(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord, _ evidence: inout CauseEvidence
    ) {
        evidence.pending = record.pending.take()
        // Asked for before each look: memory that another thread writes must not be read.
        unsafe evidence.observe(
            &record.evaluated, frame.pointee.value, frame.pointee.valueType, except: record.pending.foreignWrites)
        evidence.hasUnknownWrites = record.pending.takeTaint()
        if evidence.pending?.observed.isEmpty == false, evidence.observed == nil {
            evidence.hasUnknownWrites = true
        } else if !evidence.isExplainedByWrite, let value = unsafe frame.pointee.value,
            let reads = unsafe record.evaluated.reads
        {
            // A write that was not reported, between the body's reads and the registration for them.
            let foreign = record.pending.foreignWrites
            unsafe record.evaluated.paths.update(
                view: value, type: frame.pointee.valueType, reads: reads, except: foreign)
            let hasChanged = unsafe record.evaluated.values.hasChanged(record.evaluated.paths, except: foreign)
            if hasChanged { evidence.hasUnknownWrites = true }
        }
    }

    /// Keeps what only the end of a body can be compared with that nothing was registered for.
    private func copyModels(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ state: inout EvaluatedState) {
        guard settings.tracksReads.load(ordering: .relaxed), let value = unsafe frame.pointee.value else { return }
        state.before = unsafe ModelsBeforeBody(view: value, type: frame.pointee.valueType)
    }

    private func changedNames(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ comparison: InputComparison) -> String {
        let own = comparison.own.flatMap { own -> String? in
            if own.changed.isEmpty { return nil }
            let layout = unsafe ValueLayout.layout(of: frame.pointee.valueType, depth: settings.depth)
            return layout.names(of: own)
        }
        guard let named = comparison.named, !named.names.isEmpty else { return own ?? "" }
        return CauseNames.joined((own.map { [$0] } ?? []) + named.names)
    }

    /// How the view's stored properties, and the inputs that the caller named, differ from those of the last evaluation; nil if
    /// that is not known.
    private func compare(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ inputs: [(String, Any)]?, _ state: inout EvaluatedState
    ) -> InputComparison? {
        let own = unsafe compare(frame, &state)
        guard inputs != nil || !state.inputs.isEmpty else { return own }
        guard let inputs else {
            // The next is compared with this one, of which they are not known.
            state.inputs.forget()
            return nil
        }
        let named = state.inputs.update(inputs, depth: settings.depth)
        if unsafe frame.pointee.value == nil { return InputComparison(change: named.change, named: named) }
        guard let own else { return nil }
        return InputComparison(change: own.change.joined(with: named.change), own: own.change, named: named)
    }

    /// How the view's stored properties differ from those of the last evaluation; nil if that is not known.
    private func compare(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ state: inout EvaluatedState
    ) -> InputComparison? {
        guard let value = unsafe frame.pointee.value else {
            // The next is compared with this one, of which nothing is known, and not with the one before.
            if !state.properties.isEmpty { state.properties.forget() }
            return nil
        }
        let layout = unsafe ValueLayout.layout(of: frame.pointee.valueType, depth: settings.depth)
        // What was found out as a plain one, unless the settings are others since.
        let found = unsafe frame.pointee.plain.change.take()
        let stands = state.properties.isRecorded(layout)
        var change = unsafe found.flatMap { stands ? $0 : nil } ?? state.properties.update(value, layout)
        unsafe layout.leaveOutNoCauses(&change, value, instance: frame.pointee.instance)
        return InputComparison(change: change, own: change)
    }

    /// The view whose body runs now, for an evaluation without a memory: another one of the view, on this or another thread, has it.
    private func parent(running enclosing: UnsafeMutablePointer<EvaluationFrame>?) -> ParentReason? {
        guard let frame = unsafe enclosing, let running = unsafe frame.pointee.view?.takeUnretainedValue() else {
            return nil
        }
        var reason = ParentReason()
        unsafe reason.update(parent: running.key, of: frame)
        return reason
    }

    /// The parent whose evaluation explains this one: the announced one if it was evaluated since, else the one whose
    /// body runs now.
    private func parent(
        of view: ViewRecord, _ arguments: borrowing EvaluationArguments,
        _ enclosing: UnsafeMutablePointer<EvaluationFrame>?,
        _ state: inout EvaluatedState
    ) -> ParentReason? {
        guard let announced = arguments.parent else {
            guard let frame = unsafe enclosing, let running = unsafe frame.pointee.view?.takeUnretainedValue() else {
                return nil
            }
            unsafe state.parentReason.update(parent: running.key, of: frame)
            return state.parentReason
        }
        let key = LongText.bounded(announced.rawValue, to: WireLimits.keyBytes)
        let instance = arguments.parentInstance?.rawValue
        // A view is no parent of its own, but an instance of it may be another one's, as in a tree.
        guard let parent = unsafe knownView(key)?.takeUnretainedValue(),
            parent !== view || instance != nil && instance != arguments.instance?.rawValue
        else { return nil }
        if let running = unsafe runningFrame(of: parent, instance, enclosing) {
            unsafe state.parentReason.update(parent: parent.key, of: running)
            return state.parentReason
        }
        // One that began before this instance's last evaluation did not cause another one.
        guard let latest = parent.state.withLock({ $0.latestEvaluation(of: instance) }),
            latest.beganAt > state.beganAt
        else { return nil }
        state.parentReason.update(parent: parent.key, cause: latest.root, link: latest.link, work: latest.work)
        return state.parentReason
    }

    /// The innermost evaluation of a view that runs on this thread, of that instance where one is named; nil if
    /// none does.
    private func runningFrame(
        of parent: ViewRecord, _ instance: UInt64?, _ enclosing: UnsafeMutablePointer<EvaluationFrame>?
    ) -> UnsafeMutablePointer<EvaluationFrame>? {
        var frame = unsafe enclosing
        while let current = unsafe frame {
            let (view, running) = unsafe (current.pointee.view?.takeUnretainedValue(), current.pointee.instance)
            if view === parent, instance == nil || instance == running {
                return unsafe current
            }
            unsafe frame = current.pointee.enclosing
        }
        return nil
    }

    /// Runs a body whose reads count for an instance until its next evaluation.
    @usableFromInline
    func trackReported<Output, Failure>(
        _ label: String, _ instance: UInt64?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isEnabled,
            let view = unsafe knownView(LongText.bounded(label, to: WireLimits.keyBytes))?.takeUnretainedValue(),
            let record = view.state.withLock({ $0.recordsAnnounced(instance).first })
        else { return try body() }
        var reads: ObservedReads?
        defer {
            if let reads {
                var noted: UInt = 0
                reads.prove(&noted)
                let old = view.state.withLock { state in
                    state.withdrawOffer()
                    return record.report(reads)
                }
                old?.cancel()
            }
        }
        return try ObservedReads.track(reads: &reads, onWrite: record.onWrite, body)
    }

    /// Keeps what the next evaluation of the instance will be compared with.
    func remember(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord) {
        defer { unsafe record.notePlain(frame, settings) }
        if unsafe frame.pointee.isPass { return unsafe rememberPass(frame, record) }
        unsafe record.evaluated.update = frame.pointee.cause
        let reads = unsafe frame.pointee.details?.pointee.reads
        // Only now: what is written while the body runs is heard of. What reads the same goes on.
        if unsafe record.evaluated.reads !== reads { unsafe record.evaluated.reads?.cancel() }
        record.pending.bodyEnded()
        if let reads { NameWarmUp.begin(reads) }
        if unsafe record.evaluated.before != nil {
            let before = unsafe record.evaluated.before.take()
            if let reads, let before, before.differ(reads) { record.pending.taint() }
        }
        if let reads, let value = unsafe frame.pointee.value {
            let foreign = record.pending.foreignWrites
            unsafe record.evaluated.paths.update(
                view: value, type: frame.pointee.valueType, reads: reads, except: foreign)
            unsafe record.evaluated.values.update(
                reads, record.evaluated.paths, except: foreign, depth: settings.depth)
        } else if unsafe frame.pointee.value == nil {
            // Nothing that an earlier evaluation read says what this one did.
            unsafe record.evaluated.values = ObservedValues()
        }
        // Afterwards: what was looked at may be of models of which nothing was asked before.
        if let reads { unsafe reads.prove(&record.evaluated.notedReads) }
        unsafe record.evaluated.reads = reads
    }

    /// Adds what a further evaluation read and the others of its update did not, of which there mostly is nothing. All else
    /// stays as the update's first evaluation left it: that is what the next update is compared with.
    private func rememberPass(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord) {
        let all = unsafe frame.pointee.details?.pointee.reads
        if all != nil { unsafe record.evaluated.reads?.cancel() }
        record.pending.bodyEnded()
        guard let all else { return }
        NameWarmUp.begin(all)
        if let value = unsafe frame.pointee.value {
            let foreign = record.pending.foreignWrites
            // What is read anew below would hide a write that was not reported.
            if unsafe record.evaluated.values.hasChanged(record.evaluated.paths, except: foreign) {
                record.pending.taint()
            }
            unsafe record.evaluated.paths.update(
                view: value, type: frame.pointee.valueType, reads: all, except: foreign)
            unsafe record.evaluated.values.update(all, record.evaluated.paths, except: foreign, depth: settings.depth)
        }
        unsafe all.prove(&record.evaluated.notedReads)
        unsafe record.evaluated.reads = all
    }
}

extension ParentReason {
    /// Takes a parent whose evaluation runs.
    fileprivate mutating func update(parent: ViewKey, of frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe update(
            parent: parent, cause: frame.pointee.cause.root, link: frame.pointee.cause.link,
            work: frame.pointee.cause.work)
    }
}

/// How the inputs of an evaluation differ from those of the one before.
private struct InputComparison {
    /// All of them.
    let change: ValueChange
    /// The view's stored properties.
    var own: ValueChange?
    /// What the caller named.
    var named: NamedChange?
}

extension ValueChange {
    /// Both in one.
    fileprivate func joined(with other: ValueChange) -> ValueChange {
        var all = self
        all.isFirst = isFirst || other.isFirst
        all.formUnion(other)
        return all
    }

    /// Whether it says that everything is as it was.
    var isUnremarkable: Bool {
        !isFirst && changed.isEmpty && !unknown && !hasNewIdentity && !hasNewClosure
    }
}

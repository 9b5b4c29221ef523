// SPDX-License-Identifier: MIT
// One evaluation in flight: a frame on its thread's stack, linked to the one that encloses it.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// An evaluation that has begun and not ended.
@usableFromInline
@unsafe
struct EvaluationFrame: ~Copyable {
    var view: Unmanaged<ViewRecord>?
    /// The view's store.
    var store: Unmanaged<StoreCore>?
    /// The view's value, alive while the frame is; nil if the caller gave none.
    var value: UnsafeRawPointer?
    var valueType: Any.Type = Void.self
    /// The instance's memory, if this evaluation has it to itself.
    var record: InstanceRecord?
    var cause = EvaluationCause()
    var reads: ObservedReads?
    /// Whether the output equals the previous one; nil if that was not asked for, or there is none.
    var isSameOutput: Bool?
    fileprivate var enclosing: UnsafeMutablePointer<EvaluationFrame>?
    fileprivate var enteredAt: UInt64 = 0
    fileprivate var bodyBeganAt: UInt64 = 0
    fileprivate var bodyEndedAt: UInt64 = 0
    /// What the probes of evaluations inside this body took beside their bodies: no part of this body's time.
    fileprivate var innerProbes: UInt64 = 0
    fileprivate var signpostID: UInt64 = 0
    /// The instance's number, for the trace.
    fileprivate var instance: UInt64?

    @usableFromInline
    init() {}
}

@available(*, unavailable)
extension EvaluationFrame: Sendable {}

/// What a probe says of an evaluation, its arguments evaluated.
@usableFromInline
struct EvaluationArguments {
    var label: String?
    var instance: InstanceID?
    var parent: ViewKey?
    var reason: String?
    var file: StaticString
    var line: UInt32

    @usableFromInline
    init(
        label: String?, instance: InstanceID?, parent: ViewKey?, reason: String?, file: StaticString, line: UInt32
    ) {
        self.label = label
        self.instance = instance
        self.parent = parent
        self.reason = reason
        self.file = file
        self.line = line
    }
}

@available(*, unavailable)
extension EvaluationArguments: Sendable {}

/// Proof of the unsafe parts. A frame is a local variable of `RerenderStore.evaluate`, which ends it before it returns
/// or throws, on the thread that began it: so the thread's innermost frame is always alive, and the frames of a thread
/// form a stack. A frame's view is kept alive by its store, and the store, which the frame names, by the call of
/// `evaluate`, which also keeps the view's value where it is.
extension StoreCore {
    /// Whether evaluations count now; takes the time if so.
    @usableFromInline
    func enter(_ frame: inout EvaluationFrame) -> Bool {
        guard isCounting.load(ordering: .relaxed), !crerender_is_forked() else { return false }
        unsafe frame.enteredAt = MonotonicClock.now
        return true
    }

    /// Begins an evaluation: finds its view and its cause, and makes it the thread's innermost.
    @usableFromInline
    func begin(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ arguments: EvaluationArguments, value: UnsafeRawPointer,
        type: Any.Type
    ) {
        let view =
            if let label = arguments.label {
                unsafe self.view(label: label, file: arguments.file, line: arguments.line)
            } else {
                unsafe self.view(file: arguments.file, line: arguments.line)
            }
        let enclosing = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        unsafe frame.pointee.view = view
        unsafe frame.pointee.store = Unmanaged.passUnretained(self)
        unsafe frame.pointee.enclosing = enclosing
        if type != Void.self { unsafe setValue(frame, value, TypeMetadata(type)) }
        if let view = unsafe view {
            unsafe view._withUnsafeGuaranteedRef { view in
                unsafe decide(frame, view, arguments, enclosing)
                guard BodyEvalSignpost.isOn else { return }
                let parent = unsafe arguments.parent ?? enclosing?.pointee.view?.takeUnretainedValue().key
                unsafe frame.pointee.instance = arguments.instance?.rawValue
                unsafe frame.pointee.signpostID = BodyEvalSignpost.begin(view, parent: parent)
            }
        }
        unsafe crerender_set_frame(frame)
    }

    /// Frameworks hand over `any View`: what counts is the view in it.
    private func setValue(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ value: UnsafeRawPointer, _ type: TypeMetadata
    ) {
        var (value, type) = unsafe (value, type)
        // A container may hold another one.
        while type.kind == .existential, let contained = unsafe type.contained(in: value) {
            unsafe (value, type) = unsafe contained
        }
        unsafe frame.pointee.value = unsafe value
        unsafe frame.pointee.valueType = type.type
    }

    /// Runs the body, with its reads tracked where somebody keeps them, and compares its output where that is asked for.
    @usableFromInline
    func run<Output, Failure>(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, comparing: OutputComparison<Output>?,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        func timed() throws(Failure) -> Output {
            unsafe bodyBegins(frame)
            defer { unsafe bodyEnds(frame) }
            return try body()
        }
        guard let record = unsafe frame.pointee.record else { return try timed() }
        // Whatever this body does, it is this output that the next is compared with.
        let previous = unsafe record.evaluated.output
        unsafe record.evaluated.output = nil
        let output: Output
        if settings.tracksReads.load(ordering: .relaxed) {
            output = unsafe try ObservedReads.track(reads: &frame.pointee.reads, onWrite: record.onWrite, timed)
        } else {
            output = try timed()
        }
        if let comparing {
            let kept = comparing.keep(output)
            unsafe frame.pointee.isSameOutput = previous.map { kept.isEqual(to: $0) }
            unsafe record.evaluated.output = kept
        }
        return output
    }

    @inline(__always)
    private func bodyBegins(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let now = MonotonicClock.now
        unsafe frame.pointee.bodyBeganAt = now
        guard let loop = loopRecord, loop.isOfThisThread else { return }
        guard let view = unsafe frame.pointee.view else { return loop.unknownBodyBegan(at: now) }
        unsafe view._withUnsafeGuaranteedRef { loop.bodyBegan($0, of: self, at: now) }
    }

    @inline(__always)
    private func bodyEnds(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let now = MonotonicClock.now
        unsafe frame.pointee.bodyEndedAt = now
        guard let loop = loopRecord, loop.isOfThisThread else { return }
        // Of those around it the innermost whose body runs: an evaluation may begin before or after the body of another.
        var enclosing = unsafe frame.pointee.enclosing
        while let around = unsafe enclosing, unsafe around.pointee.bodyBeganAt == 0 || around.pointee.bodyEndedAt != 0 {
            unsafe enclosing = around.pointee.enclosing
        }
        guard let outer = unsafe enclosing?.pointee.view, let store = unsafe enclosing?.pointee.store else {
            return unsafe bodyEnds(frame, loop, now, enclosing: nil)
        }
        unsafe outer._withUnsafeGuaranteedRef { outer in
            unsafe store._withUnsafeGuaranteedRef { unsafe bodyEnds(frame, loop, now, enclosing: (outer, $0)) }
        }
    }

    @inline(__always)
    private func bodyEnds(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ loop: LoopRecord, _ now: UInt64,
        enclosing: (ViewRecord, StoreCore)?
    ) {
        guard let view = unsafe frame.pointee.view else { return loop.unknownBodyEnded(at: now, enclosing: enclosing) }
        unsafe view._withUnsafeGuaranteedRef { loop.bodyEnded($0, of: self, at: now, enclosing: enclosing) }
    }

    /// Ends an evaluation and counts it.
    @usableFromInline
    func end(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe crerender_set_frame(frame.pointee.enclosing)
        // The body forked and this is the child: its parent counts, and a lock may be held by a thread that is not here.
        guard !crerender_is_forked() else { return }
        guard let view = unsafe frame.pointee.view else { return recordDropped() }
        if let record = unsafe frame.pointee.record { unsafe remember(frame, record) }
        let endedAt = MonotonicClock.now
        let ran = unsafe Self.duration(from: frame.pointee.bodyBeganAt, to: frame.pointee.bodyEndedAt)
        let body = unsafe ran - min(frame.pointee.innerProbes, ran)
        let evaluation = unsafe Evaluation(
            endedAt: frame.pointee.bodyEndedAt, bodyNanoseconds: body,
            totalNanoseconds: Self.duration(from: frame.pointee.enteredAt, to: endedAt),
            cause: frame.pointee.cause, isSameOutput: frame.pointee.isSameOutput, turn: MainLoopTurn.current,
            instance: frame.pointee.instance)
        unsafe view._withUnsafeGuaranteedRef { view in
            let signpostID = unsafe frame.pointee.signpostID
            let recorded = unsafe record(evaluation, of: view, frame.pointee.record, isTraced: signpostID != 0)
            if let recorded { BodyEvalSignpost.end(signpostID, view, evaluation, recorded, in: self) }
        }
        unsafe chargeProbe(frame, body: body)
    }

    /// Takes this probe's time, its counting and its events included, out of the body that it ran in.
    private func chargeProbe(_ frame: UnsafeMutablePointer<EvaluationFrame>, body: UInt64) {
        guard let enclosing = unsafe frame.pointee.enclosing else { return }
        // One that is not in its body asks for this evaluation in its own arguments: that is its probe's time anyway.
        guard unsafe enclosing.pointee.bodyBeganAt != 0, unsafe enclosing.pointee.bodyEndedAt == 0 else { return }
        let total = unsafe Self.duration(from: frame.pointee.enteredAt, to: MonotonicClock.now)
        unsafe enclosing.pointee.innerProbes &+= total - min(body, total)
    }

    /// The counter may be read a few nanoseconds early by the processor; a duration is never less than zero for it.
    private static func duration(from start: UInt64, to end: UInt64) -> UInt64 {
        end > start ? end - start : 0
    }
}

// MARK: - Causes

extension StoreCore {
    /// Takes the instance's memory and finds the cause of this evaluation in it.
    private func decide(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: ViewRecord, _ arguments: EvaluationArguments,
        _ enclosing: UnsafeMutablePointer<EvaluationFrame>?
    ) {
        let checkOut = view.state.withLock { $0.checkOut(arguments.instance?.rawValue, settings) }
        if WriteSignpost.isOn { WriteLog.flush() }
        guard let record = checkOut.record else {
            unsafe frame.pointee.cause =
                CauseEvidence(
                    callersReason: arguments.reason, isInitial: checkOut.isInitial, isForgotten: checkOut.isForgotten
                ).cause()
            return
        }
        unsafe frame.pointee.record = record
        defer { record.pending.bodyBegins(on: UInt(pthread_self())) }
        for reads in checkOut.reportedReads { reads.cancel() }
        let isOfAnotherTime = unsafe record.evaluated.generation != settings.generation
        if checkOut.isForgotten || isOfAnotherTime { resume(record) }
        let change = unsafe compare(frame, &record.evaluated)
        // Most evaluations of a busy app: nothing is known that could have caused this one.
        let untracked = unsafe untrackedChanges(frame, &record.evaluated)
        let isUnexplained =
            unsafe untracked.isEmpty && arguments.reason == nil && arguments.parent == nil && enclosing == nil
        let isAsBefore = !checkOut.isInitial && (change?.isUnremarkable ?? true)
        if isUnexplained, isAsBefore, !record.pending.hasAny {
            _ = record.pending.takeTaint()
            return
        }
        unsafe explain(frame, record, checkOut, arguments, change, untracked, enclosing, view)
    }

    /// What changed in the view's models, where reads are not tracked; empty elsewhere.
    private func untrackedChanges(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ state: inout EvaluatedState
    ) -> [String] {
        guard !settings.tracksReads.load(ordering: .relaxed), let value = unsafe frame.pointee.value else { return [] }
        return unsafe state.untracked.changes(in: value, frame.pointee.valueType, depth: settings.depth)
    }

    /// Begins anew with an instance that was evaluated without its memory: in a pause, or beside another evaluation.
    private func resume(_ record: InstanceRecord) {
        unsafe record.evaluated.forget()
        unsafe record.evaluated.generation = settings.generation
        _ = record.pending.take()
    }

    private func explain(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord, _ checkOut: CheckOut,
        _ arguments: EvaluationArguments, _ change: ValueChange?, _ untracked: [String],
        _ enclosing: UnsafeMutablePointer<EvaluationFrame>?, _ view: ViewRecord
    ) {
        var evidence = CauseEvidence(
            callersReason: arguments.reason, isInitial: checkOut.isInitial, isForgotten: checkOut.isForgotten)
        evidence.pending = record.pending.take()
        unsafe evidence.observe(
            &record.evaluated, frame.pointee.value, frame.pointee.valueType, except: record.pending.foreignWrites)
        evidence.hasUnknownWrites = record.pending.takeTaint()
        if let observed = evidence.pending?.observed, !observed.isEmpty {
            if evidence.observed == nil { evidence.hasUnknownWrites = true }
        } else if let value = unsafe frame.pointee.value, let reads = unsafe record.evaluated.reads {
            // A write that nobody told of: between the body's reading and our listening.
            let foreign = record.pending.foreignWrites
            unsafe record.evaluated.paths.update(
                view: value, type: frame.pointee.valueType, reads: reads, except: foreign)
            let hasChanged = unsafe record.evaluated.values.hasChanged(record.evaluated.paths, except: foreign)
            if hasChanged { evidence.hasUnknownWrites = true }
        }
        evidence.properties = change
        if let change, !change.isFirst, !change.changed.isEmpty {
            let layout = unsafe ValueLayout.layout(of: frame.pointee.valueType, depth: settings.depth)
            evidence.changedNames = layout.names(of: change)
        }
        // A model that was replaced is the view's own change.
        if !untracked.isEmpty, evidence.changedNames == nil {
            evidence.observed = ObservedCauses(names: CauseNames.joined(untracked), attribution: .diff)
        }
        unsafe evidence.parent = parent(of: view, arguments.parent, enclosing, &record.evaluated)
        unsafe frame.pointee.cause = evidence.cause()
    }

    /// How the view's stored properties differ from those of the last evaluation; nil if nobody can say.
    private func compare(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ state: inout EvaluatedState
    ) -> ValueChange? {
        guard let value = unsafe frame.pointee.value else { return nil }
        let isSampled = settings.samplesComparison()
        guard isSampled || !state.properties.isEmpty else { return nil }
        let layout = unsafe ValueLayout.layout(of: frame.pointee.valueType, depth: settings.depth)
        let change = unsafe state.properties.update(value, layout)
        if !isSampled { state.properties.forget() }
        return change
    }

    /// The parent whose evaluation explains this one: the announced one if it was evaluated since, else the one whose
    /// body runs now.
    private func parent(
        of view: ViewRecord, _ announced: ViewKey?, _ enclosing: UnsafeMutablePointer<EvaluationFrame>?,
        _ state: inout EvaluatedState
    ) -> ParentReason? {
        if let announced {
            guard let parent = unsafe knownView(announced.rawValue)?.takeUnretainedValue(), parent !== view else {
                return nil
            }
            let (serial, cause) = parent.state.withLock { ($0.serial, $0.lastRoot) }
            if let root = unsafe runningRoot(of: parent, enclosing) {
                // Its evaluation will count when it ends, and must not explain another one then.
                state.parentSerial = serial + 1
                state.parentReason.update(parent: announced, cause: root)
                return state.parentReason
            }
            defer { state.parentSerial = serial }
            guard serial != state.parentSerial else { return nil }
            state.parentReason.update(parent: announced, cause: cause)
            return state.parentReason
        }
        let running = unsafe enclosing?.pointee.view?.takeUnretainedValue()
        guard let running, let enclosing = unsafe enclosing else { return nil }
        unsafe state.parentReason.update(parent: running.key, cause: enclosing.pointee.cause.root)
        return state.parentReason
    }

    /// The cause of a view's evaluation that runs on this thread; nil if none does.
    private func runningRoot(
        of parent: ViewRecord, _ enclosing: UnsafeMutablePointer<EvaluationFrame>?
    ) -> String? {
        var frame = unsafe enclosing
        while let current = unsafe frame {
            if unsafe current.pointee.view?.takeUnretainedValue() === parent {
                return unsafe current.pointee.cause.root
            }
            unsafe frame = current.pointee.enclosing
        }
        return nil
    }

    /// Runs a body whose reads count for an instance until its next evaluation.
    func trackReported<Output, Failure>(
        _ label: String, _ instance: UInt64?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let label = label.utf8.count <= StoreLimits.keyBytes ? label : LongLabel.shortened(label)
        guard let view = unsafe knownView(label)?.takeUnretainedValue(),
            let record = view.state.withLock({ $0.recordsAnnounced(instance).first })
        else { return try body() }
        var reads: ObservedReads?
        defer {
            if let reads {
                let old = view.state.withLock { _ in record.report(reads) }
                old?.cancel()
            }
        }
        return try ObservedReads.track(reads: &reads, onWrite: record.onWrite, body)
    }

    /// Keeps what the next evaluation of the instance will be compared with.
    private func remember(_ frame: UnsafeMutablePointer<EvaluationFrame>, _ record: InstanceRecord) {
        let reads = unsafe frame.pointee.reads
        // Only now: what is written while the body runs is heard of.
        unsafe record.evaluated.reads?.cancel()
        record.pending.bodyEnded()
        if let reads { NameWarmUp.begin(reads) }
        if let reads, let value = unsafe frame.pointee.value {
            let foreign = record.pending.foreignWrites
            unsafe record.evaluated.paths.update(
                view: value, type: frame.pointee.valueType, reads: reads, except: foreign)
            unsafe record.evaluated.values.update(
                reads, record.evaluated.paths, except: foreign, depth: settings.depth)
        }
        unsafe record.evaluated.reads = reads
    }
}

extension ValueChange {
    /// Whether it says that everything is as it was.
    fileprivate var isUnremarkable: Bool {
        !isFirst && changed.isEmpty && !unknown && !hasNewIdentity && !hasNewClosure
    }
}

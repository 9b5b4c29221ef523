// SPDX-License-Identifier: MIT
// An evaluation that runs: a frame in memory of its thread, linked to the enclosing one.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// An evaluation that has begun and not ended.
///
/// Of words alone: making and ending one counts no reference.
@usableFromInline
@unsafe
struct EvaluationFrame: ~Copyable {
    /// The view's store.
    var store: Unmanaged<StoreCore>?
    var valueType: Any.Type = Void.self
    /// What is looked for, alive until the evaluation has ended; nil while it is a plain one.
    var details: UnsafeMutablePointer<EvaluationDetails>?
    /// The number of its trace events; 0 until it has one.
    var signpostID: UInt64 = 0
    /// What a plain one has in their place.
    var plain = PlainEvaluation()
    /// The frame of the evaluation that this one runs in.
    var enclosing: UnsafeMutablePointer<EvaluationFrame>?
    /// When its probe was entered, in another evaluation, or else when it began to look for its cause; 0 for a plain one.
    var enteredAt: UInt64 = 0
    var bodyBeganAt: UInt64 = 0
    var bodyEndedAt: UInt64 = 0
    /// What the probes of evaluations inside this body took beside their bodies: no part of this body's time.
    var innerProbes: UInt64 = 0
    /// What the bodies of these took.
    var innerBodies: UInt64 = 0
    var view: Unmanaged<ViewRecord>?
    /// The view's value, alive while the frame is; nil if the caller gave none.
    var value: UnsafeRawPointer?
    /// The cause of the first of these that had ended, where it came without input and its cause is told.
    var innerWork: WorkPlace?
    /// Whether it may be of any instance: then nothing is compared, and a reason is not certain.
    var isOfAnyInstance = false
    /// The instance's number; nil if the caller gave none.
    var instance: UInt64?
    /// Whether it is a further evaluation of the instance's last update.
    var isPass = false
    /// Whether its memory is of a call that runs on its thread.
    var isOfCall = false
    /// Whether it is among the frames of its thread: it has begun, and neither ended nor was dropped.
    var isListed = false

    init() {}

    /// When it began, before its body or with it.
    var beganAt: UInt64 { unsafe enteredAt == 0 ? bodyBeganAt : enteredAt }

    /// Its cause; that of a plain one is that nothing explains it.
    ///
    /// Not to be changed by way of this: in a debug build that would allocate.
    var cause: EvaluationCause { unsafe details?.pointee.cause ?? EvaluationCause() }

    /// Takes the cause out when the evaluation ends; the frame has none afterwards.
    func takeCause() -> EvaluationCause {
        guard let details = unsafe details else { return EvaluationCause() }
        return exchange(&(unsafe details.pointee.cause), with: EvaluationCause())
    }

    /// The instance's memory, if this evaluation has it to itself and is no plain one.
    var record: InstanceRecord? { unsafe details?.pointee.record }
}

@available(*, unavailable)
extension EvaluationFrame: Sendable {}

/// What an evaluation finds out.
struct EvaluationDetails {
    /// The instance's memory, if this evaluation has it to itself.
    var record: InstanceRecord?
    var cause = EvaluationCause()
    var reads: ObservedReads?
    /// The output of the instance's last evaluation.
    var previousOutput: (any KeptOutput)?
    /// Whether that one threw an error.
    var hadThrown = false
    /// Whether the output equals the previous one; nil if that was not asked for, or there is none.
    var isSameOutput: Bool?
}

@available(*, unavailable)
extension EvaluationDetails: Sendable {}

extension EvaluationDetails {
    /// Memory for those of a frame that is not on the stack.
    static func allocate() -> UnsafeMutablePointer<EvaluationDetails> {
        let details = UnsafeMutablePointer<EvaluationDetails>.allocate(capacity: 1)
        unsafe details.initialize(to: EvaluationDetails())
        return unsafe details
    }
}

/// Proof of the unsafe parts. A frame is memory that stays, see ``EvaluationCall``, ``BegunEvaluation`` and ``InjectedView``; it is among those of its
/// thread from its beginning to its end, or until it is dropped. So the thread's innermost frame is always alive, and the frames of a
/// thread form a stack. A frame's view is kept alive by its store, and the store, which the frame names, by who has the frame. The call
/// of `evaluate` keeps the view's value where it is.
extension StoreCore {
    /// Evaluates a body, and finds out what there is to find out.
    @usableFromInline
    @inline(never)
    func evaluate<Output, Failure>(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>,
        _ arguments: borrowing EvaluationArguments, value: UnsafeRawPointer, type: Any.Type,
        comparing: OutputComparison<Output>?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        unsafe addDetails(frame)
        unsafe begin(
            frame, arguments,
            of: frame.pointee.view ?? view(label: arguments.label, file: arguments.file, line: arguments.line),
            value: type == Void.self ? nil : (value, TypeMetadata(type)))
        defer {
            unsafe end(frame, call) {
                unsafe end(frame)
                unsafe makeReady(frame)
            }
        }
        return unsafe try run(frame, call, comparing: comparing, body)
    }

    /// Begins an evaluation of a view that is known; without a value, nothing is compared.
    @inline(__always)
    func begin(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ arguments: borrowing EvaluationArguments,
        of view: Unmanaged<ViewRecord>?, value: (address: UnsafeRawPointer, type: TypeMetadata)?
    ) {
        let enclosing = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
        if unsafe frame.pointee.enteredAt == 0 { unsafe frame.pointee.enteredAt = MonotonicClock.now }
        unsafe frame.pointee.view = view
        unsafe frame.pointee.enclosing = enclosing
        unsafe frame.pointee.instance = arguments.instance?.rawValue
        if let value = unsafe value { unsafe setValue(frame, value.address, value.type) }
        if let view = unsafe view {
            unsafe view._withUnsafeGuaranteedRef { view in
                unsafe decide(frame, view, arguments, enclosing)
                unsafe findWork(frame, view)
                guard tracing.recordsBegins else { return }
                let parent = unsafe arguments.parent ?? enclosing?.pointee.view?.takeUnretainedValue().key
                let instance = arguments.instance?.rawValue
                unsafe frame.pointee.signpostID = BodyEvalSignpost.begin(view, parent: parent, instance: instance)
            }
        }
        unsafe list(frame)
        if crerender_is_watched() { unsafe tellBegan(frame) }
    }

    /// Tells a copy of the library that is injected.
    @inline(never)
    private func tellBegan(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let type = unsafe unsafeBitCast(frame.pointee.valueType, to: UnsafeRawPointer.self)
        let label = unsafe frame.pointee.view?._withUnsafeGuaranteedRef { $0.key.rawValue } ?? ""
        unsafe label.withCString { unsafe crerender_tell_began(frame, type, $0) }
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

    /// Says that the body of an evaluation begins that no call of ours is around.
    func bodyOfOpenBegins(_ frame: UnsafeMutablePointer<EvaluationFrame>) { unsafe bodyBegins(frame) }

    /// Says that the body of an evaluation has ended that no call of ours is around.
    func bodyOfOpenEnded(_ frame: UnsafeMutablePointer<EvaluationFrame>) { unsafe bodyEnds(frame) }

    /// Runs the body, with its reads tracked if the instance has a record, and compares its output where that is asked for.
    ///
    /// Once the body has returned, nothing is touched of a frame whose call was taken for left meanwhile.
    func run<Output, Failure>(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ call: UnsafeMutablePointer<EvaluationCall>,
        comparing: OutputComparison<Output>?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        unsafe frame.running.pointee.is_beginning = false
        func timed() throws(Failure) -> Output {
            unsafe bodyBegins(frame)
            defer { if unsafe isRunning(frame, call) { unsafe bodyEnds(frame) } }
            return try body()
        }
        guard let details = unsafe frame.pointee.details, unsafe details.pointee.record != nil else {
            return try timed()
        }
        unsafe begin(details)
        let isTracked = settings.tracksReads.load(ordering: .relaxed) && ObservedReads.isAvailable
        let output: Output
        var list: AccessList?
        do throws(Failure) {
            output = isTracked ? try AccessList.record(&list, timed) : try timed()
        } catch {
            if unsafe isRunning(frame, call) { unsafe end(details, list, isPass: frame.pointee.isPass) }
            throw error
        }
        guard unsafe isRunning(frame, call) else { return output }
        unsafe details.pointee.record?.evaluated.hasThrown = false
        unsafe end(details, list, isPass: frame.pointee.isPass)
        guard let comparing else { return output }
        let kept = comparing.keep(output)
        if unsafe !frame.pointee.isPass {
            let isSame = unsafe details.pointee.previousOutput.flatMap { kept.isEqual(to: $0) }
            guard unsafe isRunning(frame, call) else { return output }
            unsafe details.pointee.isSameOutput = isSame
        }
        unsafe details.pointee.record?.evaluated.output = kept
        return output
    }

    /// Takes the last output out of the instance's memory: whatever this body does, it is its output that the next is compared with.
    ///
    /// While the body runs, no variable refers to what is in the details: a body that is left would leak it.
    @inline(never)
    private func begin(_ details: UnsafeMutablePointer<EvaluationDetails>) {
        guard let record = unsafe details.pointee.record else { return }
        unsafe details.pointee.previousOutput = record.evaluated.output.take()
        unsafe details.pointee.hadThrown = record.evaluated.hasThrown
        unsafe record.evaluated.hasThrown = true
    }

    /// Registers for what a body has read, and notes whether it threw an error.
    @inline(never)
    private func end(
        _ details: UnsafeMutablePointer<EvaluationDetails>, _ list: consuming AccessList?, isPass: Bool
    ) {
        guard let record = unsafe details.pointee.record else { return }
        if let list {
            let last = unsafe record.evaluated.reads
            unsafe details.pointee.reads = ObservedReads.registered(
                for: list, known: isPass ? last : nil, previous: last, record.onWrite)
        }
        // An error is another result than an output, or than another error, whatever the inputs say.
        if unsafe details.pointee.hadThrown || record.evaluated.hasThrown {
            unsafe details.pointee.cause.leaveUnjudged()
        }
        // An error of one evaluation is an error of its update.
        if unsafe isPass && details.pointee.hadThrown { unsafe record.evaluated.hasThrown = true }
    }

    @inline(__always)
    func bodyBegins(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let now = MonotonicClock.now
        unsafe frame.pointee.bodyBeganAt = now
        onLoop(at: now) { loop in
            guard let view = unsafe frame.pointee.view else { return loop.bodyBegan(nil, epoch: epoch, at: now) }
            unsafe view._withUnsafeGuaranteedRef { loop.bodyBegan($0, epoch: epoch, at: now) }
        }
    }

    @inline(__always)
    func bodyEnds(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        let now = MonotonicClock.now
        unsafe frame.pointee.bodyEndedAt = now
        onLoop(at: now) { loop in
            let enclosing = unsafe Self.runner(in: frame.pointee.enclosing)
            guard let view = unsafe frame.pointee.view else {
                return unsafe loop.bodyEnded(nil, epoch: epoch, at: now, enclosing: enclosing)
            }
            unsafe view._withUnsafeGuaranteedRef { view in
                unsafe loop.bodyEnded(view, epoch: epoch, at: now, enclosing: enclosing)
            }
        }
    }

    /// What runs on this thread inside of an evaluation and those around it: the innermost body or span.
    @inline(__always)
    static func runner(in evaluation: UnsafeMutablePointer<EvaluationFrame>?) -> LoopRunner? {
        let span = unsafe crerender_span()?.assumingMemoryBound(to: TimedSpan.self)
        var evaluation = unsafe evaluation
        while true {
            if let span = unsafe span, unsafe span.pointee.evaluation == UnsafeMutableRawPointer(evaluation) {
                return unsafe .span(span.pointee.timed, epoch: span.pointee.epoch)
            }
            guard let around = unsafe evaluation else { return nil }
            // An evaluation may begin before or after the body of another.
            if unsafe around.pointee.bodyBeganAt != 0 && around.pointee.bodyEndedAt == 0 {
                guard let view = unsafe around.pointee.view, let store = unsafe around.pointee.store else {
                    return unsafe .unlisted
                }
                return unsafe .view(view, epoch: store._withUnsafeGuaranteedRef { $0.epoch })
            }
            unsafe evaluation = around.pointee.enclosing
        }
    }

    /// Ends an evaluation and counts it.
    func end(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe unlist(frame)
        unsafe crerender_tell_ended(frame)
        // The body forked and this is the child: its parent counts, and a lock may be held by a thread that is not here.
        guard !crerender_is_silent() else { return }
        guard let view = unsafe frame.pointee.view else { return recordDropped() }
        if let record = unsafe frame.pointee.record { unsafe remember(frame, record) }
        unsafe count(frame, view, in: turnOfThisThread)
    }

    /// Counts an evaluation that has ended.
    func count(
        _ frame: UnsafeMutablePointer<EvaluationFrame>, _ view: Unmanaged<ViewRecord>, in turn: LoopTurn
    ) {
        let isTraced = tracing.recordsEnds
        if isTraced { unsafe view._withUnsafeGuaranteedRef { unsafe numberEvents(of: frame, $0) } }
        let endedAt = unsafe frame.pointee.bodyEndedAt
        let ran = unsafe Self.duration(from: frame.pointee.bodyBeganAt, to: frame.pointee.bodyEndedAt)
        let body = unsafe ran - min(frame.pointee.innerProbes, ran)
        let own = unsafe body - min(frame.pointee.innerBodies, body)
        let evaluation = unsafe Evaluation(
            beganAt: frame.pointee.beganAt, endedAt: endedAt, bodyNanoseconds: body, selfNanoseconds: own,
            totalNanoseconds: ran,
            cause: frame.pointee.takeCause(), isSameOutput: frame.pointee.details?.pointee.isSameOutput, turn: turn,
            instance: frame.pointee.instance, signpostID: frame.pointee.signpostID, isPass: frame.pointee.isPass)
        unsafe view._withUnsafeGuaranteedRef { view in
            if let work = evaluation.cause.work {
                noteWork(
                    work, of: view, nanoseconds: own, isWasted: evaluation.isSameOutput == true, at: endedAt)
            }
            let recorded = unsafe record(evaluation, of: view, frame.pointee.record, isTraced: isTraced)
            if let recorded { BodyEvalSignpost.end(evaluation.signpostID, view, evaluation, recorded, in: self) }
        }
        unsafe chargeProbe(frame, body: body)
    }

    /// Ends an evaluation that turned out to be counted by somebody else.
    func withdraw(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
        unsafe unlist(frame)
        unsafe crerender_tell_ended(frame)
        guard !crerender_is_silent(), let view = unsafe frame.pointee.view else { return }
        if let record = unsafe frame.pointee.record { unsafe remember(frame, record) }
        let instance = unsafe frame.pointee.instance
        // Released when the lock is: what it held may run the app's code.
        let ended = unsafe view._withUnsafeGuaranteedRef { view in view.state.withLock { $0.end(instance: instance) } }
        withExtendedLifetime(ended) {}
    }

    /// Takes this probe's time, its counting and its events included, out of the body that it ran in.
    func chargeProbe(_ frame: UnsafeMutablePointer<EvaluationFrame>, body: UInt64) {
        guard let enclosing = unsafe frame.pointee.enclosing else { return }
        // One that is not in its body asks for this evaluation in its own arguments: that is its probe's time anyway.
        guard unsafe enclosing.pointee.bodyBeganAt != 0, unsafe enclosing.pointee.bodyEndedAt == 0 else { return }
        let total = unsafe Self.duration(from: frame.pointee.enteredAt, to: MonotonicClock.now)
        unsafe enclosing.pointee.innerProbes &+= total - min(body, total)
        unsafe enclosing.pointee.innerBodies &+= body
    }

    /// The counter may be read a few nanoseconds early by the processor; a duration is never less than zero for it.
    static func duration(from start: UInt64, to end: UInt64) -> UInt64 {
        end > start ? end - start : 0
    }
}

extension StoreCore {
    /// The turn under way on the calling thread: that of the monitored loop, else the host's.
    @inline(__always)
    var turnOfThisThread: LoopTurn {
        let turn = mainLoop.turnOfThisThread
        if turn != 0 { return LoopTurn(number: turn, isHosts: false) }
        let hosts = hostTurn.ofThisThread
        return hosts == 0 ? .none : LoopTurn(number: hosts, isHosts: true)
    }
}

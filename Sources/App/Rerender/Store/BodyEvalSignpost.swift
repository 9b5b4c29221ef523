// SPDX-License-Identifier: MIT
// Evaluations, commits and ends of instances as trace events: `com.rerender.BodyEval:begin` and `:end`, `com.rerender.View:event`.

import CShared
import RerenderModel
import RerenderWire
import Signpost
import Synchronization

/// The provider `com.rerender.BodyEval` of this process.
enum BodyEvalSignpost {
    fileprivate static let provider = Provider.reserved(.bodyEval)
    private static let lastID = Atomic<UInt64>(0)

    /// Makes the provider, and waits for the tracer as long as `RERENDER_WAIT_FOR_TRACER` says, in milliseconds.
    static let isPrepared: Bool = {
        guard provider.exists else { return false }
        if let milliseconds = environmentVariable("RERENDER_WAIT_FOR_TRACER").flatMap(Int32.init), milliseconds > 0 {
            _ = SignpostTracing.waitUntilReady(milliseconds: Int(milliseconds))
        }
        return true
    }()

    /// A number for the events of one evaluation; not 0, and no other evaluation of the process has it.
    ///
    /// Never inlined, as ``begin(_:parent:instance:)``: most evaluations are not traced, and this code would be in each.
    @inline(never)
    static func makeID(_ view: ViewRecord) -> UInt64 {
        // Copies of the library in one process count apart; their numbers must not be the same.
        let number = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return number | UInt64(CopyNumber.copy(of: view.storeID)) << 48
    }

    /// Emits the beginning and returns the number that its end must carry.
    @inline(never)
    static func begin(_ view: ViewRecord, parent: ViewKey?, instance: UInt64?) -> UInt64 {
        let id = makeID(view)
        // As the parent's own key is, which a caller may not know to be shortened.
        let parentName = parent.map { LongText.bounded($0.rawValue, to: WireLimits.keyBytes) } ?? ""
        FieldText.lend(view.key.rawValue, view.file, parentName) { name, file, parent, _, _ in
            csignpost_body_begin(
                signpost_id: id, name: name, file: file, line: view.line, parent: parent, instance: instance ?? .max
            ).emitBegin()
        }
        return id
    }

    /// Emits the end of an evaluation that was counted.
    static func end(
        _ id: UInt64, _ view: ViewRecord, _ evaluation: borrowing Evaluation, _ recorded: RecordedEvaluation,
        in store: StoreCore
    ) {
        let times = EvaluationTimes(
            beganAt: evaluation.beganAt, endedAt: evaluation.endedAt, body: evaluation.bodyNanoseconds,
            own: evaluation.selfNanoseconds, total: evaluation.totalNanoseconds)
        end(
            id, view, times, evaluation.turn, instance: evaluation.instance, isPass: evaluation.isPass, recorded,
            evaluation.cause.attribution, writers: evaluation.cause.writers.traceText,
            chain: evaluation.cause.chain ?? "", in: store)
    }

    /// Emits the end of one that nothing explains: who led to it is not looked for in the emptiness.
    static func endPlain(
        _ id: UInt64, _ view: ViewRecord, _ times: EvaluationTimes, _ turn: LoopTurn, instance: UInt64?,
        _ recorded: borrowing RecordedEvaluation, in store: StoreCore
    ) {
        end(
            id, view, times, turn, instance: instance, isPass: false, recorded, nil, writers: "", chain: "",
            in: store)
    }

    @inline(__always)
    private static func end(
        _ id: UInt64, _ view: ViewRecord, _ times: EvaluationTimes, _ turn: LoopTurn, instance: UInt64?, isPass: Bool,
        _ recorded: borrowing RecordedEvaluation, _ attribution: Attribution?, writers: String, chain: String,
        in store: StoreCore
    ) {
        let (verdict, count, epoch) = (recorded.verdict, recorded.count, recorded.epoch)
        let instances = UInt32(clamping: recorded.instances)
        FieldText.lend(
            view.key.rawValue, recorded.reason, store.name, writers, chain
        ) { name, reason, storeName, writers, chain in
            csignpost_body_end(
                signpost_id: id, name: name, reason: reason, body_ns: times.body, total_ns: times.total,
                wasted: verdict.traceCode, turn: store.tracedNumber(of: turn), count: count, epoch: epoch,
                store: storeName, store_id: store.id, instance: instance ?? .max, instances: instances,
                attribution: TraceCodes.code(attribution), kind: TraceCodes.code(verdict.kind), writers: writers,
                chain: chain, pass: isPass ? 1 : 0, self_ns: times.own, unjudged: verdict.unjudgedCode
            ).emitEnd()
        }
    }
}

/// Whether a session records the events of evaluations and those of writes, as each evaluation asks: a load each, without a call that
/// sees whether the providers are made.
///
/// An event is emitted if it is on itself when it happens, whatever else is on. So an end may be recorded whose beginning is not.
struct EvaluationTracing: Sendable {
    private let bodies: Provider
    private let writes: Provider

    /// - Parameter isPossible: False makes no provider.
    init(isPossible: Bool) {
        (bodies, writes) = isPossible ? (BodyEvalSignpost.provider, WriteSignpost.provider) : (.none, .none)
    }

    @inline(__always)
    var recordsBegins: Bool { bodies.beginIsOn }
    @inline(__always)
    var recordsEnds: Bool { bodies.endIsOn }
    @inline(__always)
    var recordsWrites: Bool { writes.eventIsOn }
}

extension StoreCore {
    /// A turn as the trace has it, where all turns of a process are of one loop: 0 for those of other loops.
    fileprivate func tracedNumber(of turn: LoopTurn) -> UInt64 {
        if !mainLoop.tracesTurns || turn.isHosts && mainLoop.isHooked { return 0 }
        return turn.number
    }
}

extension [(writer: Writer, count: UInt64)] {
    /// As the trace has them: `NAME`, or `NAME ×COUNT` where it wrote more than once, separated by `; `. Each name is there once,
    /// whatever the number of its stacks. Takes milliseconds for a new one.
    var traceText: String {
        if count == 1 { return Self.traceText(self[0].writer.name, self[0].count) }
        var named = CountedList<String>()
        for (writer, count) in self { named.add(writer.name, count, limit: .max) }
        var (texts, bytes, others) = ([String](), 0, UInt64(0))
        for (name, count) in named.counts {
            let text = Self.traceText(name, count)
            bytes += text.utf8.count + 2
            if bytes <= StoreLimits.tracedWriterBytes { texts.append(text) } else { others += count }
        }
        if others > 0 { texts.append(Self.traceText(Reason.other, others)) }
        return texts.joined(separator: "; ")
    }

    private static func traceText(_ name: String, _ count: UInt64) -> String {
        count == 1 ? name : "\(name) ×\(count)"
    }
}

/// Cases by their numbers in the trace: 1 is the first of all, 0 stands for none.
private enum TraceCodes {
    // Made once: each call of `allCases` allocates.
    private static let attributions = Attribution.allCases
    private static let wastes = WasteKind.allCases

    static func code(_ attribution: Attribution?) -> UInt8 { code(attribution, in: attributions) }
    static func code(_ waste: WasteKind?) -> UInt8 { code(waste, in: wastes) }

    private static func code<Value: Equatable>(_ value: Value?, in cases: [Value]) -> UInt8 {
        UInt8(value.flatMap(cases.firstIndex).map { $0 + 1 } ?? 0)
    }
}

/// The provider `com.rerender.View` of this process.
enum ViewSignpost {
    private static let provider = Provider.reserved(.view)

    /// Makes the provider, so that a session can record the first commit; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = provider }

    /// Whether anyone records.
    @inline(__always)
    static var isOn: Bool { provider.eventIsOn }

    /// Records what happened to a view, with its numbers after it, and what that decides of one evaluation.
    static func emit(
        _ change: StaticString, _ traced: ViewTotals, _ verdict: WasteVerdict?, of view: ViewRecord,
        instance: UInt64?, in store: StoreCore
    ) {
        let waste = traced.waste
        FieldText.lend(view.key.rawValue, store.name) { name, storeName, _, _, _ in
            csignpost_view(
                name: name, message: FieldText.constant(change), store: storeName, store_id: store.id,
                epoch: traced.epoch, instance: instance ?? .max, instances: UInt32(clamping: traced.instances),
                commits: traced.commits, measured: waste.measured, wasted_ns: waste.nanoseconds,
                same_output: waste[.sameOutput], same_value: waste[.sameValue], new_identity: waste[.newIdentity],
                closure_identity: waste[.closureIdentity], parent_only: waste[.parentOnly],
                twice_in_a_turn: waste[.twiceInATurn], same_inputs: waste[.sameInputs],
                signpost_id: verdict?.signpostID ?? 0, wasted: verdict?.traceCode ?? 0, unjudged: waste.unjudged
            ).emit()
        }
    }
}

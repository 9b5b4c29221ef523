// SPDX-License-Identifier: MIT
// Evaluations as trace events: `com.rerender.BodyEval:begin` and `:end`. The fence around their C calls.

import CSignpost
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// The provider `com.rerender.BodyEval` of this process.
///
/// Proof of the unsafe parts: a provider lives for ever; the texts are copied while the closures run that lend them.
enum BodyEvalSignpost {
    /// The pointers are to memory that lives for ever and is read atomically, so any thread may have them.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
        let beginState: UnsafePointer<CInt>
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.BodyEval", CInt(CSIGNPOST_BODY_EVAL), nil
    ).map { unsafe Provider(pointer: $0, beginState: csignpost_state($0, CInt(CSIGNPOST_BEGIN))) }
    private static let lastID = Atomic<UInt64>(0)

    /// Makes the provider, and waits for the tracer as long as `RERENDER_WAIT_FOR_TRACER` says, in milliseconds.
    static let isPrepared: Bool = {
        guard provider != nil else { return false }
        if let milliseconds = environmentVariable("RERENDER_WAIT_FOR_TRACER").flatMap(Int32.init), milliseconds > 0 {
            _ = csignpost_wait_until_ready(milliseconds)
        }
        return true
    }()

    /// Whether anyone records.
    @inline(__always)
    static var isOn: Bool {
        guard let provider else { return false }
        return unsafe csignpost_is_on(provider.beginState) != 0
    }

    /// Emits the beginning and returns the number that its end must carry.
    static func begin(_ view: ViewRecord, parent: ViewKey?) -> UInt64 {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        guard let provider else { return id }
        unsafe withText(view.key.rawValue) { name in
            unsafe withText(view.file) { file in
                unsafe withText(parent?.rawValue ?? "") { parent in
                    unsafe csignpost_emit_body_begin(
                        provider.pointer, id, name.baseAddress, name.count, file.baseAddress, file.count, view.line,
                        parent.baseAddress, parent.count)
                }
            }
        }
        return id
    }

    static func end(
        _ id: UInt64, _ view: ViewRecord, _ evaluation: Evaluation, _ recorded: RecordedEvaluation, in store: StoreCore
    ) {
        guard let provider else { return }
        let writers = WriterList.text(evaluation.cause.writers)
        unsafe withText(view.key.rawValue) { name in
            unsafe withText(recorded.reason) { reason in
                unsafe withText(store.name) { storeName in
                    unsafe withText(writers) { writers in
                        unsafe withText(evaluation.cause.chain ?? "") { chain in
                            var event = unsafe event(evaluation, recorded, store)
                            unsafe event.store = lent(storeName)
                            unsafe event.writers = lent(writers)
                            unsafe event.chain = lent(chain)
                            unsafe csignpost_emit_body_end(
                                provider.pointer, id, name.baseAddress, name.count, reason.baseAddress, reason.count,
                                &event)
                        }
                    }
                }
            }
        }
    }

    private static func event(
        _ evaluation: Evaluation, _ recorded: RecordedEvaluation, _ store: StoreCore
    ) -> csignpost_evaluation {
        var event = unsafe csignpost_evaluation()
        unsafe event.body_ns = evaluation.bodyNanoseconds
        unsafe event.total_ns = evaluation.totalNanoseconds
        unsafe event.turn = evaluation.turn
        unsafe event.count = recorded.count
        unsafe event.instance = evaluation.instance ?? .max
        unsafe event.epoch = recorded.epoch
        unsafe event.store_id = store.id
        unsafe event.instances = UInt32(clamping: recorded.instances)
        unsafe event.wasted = recorded.verdict.traceCode
        unsafe event.attribution = evaluation.cause.attribution.map(\.traceCode) ?? 0
        unsafe event.kind = recorded.verdict.kind.map(\.traceCode) ?? 0
        return unsafe event
    }

    private static func lent(_ text: UnsafeBufferPointer<CChar>) -> csignpost_text {
        unsafe csignpost_text(bytes: text.baseAddress, length: text.count)
    }

    @inline(__always)
    private static func withText(_ text: String, _ body: (UnsafeBufferPointer<CChar>) -> Void) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self, body)
        }
        if isDone == nil { unsafe body(UnsafeBufferPointer(start: nil, count: 0)) }
    }
}

/// The writers of one evaluation as the trace has them.
enum WriterList {
    /// `NAME`, or `NAME ×COUNT` where it wrote more than once, separated by `; `. Takes milliseconds for a new one.
    static func text(_ writers: [(writer: Writer, count: UInt64)]) -> String {
        guard !writers.isEmpty else { return "" }
        return writers.map { $0.count == 1 ? $0.writer.name : "\($0.writer.name) ×\($0.count)" }.joined(separator: "; ")
    }
}

extension WasteKind {
    /// As the trace has it: 1 is the first of all cases, 0 stands for none.
    fileprivate var traceCode: UInt8 {
        switch self {
        case .sameOutput: 1
        case .sameValue: 2
        case .newIdentity: 3
        case .closureIdentity: 4
        case .parentOnly: 5
        case .twiceInATurn: 6
        }
    }
}

extension Attribution {
    /// As the trace has it: 0 stands for none.
    fileprivate var traceCode: UInt8 {
        switch self {
        case .exact: 1
        case .announced: 2
        case .diff: 3
        }
    }
}

// SPDX-License-Identifier: MIT
// Evaluations as trace events: `com.rerender.BodyEval:begin` and `:end`.

import RerenderModel
import RerenderWire
import Signpost
import Synchronization

/// The provider `com.rerender.BodyEval` of this process.
enum BodyEvalSignpost {
    private static let provider = Provider.reserved(.bodyEval)
    private static let lastID = Atomic<UInt64>(0)

    /// Makes the provider, and waits for the tracer as long as `RERENDER_WAIT_FOR_TRACER` says, in milliseconds.
    static let isPrepared: Bool = {
        guard provider.exists else { return false }
        if let milliseconds = environmentVariable("RERENDER_WAIT_FOR_TRACER").flatMap(Int32.init), milliseconds > 0 {
            _ = SignpostTracing.waitUntilReady(milliseconds: Int(milliseconds))
        }
        return true
    }()

    /// Whether anyone records.
    @inline(__always)
    static var isOn: Bool { provider.beginIsOn }

    /// Emits the beginning and returns the number that its end must carry.
    static func begin(_ view: ViewRecord, parent: ViewKey?) -> UInt64 {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        FieldValue.lend(view.key.rawValue, view.file, parent?.rawValue ?? "") { name, file, parent, _, _ in
            provider.emit(.begin, [.number(id), name, file, .number(UInt64(view.line)), parent])
        }
        return id
    }

    static func end(
        _ id: UInt64, _ view: ViewRecord, _ evaluation: Evaluation, _ recorded: RecordedEvaluation, in store: StoreCore
    ) {
        let cause = evaluation.cause
        let (verdict, writers) = (recorded.verdict, WriterList.text(cause.writers))
        FieldValue.lend(
            view.key.rawValue, recorded.reason, store.name, writers, cause.chain ?? ""
        ) { name, reason, storeName, writers, chain in
            provider.emit(
                .end,
                [
                    .number(id), name, reason, .number(evaluation.bodyNanoseconds),
                    .number(evaluation.totalNanoseconds), .number(UInt64(verdict.traceCode)),
                    .number(evaluation.turn), .number(recorded.count), .number(UInt64(recorded.epoch)), storeName,
                    .number(UInt64(store.id)), .number(evaluation.instance ?? .max),
                    .number(UInt64(UInt32(clamping: recorded.instances))),
                    .number(UInt64(cause.attribution.map(\.traceCode) ?? 0)),
                    .number(UInt64(verdict.kind.map(\.traceCode) ?? 0)), writers, chain,
                ])
        }
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

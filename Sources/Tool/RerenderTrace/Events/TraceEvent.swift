// SPDX-License-Identifier: MIT
// An event of a trace as a plain value, copied as bytes; and arithmetic with its times, which may say anything.

internal import CShared
internal import RerenderModel

/// A text of a trace, by number: equal numbers are equal texts. ``TraceTexts`` has the text itself.
typealias TextID = csignpost_text_id

extension TextID {
    /// The empty text. What the app records as empty is in the trace as one space, and is read as this.
    static var empty: TextID { TextID(index: 0) }

    init(index: UInt32) { self.init(rawValue: index) }

    /// Counts from 0 in the order in which the texts were met; below ``TraceTexts/count``.
    var index: UInt32 { rawValue }

    var isEmpty: Bool { index == 0 }
}

/// One event of a trace: when, where, and what.
///
/// Events of all processes come in the order of time. Where one was lost its partner may be there nevertheless: an end
/// without a beginning, and a beginning without an end, are both to be expected.
struct TraceEvent: Sendable, BitwiseCopyable {
    /// Nanoseconds since 1970-01-01T00:00:00Z on the clock of the trace, which is the same for all processes.
    var nanoseconds: Int64
    /// The process's number; 0 where the recording had neither the context `vpid` nor buffers of the process alone.
    var pid: Int32
    /// The thread's number; 0 where the recording had no context `vtid`.
    var tid: Int32
    /// The thread's name as the kernel has it, 15 bytes at most; empty without the context `procname`.
    var processName: TextID
    /// What happened.
    var what: What

    /// What happened.
    enum What: Sendable, BitwiseCopyable {
        case evaluationBegan(EvaluationBegan)
        case evaluationEnded(EvaluationEnded)
        case viewChanged(ViewChanged)
        case turnBegan(TurnBegan)
        case turnEnded(TurnEnded)
        case phaseBegan(Phase)
        case phaseEnded(Phase)
        case write(Write)
        /// The event's process is the daemon, as at its end.
        case hangBegan(HangEvent)
        case hangEnded(HangEvent)
        /// What a store tells of itself and of the main loop.
        case ofStore(StoreEvent)
        /// Events that the tracer had no room for: how many, or 0 where the trace does not say (then at least one). The
        /// event's time is the end of the range, and its process is 0 where buffers are shared.
        case discarded(UInt64)
        /// Any other event of the trace.
        case other(OtherEvent)
    }
}

// The events of Rerender, with the fields of event_table.h by their names in the trace.
typealias EvaluationBegan = csignpost_read_body_begin
typealias EvaluationEnded = csignpost_read_body_end
typealias ViewChanged = csignpost_read_view
typealias TurnBegan = csignpost_read_turn_begin
typealias TurnEnded = csignpost_read_turn_end
typealias Phase = csignpost_read_phase
typealias Write = csignpost_read_write
typealias HangEvent = csignpost_read_hang

/// What a store tells of itself, its work and the main loop: totals, each in the place of the one before.
enum StoreEvent: Sendable, BitwiseCopyable {
    case store(csignpost_read_store)
    case loop(csignpost_read_loop)
    case part(csignpost_read_part)
    case stretch(csignpost_read_stretch)
    case row(csignpost_read_loop_row)
    case fact(csignpost_read_fact)
    case threads(csignpost_read_threads)
    case work(csignpost_read_work)
    case cycle(csignpost_read_cycle)

    /// The store's name and number, and its epoch.
    var origin: (store: TextID, number: UInt32, epoch: UInt32) {
        switch self {
        case .store(let event): (event.store, event.store_id, event.epoch)
        case .loop(let event): (event.store, event.store_id, event.epoch)
        case .part(let event): (event.store, event.store_id, event.epoch)
        case .stretch(let event): (event.store, event.store_id, event.epoch)
        case .row(let event): (event.store, event.store_id, event.epoch)
        case .fact(let event): (event.store, event.store_id, event.epoch)
        case .threads(let event): (event.store, event.store_id, event.epoch)
        case .work(let event): (event.store, event.store_id, event.epoch)
        case .cycle(let event): (event.store, event.store_id, event.epoch)
        }
    }
}

extension EvaluationEnded {
    /// What stands for no number of an instance.
    static var noInstance: UInt64 { .max }

    /// Whether the evaluation was needed, as far as was known when it ended.
    var waste: TraceWaste { TraceWaste(rawValue: wasted) ?? .none }

    /// Whether it was a further evaluation of the instance's last update; nil where the trace does not say.
    var isPass: Bool? { pass == .max ? nil : pass != 0 }

    /// The time in the body without the bodies of evaluations inside of it; nil where the trace does not say.
    var selfNanoseconds: UInt64? { self_ns == .max ? nil : self_ns }

    /// The time that is wasted where it is not needed: in an older trace, the bodies inside of it are in it.
    var wastedNanoseconds: UInt64 { selfNanoseconds ?? body_ns }
}

extension ViewChanged {
    /// What is decided of the evaluation that it names.
    var waste: TraceWaste { TraceWaste(rawValue: wasted) ?? .none }

    /// Wasted evaluations by kind, in the order of `WasteKind.allCases`.
    var wastedKinds: InlineArray<7, UInt64> {
        [same_output, same_value, new_identity, closure_identity, parent_only, twice_in_a_turn, same_inputs]
    }
}

extension HangEvent {
    /// The process that hung.
    var process: Int32 { Int32(bitPattern: pid) }

    /// Why its view or handler is blamed.
    var blame: HangAttribution { TraceCode.value(attribution) ?? HangAttribution.none }

    /// What the thread did for most of the time.
    var activity: HangVerdict { TraceCode.value(verdict) ?? HangVerdict.unknown }
}

/// Whether an evaluation was needed.
enum TraceWaste: UInt8, Sendable, BitwiseCopyable {
    /// Nothing shows that it was not.
    case none = 0
    /// Its cause shows that it was not.
    case inferred = 1
    /// Its output equals the previous one.
    case measured = 2
}

/// An event of no provider of ours, or of one of ours with fields that this version does not know.
struct OtherEvent: Sendable, BitwiseCopyable {
    /// The event's whole name: `com.example.Shop:begin`.
    var event: TextID
    var kind: SignpostKind
    /// Those of a signpost; 0 and empty where there are none.
    var fields: csignpost_read_generic
}

/// Which of a signpost's events it is, by the end of the event's name.
enum SignpostKind: UInt8, Sendable, BitwiseCopyable {
    /// `…:begin`
    case begin
    /// `…:end`
    case end
    /// Anything else.
    case event
}

extension Int64 {
    /// Nanoseconds from an earlier time to this one, exact however far apart they are; 0 where that one is later.
    @inline(__always)
    package func nanoseconds(since earlier: Int64) -> UInt64 {
        self > earlier ? UInt64(bitPattern: self &- earlier) : 0
    }

    /// The time so much earlier, or the earliest that there is.
    @inline(__always)
    package func earlier(by nanoseconds: UInt64) -> Int64 {
        let (time, overflow) = subtractingReportingOverflow(Int64(clamping: nanoseconds))
        return overflow ? .min : time
    }

    /// The time so much later, or the latest that there is.
    @inline(__always)
    package func later(by nanoseconds: UInt64) -> Int64 {
        let (time, overflow) = addingReportingOverflow(Int64(clamping: nanoseconds))
        return overflow ? .max : time
    }

    /// When something began that took so long and ends at this time. A time before 1970 is taken for a wrong measure: then
    /// it took no time.
    @inline(__always)
    func beginning(of nanoseconds: UInt64) -> Int64 {
        let began = earlier(by: nanoseconds)
        return began < 0 ? self : began
    }
}

extension UInt64 {
    /// The difference, or 0 where `other` is larger.
    @inline(__always)
    func minus(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

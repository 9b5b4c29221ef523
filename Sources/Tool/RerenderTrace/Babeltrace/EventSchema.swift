// SPDX-License-Identifier: MIT
// What the decoder knows of one class of events, found once. Part of the fence around libbabeltrace2's C calls.

internal import CScreen
internal import CShared

/// Which event it is, by its name.
enum EventKind: String, CaseIterable, Sendable {
    case evaluationBegan = "com.rerender.BodyEval:begin"
    case evaluationEnded = "com.rerender.BodyEval:end"
    case viewChanged = "com.rerender.View:event"
    case turnBegan = "com.rerender.RenderLoop:begin"
    case turnEnded = "com.rerender.RenderLoop:end"
    case phaseBegan = "com.rerender.RenderLoop.Phase:begin"
    case phaseEnded = "com.rerender.RenderLoop.Phase:end"
    case write = "com.rerender.Write:event"
    case hangBegan = "com.rerender.Hang:begin"
    case hangEnded = "com.rerender.Hang:end"
    case other = ""

    /// Its row in the table of events.
    var row: (shape: Int, kind: Int) {
        switch self {
        case .evaluationBegan: (CSIGNPOST_BODY_EVAL, CSIGNPOST_BEGIN)
        case .evaluationEnded: (CSIGNPOST_BODY_EVAL, CSIGNPOST_END)
        case .viewChanged: (CSIGNPOST_VIEW, CSIGNPOST_EVENT)
        case .turnBegan: (CSIGNPOST_TURN, CSIGNPOST_BEGIN)
        case .turnEnded: (CSIGNPOST_TURN, CSIGNPOST_END)
        case .phaseBegan: (CSIGNPOST_PHASE, CSIGNPOST_BEGIN)
        case .phaseEnded: (CSIGNPOST_PHASE, CSIGNPOST_END)
        case .write: (CSIGNPOST_WRITE, CSIGNPOST_EVENT)
        case .hangBegan: (CSIGNPOST_HANG, CSIGNPOST_BEGIN)
        case .hangEnded: (CSIGNPOST_HANG, CSIGNPOST_END)
        case .other: (CSIGNPOST_GENERIC, CSIGNPOST_EVENT)
        }
    }
}

/// What the decoder knows of one event class.
struct EventSchema {
    var kind: EventKind
    /// The class's whole name.
    var name: TextID
    var signpostKind: SignpostKind
    var hasClock: Bool
    /// The payload's, by the kind's row in the table of events, and the context's.
    var fields = FieldPlaces()
    var context = FieldPlaces()
    /// The process of a stream that has no context of it: buffers of one process name it in their trace.
    var processOfTrace: Int32 = 0
    var processNameOfTrace = TextID.empty

    /// Frees its memory: it reads nothing any more.
    func free() {
        fields.free()
        context.free()
    }
}

extension EventSchema {
    /// What happened, by an event's payload.
    @inline(__always)
    borrowing func what(_ payload: FieldStructure, _ texts: TraceTexts) -> TraceEvent.What {
        switch kind {
        case .evaluationBegan: .evaluationBegan(fields.read(payload, into: EvaluationBegan(), texts))
        case .evaluationEnded: .evaluationEnded(fields.read(payload, into: EvaluationEnded(), texts))
        case .viewChanged: .viewChanged(fields.read(payload, into: ViewChanged(), texts))
        case .turnBegan: .turnBegan(fields.read(payload, into: TurnBegan(), texts))
        case .turnEnded: .turnEnded(fields.read(payload, into: TurnEnded(), texts))
        case .phaseBegan: .phaseBegan(fields.read(payload, into: Phase(), texts))
        case .phaseEnded: .phaseEnded(fields.read(payload, into: Phase(), texts))
        case .write: .write(fields.read(payload, into: Write(), texts))
        case .hangBegan: .hangBegan(fields.read(payload, into: HangEvent(), texts))
        case .hangEnded: .hangEnded(fields.read(payload, into: HangEvent(), texts))
        case .other:
            .other(
                OtherEvent(
                    event: name, kind: signpostKind,
                    fields: fields.read(payload, into: csignpost_read_generic(), texts)))
        }
    }
}

extension EventSchema {
    /// Whether events of a stream class have a time.
    static func hasClock(_ streamClass: OpaquePointer?) -> Bool {
        unsafe streamClass.map { unsafe bt_stream_class_borrow_default_clock_class_const($0) != nil } ?? false
    }
}

/// Proof of the unsafe parts: classes are borrowed from an event that is alive for the call, and names are copied.
extension EventSchema {
    init(of event: OpaquePointer, _ eventClass: OpaquePointer, _ texts: TraceTexts) {
        let name = unsafe bt_event_class_get_name(eventClass).map { unsafe String(cString: $0) } ?? ""
        kind = EventKind(rawValue: name) ?? .other
        self.name = texts.intern(name)
        signpostKind = name.hasSuffix(":begin") ? .begin : name.hasSuffix(":end") ? .end : .event
        let streamClass = unsafe bt_event_class_borrow_stream_class_const(eventClass)
        hasClock = unsafe Self.hasClock(streamClass)
        let payload = unsafe bt_event_class_borrow_payload_field_class_const(eventClass)
        var places = unsafe FieldPlaces(kind.row, in: payload)
        if places == nil {
            kind = .other
            places = unsafe FieldPlaces(kind.row, in: payload)
        }
        fields = places ?? FieldPlaces()
        let contextClass = unsafe streamClass.flatMap {
            unsafe bt_stream_class_borrow_event_common_context_field_class_const($0)
        }
        context = unsafe FieldPlaces((CSIGNPOST_CONTEXT, CSIGNPOST_EVENT), in: contextClass) ?? FieldPlaces()
        if let trace = unsafe bt_stream_borrow_trace_const(bt_event_borrow_stream_const(event)) {
            processOfTrace = unsafe Self.process(of: trace)
            processNameOfTrace = unsafe texts.intern(Self.processName(of: trace))
        }
    }

    /// The process that a trace is of; 0 where it is of several.
    static func process(of trace: OpaquePointer?) -> Int32 {
        guard let trace = unsafe trace,
            let value = unsafe bt_trace_borrow_environment_entry_value_by_name_const(trace, "vpid"),
            unsafe bt_value_get_type(value) == BT_VALUE_TYPE_SIGNED_INTEGER
        else { return 0 }
        return unsafe Int32(clamping: bt_value_integer_signed_get(value))
    }

    private static func processName(of trace: OpaquePointer) -> String {
        guard let value = unsafe bt_trace_borrow_environment_entry_value_by_name_const(trace, "procname"),
            unsafe bt_value_get_type(value) == BT_VALUE_TYPE_STRING
        else { return "" }
        return unsafe String(cString: bt_value_string_get(value))
    }
}

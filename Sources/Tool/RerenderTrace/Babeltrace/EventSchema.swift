// SPDX-License-Identifier: MIT
// Where the fields of one kind of event are, found once by name. Part of the fence around libbabeltrace2's C calls.

internal import CBabeltrace2

/// Which event it is, with the fields that are wanted of it.
enum EventKind: Sendable {
    case evaluationBegan, evaluationEnded, viewChanged, turnBegan, turnEnded, phaseBegan, phaseEnded, write
    case hangBegan, hangEnded, other

    init(name: String) {
        switch name {
        case "com.rerender.BodyEval:begin": self = .evaluationBegan
        case "com.rerender.BodyEval:end": self = .evaluationEnded
        case "com.rerender.View:event": self = .viewChanged
        case "com.rerender.RenderLoop:begin": self = .turnBegan
        case "com.rerender.RenderLoop:end": self = .turnEnded
        case "com.rerender.RenderLoop.Phase:begin": self = .phaseBegan
        case "com.rerender.RenderLoop.Phase:end": self = .phaseEnded
        case "com.rerender.Write:event": self = .write
        case "com.rerender.Hang:begin": self = .hangBegan
        case "com.rerender.Hang:end": self = .hangEnded
        default: self = .other
        }
    }

    /// The fields that the decoder reads, in its order; the first `needed` must be there.
    var fields: (names: [String], needed: Int) {
        switch self {
        case .evaluationBegan: (["name", "signpost_id", "file", "line", "parent"], 2)
        case .evaluationEnded:
            (
                [
                    "name", "signpost_id", "reason", "body_ns", "total_ns", "wasted", "turn", "count", "epoch", "store",
                    "store_id", "instance", "instances", "attribution", "kind", "writers", "chain",
                ], 9
            )
        case .viewChanged:
            (
                [
                    "name", "message", "store", "store_id", "epoch", "instance", "instances", "commits", "measured",
                    "wasted_ns", "same_output", "same_value", "new_identity", "closure_identity", "parent_only",
                    "twice_in_a_turn",
                ], 16
            )
        case .turnBegan, .turnEnded: (["turn", "evaluations"], 1)
        case .phaseBegan, .phaseEnded: (["name", "signpost_id", "turn"], 3)
        case .write: (["name", "message", "views"], 3)
        case .hangBegan, .hangEnded:
            (["name", "signpost_id", "last_rendered", "pid", "attribution", "verdict", "duration_ns"], 6)
        case .other: (["name", "signpost_id", "message"], 0)
        }
    }
}

/// Where a field is in its structure, and how to read it.
struct FieldPlace: Sendable {
    enum Form: UInt8, Sendable { case absent, unsigned, signed, text }

    var index: UInt32 = 0
    var form = Form.absent
}

/// What the decoder knows of one event class.
struct EventSchema: Sendable {
    var kind: EventKind
    /// The class's whole name.
    var name: TextID
    var signpostKind: SignpostKind
    var hasClock: Bool
    var fields = InlineArray<17, FieldPlace>(repeating: FieldPlace())
    var pid = FieldPlace()
    var tid = FieldPlace()
    var processName = FieldPlace()
    /// The process of a stream that has no context of it: buffers of one process name it in their trace.
    var processOfTrace: Int32 = 0
    var processNameOfTrace = TextID.empty
}

extension EventSchema {
    /// Of classes beyond ``TraceLimits/eventClasses``: an event of nobody's, whose fields nobody reads.
    static func beyondLimit(hasClock: Bool, name: TextID) -> EventSchema {
        EventSchema(kind: .other, name: name, signpostKind: .event, hasClock: hasClock)
    }

    /// Whether events of a stream class have a time.
    static func hasClock(_ streamClass: OpaquePointer?) -> Bool {
        unsafe streamClass.map { unsafe bt_stream_class_borrow_default_clock_class_const($0) != nil } ?? false
    }
}

/// Proof of the unsafe parts: classes are borrowed from an event that is alive for the call, and names are copied.
extension EventSchema {
    init(of event: OpaquePointer, _ eventClass: OpaquePointer, _ texts: TraceTexts) {
        let name = unsafe bt_event_class_get_name(eventClass).map { unsafe String(cString: $0) } ?? ""
        kind = EventKind(name: name)
        self.name = texts.intern(name)
        signpostKind = name.hasSuffix(":begin") ? .begin : name.hasSuffix(":end") ? .end : .event
        let streamClass = unsafe bt_event_class_borrow_stream_class_const(eventClass)
        hasClock = unsafe Self.hasClock(streamClass)
        unsafe findContexts(
            streamClass, texts, trace: bt_stream_borrow_trace_const(bt_event_borrow_stream_const(event)))
        unsafe findFields(bt_event_class_borrow_payload_field_class_const(eventClass))
    }

    private mutating func findFields(_ payload: OpaquePointer?) {
        var wanted = kind.fields
        if !wanted.names.prefix(wanted.needed).allSatisfy({ unsafe Self.place($0, in: payload).form != .absent }) {
            kind = .other
            wanted = kind.fields
        }
        for (index, name) in wanted.names.enumerated() { fields[index] = unsafe Self.place(name, in: payload) }
    }

    private mutating func findContexts(_ streamClass: OpaquePointer?, _ texts: TraceTexts, trace: OpaquePointer?) {
        let context = unsafe streamClass.flatMap {
            unsafe bt_stream_class_borrow_event_common_context_field_class_const($0)
        }
        pid = unsafe Self.place("vpid", in: context)
        tid = unsafe Self.place("vtid", in: context)
        processName = unsafe Self.place("procname", in: context)
        guard let trace = unsafe trace else { return }
        if pid.form == .absent, let value = unsafe bt_trace_borrow_environment_entry_value_by_name_const(trace, "vpid"),
            unsafe bt_value_get_type(value) == BT_VALUE_TYPE_SIGNED_INTEGER
        {
            processOfTrace = unsafe Int32(clamping: bt_value_integer_signed_get(value))
        }
        if processName.form == .absent,
            let value = unsafe bt_trace_borrow_environment_entry_value_by_name_const(trace, "procname"),
            unsafe bt_value_get_type(value) == BT_VALUE_TYPE_STRING
        {
            processNameOfTrace = unsafe texts.intern(String(cString: bt_value_string_get(value)))
        }
    }

    private static func place(_ name: String, in structure: OpaquePointer?) -> FieldPlace {
        guard let structure = unsafe structure,
            unsafe bt_field_class_get_type(structure) == BT_FIELD_CLASS_TYPE_STRUCTURE
        else {
            return FieldPlace()
        }
        for index in unsafe 0..<bt_field_class_structure_get_member_count(structure) {
            guard let member = unsafe bt_field_class_structure_borrow_member_by_index_const(structure, index),
                let text = unsafe bt_field_class_structure_member_get_name(member),
                unsafe String(cString: text) == name
            else { continue }
            let form = unsafe form(of: bt_field_class_structure_member_borrow_field_class_const(member))
            return FieldPlace(index: UInt32(clamping: index), form: form)
        }
        return FieldPlace()
    }

    private static func form(of fieldClass: OpaquePointer?) -> FieldPlace.Form {
        guard let fieldClass = unsafe fieldClass else { return .absent }
        return switch unsafe bt_field_class_get_type(fieldClass) {
        case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION: .unsigned
        case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER, BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION: .signed
        case BT_FIELD_CLASS_TYPE_STRING: .text
        default: .absent
        }
    }
}

// SPDX-License-Identifier: MIT
// Where the fields of one kind of event are, found once by name. Part of the fence around libbabeltrace2's C calls.

internal import CBabeltrace2

/// What the decoder knows of one event class.
struct EventSchema: Sendable {
    var kind: EventKind
    /// The class's whole name.
    var name: TextID
    var signpostKind: SignpostKind
    var hasClock: Bool
    /// The payload's, by the raw values of the kind's ``EventField``, and the context's.
    var fields = FieldPlaces(repeating: FieldPlace())
    var context = FieldPlaces(repeating: FieldPlace())
    /// The process of a stream that has no context of it: buffers of one process name it in their trace.
    var processOfTrace: Int32 = 0
    var processNameOfTrace = TextID.empty
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
        if unsafe !Self.hasNeeded(kind.fields, in: payload) { kind = .other }
        fields = unsafe Self.places(of: kind.fields, in: payload)
        context = unsafe Self.places(
            of: ContextField.self,
            in: streamClass.flatMap { unsafe bt_stream_class_borrow_event_common_context_field_class_const($0) })
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

    private static func hasNeeded(_ fields: any EventField.Type, in structure: OpaquePointer?) -> Bool {
        fields.names.prefix(fields.needed).allSatisfy { unsafe place($0, in: structure).form != .absent }
    }

    private static func places(of fields: any EventField.Type, in structure: OpaquePointer?) -> FieldPlaces {
        var places = FieldPlaces(repeating: FieldPlace())
        for (index, name) in fields.names.enumerated() { places[index] = unsafe place(name, in: structure) }
        return places
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

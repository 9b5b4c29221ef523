// SPDX-License-Identifier: MIT
// The decoder's knowledge of one class of events and of its fields, found once. Part of the fence around libbabeltrace2's C calls.

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
    case store = "com.rerender.Store:event"
    case loop = "com.rerender.Loop:event"
    case part = "com.rerender.Loop.Part:event"
    case stretch = "com.rerender.Loop.Stretch:event"
    case row = "com.rerender.Loop.Row:event"
    case fact = "com.rerender.Loop.Fact:event"
    case threads = "com.rerender.Loop.Threads:event"
    case work = "com.rerender.Work:event"
    case cycle = "com.rerender.Cycle:event"
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
        case .store: (CSIGNPOST_STORE, CSIGNPOST_EVENT)
        case .loop: (CSIGNPOST_LOOP, CSIGNPOST_EVENT)
        case .part: (CSIGNPOST_PART, CSIGNPOST_EVENT)
        case .stretch: (CSIGNPOST_STRETCH, CSIGNPOST_EVENT)
        case .row: (CSIGNPOST_LOOP_ROW, CSIGNPOST_EVENT)
        case .fact: (CSIGNPOST_FACT, CSIGNPOST_EVENT)
        case .threads: (CSIGNPOST_THREADS, CSIGNPOST_EVENT)
        case .work: (CSIGNPOST_WORK, CSIGNPOST_EVENT)
        case .cycle: (CSIGNPOST_CYCLE, CSIGNPOST_EVENT)
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
    var fields = FieldIndexes()
    var context = FieldIndexes()
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
        case .store, .loop, .part, .stretch, .row, .fact, .threads, .work, .cycle: told(payload, texts)
        case .other:
            .other(
                OtherEvent(
                    event: name, kind: signpostKind,
                    fields: fields.read(payload, into: csignpost_read_generic(), texts)))
        }
    }
}

extension EventSchema {
    /// What a store tells. These events are few.
    @inline(never)
    private borrowing func told(_ payload: FieldStructure, _ texts: TraceTexts) -> TraceEvent.What {
        switch kind {
        case .store: .ofStore(.store(fields.read(payload, into: csignpost_read_store(), texts)))
        case .loop: .ofStore(.loop(fields.read(payload, into: csignpost_read_loop(), texts)))
        case .part: .ofStore(.part(fields.read(payload, into: csignpost_read_part(), texts)))
        case .stretch: .ofStore(.stretch(fields.read(payload, into: csignpost_read_stretch(), texts)))
        case .row: .ofStore(.row(fields.read(payload, into: csignpost_read_loop_row(), texts)))
        case .fact: .ofStore(.fact(fields.read(payload, into: csignpost_read_fact(), texts)))
        case .threads: .ofStore(.threads(fields.read(payload, into: csignpost_read_threads(), texts)))
        case .work: .ofStore(.work(fields.read(payload, into: csignpost_read_work(), texts)))
        default: .ofStore(.cycle(fields.read(payload, into: csignpost_read_cycle(), texts)))
        }
    }

    /// Whether events of a stream class have a time.
    static func hasClock(_ streamClass: OpaquePointer?) -> Bool {
        unsafe streamClass.map { unsafe bt_stream_class_borrow_default_clock_class_const($0) != nil } ?? false
    }

    /// When the clock of a stream class was 0, in nanoseconds since 1970; nil without a clock, or where no number can say it.
    static func clockOrigin(_ streamClass: OpaquePointer?) -> Int64? {
        guard let streamClass = unsafe streamClass,
            let clock = unsafe bt_stream_class_borrow_default_clock_class_const(streamClass)
        else { return nil }
        var origin: Int64 = 0
        let status = unsafe bt_clock_class_cycles_to_ns_from_origin(clock, 0, &origin)
        return status == BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK ? origin : nil
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
        var places = unsafe FieldIndexes(kind.row, in: payload)
        if places == nil {
            kind = .other
            places = unsafe FieldIndexes(kind.row, in: payload)
        }
        fields = places ?? FieldIndexes()
        let contextClass = unsafe streamClass.flatMap {
            unsafe bt_stream_class_borrow_event_common_context_field_class_const($0)
        }
        context = unsafe FieldIndexes((CSIGNPOST_CONTEXT, CSIGNPOST_EVENT), in: contextClass) ?? FieldIndexes()
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

/// The structure of an event's fields; nil where the event has none, and then no schema has a place in it. Lives until the
/// event is put.
@safe
struct FieldStructure {
    fileprivate let pointer: OpaquePointer?

    @inline(__always)
    init(_ pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }
}

/// Where the fields of an event are in its recording, and where they go in the struct that the table of events has for it.
///
/// Each event is read by it, so it has memory of its own: an array would be retained each time, or copied. Proof: the memory has
/// `count` places, and lives until ``free()``, which the decoder calls when it reads no more.
@safe
struct FieldIndexes {
    private struct Place {
        enum Form: UInt8 { case absent, unsigned, signed, text }

        /// In the recording's structure.
        let index: UInt32
        /// In the struct, with its size in bytes.
        let offset: UInt16
        let size: UInt8
        /// In the recording; absent if the struct gets all ones.
        let form: Form
    }

    private var all: UnsafeMutablePointer<Place>?
    private var count = 0
    /// How large the struct is at least.
    private var end = 0

    /// No fields.
    init() {}

    func free() { unsafe all?.deallocate() }
}

/// Proof of the unsafe parts: classes are borrowed from an event that is alive for the call, and names are copied.
extension FieldIndexes {
    /// Finds the fields of a row of the table by name; nil if one is missing that each version has written.
    init?(_ row: (shape: Int, kind: Int), in structure: OpaquePointer?) {
        var found: [Place] = []
        for number in 0... {
            let field = unsafe csignpost_field(CInt(row.shape), CInt(row.kind), number)
            guard let name = unsafe field.name else { break }
            let (offset, size) = unsafe (Int(field.offset), Int(field.size))
            let (isText, absent) = unsafe (field.is_text != 0, Int(field.absent))
            let (index, form) = unsafe Self.find(String(cString: name), isText: isText, in: structure)
            end = max(end, offset + size)
            if form == .absent, absent != CSIGNPOST_ONES {
                if absent == CSIGNPOST_NEEDED { return nil }
                continue
            }
            found.append(Place(index: index, offset: UInt16(offset), size: UInt8(size), form: form))
        }
        let room = UnsafeMutablePointer<Place>.allocate(capacity: found.count)
        for number in found.indices { unsafe (room + number).initialize(to: found[number]) }
        unsafe all = unsafe room
        count = found.count
    }

    private static func find(
        _ name: String, isText: Bool, in structure: OpaquePointer?
    ) -> (index: UInt32, form: Place.Form) {
        guard let structure = unsafe structure,
            unsafe bt_field_class_get_type(structure) == BT_FIELD_CLASS_TYPE_STRUCTURE
        else { return (0, .absent) }
        for index in unsafe 0..<bt_field_class_structure_get_member_count(structure) {
            guard let member = unsafe bt_field_class_structure_borrow_member_by_index_const(structure, index),
                let text = unsafe bt_field_class_structure_member_get_name(member),
                unsafe String(cString: text) == name
            else { continue }
            let form = unsafe form(of: bt_field_class_structure_member_borrow_field_class_const(member))
            return (UInt32(clamping: index), (form == .text) == isText ? form : .absent)
        }
        return (0, .absent)
    }

    private static func form(of fieldClass: OpaquePointer?) -> Place.Form {
        guard let fieldClass = unsafe fieldClass else { return .absent }
        return switch unsafe bt_field_class_get_type(fieldClass) {
        case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION: .unsigned
        case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER, BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION: .signed
        case BT_FIELD_CLASS_TYPE_STRING: .text
        default: .absent
        }
    }
}

/// Proof of the unsafe parts: a place was found in the class of this very structure, so that there is a member of that form; a
/// text is read before the event is put. Each place is in the struct, whose size is checked, and holds a number of its size.
extension FieldIndexes {
    /// Reads an event's fields into its struct, in which all is zero.
    @inline(__always)
    func read<Event: BitwiseCopyable>(_ structure: FieldStructure, into zero: Event, _ texts: TraceTexts) -> Event {
        precondition(end <= MemoryLayout<Event>.size)
        var event = zero
        unsafe withUnsafeMutableBytes(of: &event) { unsafe fill($0, structure.pointer, texts) }
        return event
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer, _ structure: OpaquePointer?, _ texts: TraceTexts) {
        guard let all = unsafe all else { return }
        for number in 0..<count {
            let place = unsafe all[number]
            if place.form == .absent {
                unsafe Self.store(.max, at: place, in: room)
            } else if let structure = unsafe structure {
                unsafe Self.store(value(place, of: structure, texts), at: place, in: room)
            }
        }
    }

    @inline(__always)
    private func value(_ place: Place, of structure: OpaquePointer, _ texts: TraceTexts) -> UInt64 {
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        switch place.form {
        case .unsigned: return unsafe bt_field_integer_unsigned_get_value(field)
        case .signed: return unsafe UInt64(bitPattern: bt_field_integer_signed_get_value(field))
        case .text, .absent:
            let text = unsafe texts.intern(
                UnsafeRawBufferPointer(
                    start: bt_field_string_get_value(field), count: Int(bt_field_string_get_length(field))))
            return UInt64(text.index)
        }
    }

    /// Cuts the number to the bits of its field.
    @inline(__always)
    private static func store(_ number: UInt64, at place: Place, in room: UnsafeMutableRawBufferPointer) {
        let offset = Int(place.offset)
        switch place.size {
        case 1: unsafe room.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: offset, as: UInt8.self)
        case 4: unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: number), toByteOffset: offset, as: UInt32.self)
        default: unsafe room.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
        }
    }
}

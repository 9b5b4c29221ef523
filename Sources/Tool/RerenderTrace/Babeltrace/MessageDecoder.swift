// SPDX-License-Identifier: MIT
// From libbabeltrace2's messages to events. Part of the fence around its C calls.

internal import CScreen
internal import CShared

/// Takes messages and gives events.
///
/// Proof of the unsafe parts: a message is ours until it is put, after all that is borrowed from it was read. An event
/// class is kept, so that its address means it as long as the decoder lives.
@safe
final class MessageDecoder {
    let texts = TraceTexts()
    /// One value, so that some messages together are one access of the object.
    private var decoded = DecodedMessages()

    init() {}

    deinit { decoded.letGoOfClasses() }

    /// Messages of events there were.
    var eventCount: UInt64 { decoded.eventCount }

    /// When the clock of the first events was 0, in nanoseconds since 1970; nil before them, or if they have none.
    var clockOrigin: Int64? { decoded.clockOrigin }

    /// Whether there are enough events to hand on.
    var isFull: Bool { decoded.events.count >= TraceLimits.batch }

    /// Hands on what was decoded.
    func takeEvents() -> [TraceEvent] { exchange(&decoded.events, with: []) }

    /// Takes the room of events that were handed on.
    func giveBack(_ used: consuming [TraceEvent]) {
        used.removeAll(keepingCapacity: true)
        decoded.events = used
    }

    /// Takes the iterator's next messages.
    func consume(_ iterator: OpaquePointer) -> bt_graph_simple_sink_component_consume_func_status {
        var messages: bt_message_array_const?
        var count: UInt64 = 0
        let status = unsafe bt_message_iterator_next(iterator, &messages, &count)
        // The library gives all its functions' states the same numbers.
        guard status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK, let messages = unsafe messages else {
            return bt_graph_simple_sink_component_consume_func_status(rawValue: status.rawValue)
        }
        unsafe decoded.take(UnsafeBufferPointer(start: messages, count: Int(count)), texts)
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK
    }
}

/// What was decoded of messages, and what is known of their classes. See ``MessageDecoder`` for the proof.
@safe
private struct DecodedMessages {
    /// What was decoded and not yet taken.
    var events: [TraceEvent] = []
    private(set) var eventCount: UInt64 = 0
    private(set) var clockOrigin: Int64?
    private var schemas: [EventSchema] = []
    /// What all classes beyond the limit share: those whose events have a time (true), and the others.
    private var beyondLimit: [Bool: Int] = [:]
    private var schemaOfClass = WordIndex()
    private var keptClasses: [OpaquePointer] = unsafe []
    private var lastTime: Int64 = 0

    init() { events.reserveCapacity(TraceLimits.batch + 64) }

    mutating func letGoOfClasses() {
        for index in unsafe keptClasses.indices { unsafe bt_event_class_put_ref(keptClasses[index]) }
        unsafe keptClasses = []
        for schema in schemas { schema.free() }
        schemas = []
    }

    /// Decodes messages and puts them.
    mutating func take(_ messages: UnsafeBufferPointer<OpaquePointer?>, _ texts: TraceTexts) {
        for index in messages.indices {
            guard let message = unsafe messages[index] else { continue }
            unsafe decode(message, texts)
            unsafe bt_message_put_ref(message)
        }
    }

    @inline(__always)
    private mutating func decode(_ message: OpaquePointer, _ texts: TraceTexts) {
        switch unsafe bt_message_get_type(message) {
        case BT_MESSAGE_TYPE_EVENT: unsafe decodeEvent(message, texts)
        case BT_MESSAGE_TYPE_DISCARDED_EVENTS: unsafe decodeDiscarded(message)
        default: break
        }
    }

    @inline(__always)
    private mutating func decodeEvent(_ message: OpaquePointer, _ texts: TraceTexts) {
        guard let event = unsafe bt_message_event_borrow_event_const(message) else { return }
        let index = unsafe schema(of: event, texts)
        if schemas[index].hasClock {
            let snapshot = unsafe bt_message_event_borrow_default_clock_snapshot_const(message)
            _ = unsafe bt_clock_snapshot_get_ns_from_origin(snapshot, &lastTime)
        }
        eventCount += 1
        unsafe events.append(Self.decoded(event, schemas[index], at: lastTime, texts))
    }

    @inline(__always)
    private static func decoded(
        _ event: OpaquePointer, _ schema: borrowing EventSchema, at time: Int64, _ texts: TraceTexts
    ) -> TraceEvent {
        let context = unsafe schema.context.read(
            FieldStructure(bt_event_borrow_common_context_field_const(event)), into: csignpost_read_context(), texts)
        let payload = unsafe FieldStructure(bt_event_borrow_payload_field_const(event))
        return TraceEvent(
            nanoseconds: time, pid: context.vpid == 0 ? schema.processOfTrace : Int32(bitPattern: context.vpid),
            tid: Int32(bitPattern: context.vtid),
            processName: context.procname.isEmpty ? schema.processNameOfTrace : context.procname,
            what: schema.what(payload, texts))
    }

    private mutating func decodeDiscarded(_ message: OpaquePointer) {
        var count: UInt64 = 0
        if unsafe bt_message_discarded_events_get_count(message, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE {
            count = 0
        }
        guard let stream = unsafe bt_message_discarded_events_borrow_stream_const(message) else { return }
        var until = lastTime
        if unsafe bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(stream))
            != 0
        {
            _ = unsafe bt_clock_snapshot_get_ns_from_origin(
                bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message), &until)
        }
        unsafe events.append(
            TraceEvent(
                nanoseconds: until, pid: EventSchema.process(of: bt_stream_borrow_trace_const(stream)), tid: 0,
                processName: .empty, what: .discarded(count)))
    }

    @inline(__always)
    private mutating func schema(of event: OpaquePointer, _ texts: TraceTexts) -> Int {
        // Of type `const bt_event_class *`, and never null.
        guard let eventClass = unsafe bt_event_borrow_class_const(event) else {
            preconditionFailure("an event has a class")
        }
        let word = UInt64(UInt(bitPattern: eventClass))
        if let index = schemaOfClass[word] { return Int(index) }
        return unsafe addSchema(of: event, eventClass, word, texts)
    }

    private mutating func addSchema(
        of event: OpaquePointer, _ eventClass: OpaquePointer, _ word: UInt64, _ texts: TraceTexts
    ) -> Int {
        guard unsafe keptClasses.count < TraceLimits.eventClasses else { return unsafe sharedSchema(eventClass, texts) }
        unsafe bt_event_class_get_ref(eventClass)
        unsafe keptClasses.append(eventClass)
        unsafe schemas.append(EventSchema(of: event, eventClass, texts))
        if schemas.count == 1 {
            clockOrigin = unsafe EventSchema.clockOrigin(bt_event_class_borrow_stream_class_const(eventClass))
        }
        schemaOfClass.set(word, UInt32(schemas.count - 1))
        return schemas.count - 1
    }

    /// The schema of a class that there is no room for: an event of nobody's, whose fields nobody reads. The class is not
    /// kept, so its address means nothing later.
    private mutating func sharedSchema(_ eventClass: OpaquePointer, _ texts: TraceTexts) -> Int {
        let hasClock = unsafe EventSchema.hasClock(bt_event_class_borrow_stream_class_const(eventClass))
        let name = texts.overflowText()
        if let known = beyondLimit[hasClock] { return known }
        schemas.append(EventSchema(kind: .other, name: name, signpostKind: .event, hasClock: hasClock))
        beyondLimit[hasClock] = schemas.count - 1
        return schemas.count - 1
    }
}

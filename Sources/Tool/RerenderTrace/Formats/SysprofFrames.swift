// SPDX-License-Identifier: MIT
// Frames of Sysprof's capture format, one after the other.

internal import RerenderModel

/// Writes the frames of a capture: numbers in little endian, and each frame padded to eight bytes.
///
/// A capture is a header of 256 bytes and frames. Each begins with its length, processor, process, time and type, in 24 bytes.
struct SysprofFrames {
    /// The types of frames that are written.
    enum Kind: UInt8 {
        case timestamp = 1
        case process = 4
        case counters = 8
        case values = 9
        case mark = 10
    }

    /// A number that changes over time.
    struct Counter {
        /// Different for each counter of a capture, and not 0.
        let id: UInt32
        let name: String
        let description: String
    }

    /// Bytes of what a mark says: a longer text is cut. A frame holds less than 65,536 bytes.
    static let messageBytes = 1_024
    /// Bytes of a mark's group and name, without the zero behind them.
    static let groupBytes = 23
    static let nameBytes = 39
    private static let headerBytes = 256

    private var output: TraceOutput
    /// The time of the trace's clock that is written as 0; nil before the first event.
    private var origin: Int64?
    /// The first time that is written.
    private var first: Int64?

    init(_ output: TraceOutput) { self.output = output }

    /// Notes when the trace's clock was 0. Without it, the first event's time is 0.
    mutating func start(clockOrigin: Int64) { origin = clockOrigin }

    /// Begins the capture with the time of an event, unless it has begun.
    mutating func begin(at nanoseconds: Int64) {
        guard first == nil else { return }
        let zero = origin ?? nanoseconds
        (origin, first) = (zero, nanoseconds)
        var header: [UInt8] = []
        header.append(littleEndian: UInt32(0xFDCA_975E))
        // The version, and that the numbers are in little endian.
        header.append(littleEndian: UInt32(1 | 1 << 8))
        header.append(field: Self.cut(Timestamp(nanosecondsSince1970: nanoseconds).iso8601, to: 63), of: 64)
        header.append(littleEndian: time(nanoseconds))
        // The end is not known yet: readers look for it where it comes before the beginning.
        header.append(littleEndian: Int64(0))
        header.append(field: [], of: Self.headerBytes - header.count)
        output.bytes(header)
    }

    /// A mark; one that began before the capture begins with it.
    mutating func mark(
        group: [UInt8], name: [UInt8], message: String, pid: Int32, from began: Int64, to ended: Int64
    ) {
        let start = max(began, first ?? began)
        var body: [UInt8] = []
        body.append(littleEndian: Int64(clamping: ended.nanoseconds(since: start)))
        body.append(field: group, of: Self.groupBytes + 1)
        body.append(field: name, of: Self.nameBytes + 1)
        body += Self.cut(message, to: Self.messageBytes)
        body.append(0)
        frame(.mark, pid, start, body)
    }

    /// What a process is called.
    mutating func process(_ name: String, pid: Int32) {
        guard let first else { return }
        frame(.process, pid, first, Self.cut(name, to: Self.messageBytes) + [0])
    }

    /// Introduces a counter, which is 0 until it is set.
    mutating func introduce(_ counter: Counter, pid: Int32) {
        guard let first else { return }
        var body: [UInt8] = []
        // One counter.
        body.append(littleEndian: UInt64(1))
        body.append(field: Array("Rerender".utf8), of: 32)
        body.append(field: Self.cut(counter.name, to: 31), of: 32)
        body.append(field: Self.cut(counter.description, to: 51), of: 52)
        // The number in 24 bits, and the type in 8, which is 0 for an integer.
        body.append(littleEndian: counter.id & 0xFF_FFFF)
        body.append(littleEndian: Int64(0))
        frame(.counters, pid, first, body)
    }

    /// Sets a counter.
    mutating func set(_ id: UInt32, to value: Int64, pid: Int32, at nanoseconds: Int64) {
        var body: [UInt8] = []
        // One group of eight places for counters; the other seven are empty.
        body.append(littleEndian: UInt64(1))
        body.append(littleEndian: id)
        body.append(field: [], of: 7 * 4)
        body.append(littleEndian: value)
        body.append(field: [], of: 7 * 8)
        frame(.values, pid, nanoseconds, body)
    }

    mutating func flush() throws { try output.flushIfFull() }

    /// Ends the capture with the time of its last event. A reader of Sysprof 3 that looks for the end leaves out a frame behind each
    /// mark, so there are two.
    mutating func finish(at nanoseconds: Int64) throws {
        begin(at: nanoseconds)
        for _ in 0..<2 { frame(.timestamp, -1, nanoseconds, []) }
        try output.flush()
    }

    /// At most so many bytes of a text, cut between two characters.
    static func cut(_ text: String, to limit: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(limit + 1))
        guard bytes.count > limit else { return bytes }
        var end = limit
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }

    private mutating func frame(_ kind: Kind, _ pid: Int32, _ nanoseconds: Int64, _ body: [UInt8]) {
        let padding = (8 - body.count % 8) % 8
        var head: [UInt8] = []
        head.append(littleEndian: UInt16(24 + body.count + padding))
        // No processor is known.
        head.append(littleEndian: Int16(-1))
        head.append(littleEndian: pid)
        head.append(littleEndian: time(max(nanoseconds, first ?? nanoseconds)))
        head.append(kind.rawValue)
        head.append(field: [], of: 7)
        output.bytes(head)
        output.bytes(body)
        if padding > 0 { output.bytes(Array(repeating: 0, count: padding)) }
    }

    private func time(_ nanoseconds: Int64) -> Int64 {
        Int64(clamping: nanoseconds.nanoseconds(since: origin ?? nanoseconds))
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Bytes that fit a field, and zeros up to its end.
    fileprivate mutating func append(field bytes: [UInt8], of width: Int) {
        append(contentsOf: bytes.prefix(width))
        append(contentsOf: repeatElement(0, count: Swift.max(0, width - bytes.count)))
    }
}

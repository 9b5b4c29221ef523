// SPDX-License-Identifier: MIT
// Frames of the push socket, as an app or a daemon gets them from anybody.

import RerenderWire

extension FuzzTarget {
    /// The first byte says what the rest is: a stream of frames, one message of an app or of the daemon, or a frame's messages.
    package static let frames = FuzzTarget(
        "frames", longest: 4_096,
        reading: { bytes in
            var input = FuzzBytes(bytes)
            let form = input.byte()
            switch form & 3 {
            case 0: return try FrameChecks.stream(Array(input.rest), splitAt: Int(form >> 2))
            case 1: return try FrameChecks.appMessage(input.byte(), Array(input.rest))
            case 2: return try FrameChecks.daemonMessage(input.byte(), Array(input.rest))
            default: return try FrameChecks.messages(Array(input.rest))
            }
        })
}

/// What holds of frames and messages. Each says whether it found one.
private enum FrameChecks {
    /// What a reader of frames found.
    private struct Found: Equatable {
        var (frames, bytes, used) = (0, 0, 0)
        var error: WireError?

        /// Reads on from where the last piece ended.
        mutating func read(_ stream: [UInt8], to end: Int) {
            guard error == nil else { return }
            var (frames, bytes) = (0, 0)
            do throws(WireError) {
                used += try FrameReader.frames(in: stream.span.bytes.extracting(used..<end)) {
                    (frame) throws(WireError) in
                    frames += 1
                    bytes += frame.byteCount
                }
            } catch {
                self.error = error
            }
            self.frames += frames
            self.bytes += bytes
        }
    }

    /// The same frames are found whether the bytes come at once or in two pieces, and no byte is used twice.
    static func stream(_ bytes: [UInt8], splitAt part: Int) throws -> Bool {
        var (whole, pieces) = (Found(), Found())
        whole.read(bytes, to: bytes.count)
        let split = bytes.count * part / 64
        pieces.read(bytes, to: split)
        pieces.read(bytes, to: bytes.count)
        // What comes before a frame that is too long is used up where it came in an earlier piece.
        if whole.error != nil { pieces.used = whole.used }
        try hold(whole == pieces, "in pieces of \(split) bytes \(pieces), at once \(whole)")
        try hold(whole.error != nil || whole.used == whole.bytes + 4 * whole.frames, "bytes are missing: \(whole)")
        try hold(whole.used <= bytes.count, "more bytes than there are: \(whole)")
        return whole.frames > 0
    }

    static func messages(_ frame: [UInt8]) throws -> Bool {
        var found: [(kind: UInt8, fields: [UInt8])] = []
        _ = try? FrameReader.messages(in: frame.span.bytes) { (kind, fields) throws(WireError) in
            let part = try fields.slice(fields.remaining)
            found.append((kind, part.withUnsafeBytes { Array($0) }))
        }
        try hold(found.reduce(0) { $0 + $1.fields.count + 3 } <= frame.count, "messages are longer than their frame")
        for (kind, fields) in found.prefix(16) {
            _ = try appMessage(kind, fields)
            _ = try daemonMessage(kind, fields)
        }
        return !found.isEmpty
    }

    static func appMessage(_ kind: UInt8, _ fields: [UInt8]) throws -> Bool {
        try roundTrip(fields, AppMessage.write) { (reader) throws(WireError) in
            try AppMessage(kind: kind, fields: &reader)
        }
    }

    static func daemonMessage(_ kind: UInt8, _ fields: [UInt8]) throws -> Bool {
        try roundTrip(fields, DaemonMessage.write) { (reader) throws(WireError) in
            try DaemonMessage(kind: kind, fields: &reader)
        }
    }

    /// What was read can be written, in one frame, and is read again as the same.
    private static func roundTrip<Message: Equatable>(
        _ fields: [UInt8], _ write: (Message) -> (inout WireWriter) -> Void,
        _ read: (inout WireReader) throws(WireError) -> Message?
    ) throws -> Bool {
        var reader = WireReader(fields.span.bytes)
        guard let message = try? read(&reader) else { return false }
        let written = Self.written(message, write)
        try hold(written.count <= WireLimits.frameBytes + 4, "a message is longer than a frame: \(message)")
        var second = WireReader(written.span.bytes.extracting(7..<written.count))
        guard let again = try? read(&second) else { throw FuzzFinding("what was written cannot be read: \(message)") }
        try hold(second.remaining == 0, "what was written is not read to its end: \(message)")
        try hold(Self.written(again, write) == written, "what was read again is written otherwise: \(message)")
        // What is no UTF-8 grows when it is repaired, and may be cut when it is written.
        let isSame = again == message || "\(message)".contains("\u{FFFD}")
        try hold(isSame, "read \(message), and again \(again)")
        return true
    }

    private static func written<Message>(_ message: Message, _ write: (Message) -> (inout WireWriter) -> Void)
        -> [UInt8]
    {
        var writer = WireWriter()
        write(message)(&writer)
        return writer.bytes
    }
}

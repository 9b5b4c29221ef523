// SPDX-License-Identifier: MIT
// The bytes of frames and messages: a reader of hostile bytes that never reads past their end, and a writer.

import RerenderModel

/// What is wrong with received bytes.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The frame's length is over the limit.
    case frameTooLong(Int)
    /// A message ends before its last field.
    case truncated
    /// A string is longer than its limit.
    case stringTooLong(Int, limit: Int)
    /// A field holds a value that it cannot have.
    case invalid(String)
    /// The first message of the connection is not one of our protocol.
    case notRerender
    /// The peer speaks another version.
    case versionMismatch(ours: UInt16, theirs: UInt16)

    package var description: String {
        switch self {
        case .frameTooLong(let bytes): "a frame of \(bytes) bytes is over the limit of \(WireLimits.frameBytes)"
        case .truncated: "a message ends before its last field"
        case .stringTooLong(let bytes, let limit): "a string of \(bytes) bytes is over its limit of \(limit)"
        case .invalid(let field): "\(field) holds a value that it cannot have"
        case .notRerender: "the peer does not speak Rerender's protocol"
        case .versionMismatch(let ours, let theirs):
            "the peer speaks version \(theirs) of the protocol and this side version \(ours): build both from one release"
        }
    }
}

/// A cursor over received bytes.
package struct WireReader: ~Escapable {
    private let bytes: RawSpan
    private var offset = 0

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    package var remaining: Int { bytes.byteCount - offset }

    @inline(__always)
    package mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) throws(WireError) -> T {
        guard remaining >= MemoryLayout<T>.size else { throw .truncated }
        defer { offset += MemoryLayout<T>.size }
        // Safe: the bytes are there (checked above), and every bit pattern is an integer.
        return unsafe T(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// A value of integers without padding, in the machine's byte order: both ends of the socket are one machine.
    @inline(__always)
    package mutating func value<T: BitwiseCopyable>(_: T.Type = T.self) throws(WireError) -> T {
        guard remaining >= MemoryLayout<T>.size else { throw .truncated }
        defer { offset += MemoryLayout<T>.size }
        // Proof: the bytes are there (checked above), and every bit pattern is such a value (see `WireWriter.value`).
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: T.self)
    }

    package mutating func flag() throws(WireError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .invalid("a flag")
        }
    }

    /// A string of at most `limit` bytes; bytes that are no UTF-8 become U+FFFD.
    package mutating func string(limit: Int) throws(WireError) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .stringTooLong(count, limit: limit) }
        return try slice(count).utf8Text()
    }

    /// The next `count` bytes, which the cursor passes over.
    @_lifetime(copy self)
    package mutating func slice(_ count: Int) throws(WireError) -> RawSpan {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { offset += count }
        return bytes.extracting(offset..<offset + count)
    }
}

extension RawSpan {
    fileprivate func utf8Text() -> String {
        // Safe: the pointer does not leave the closure, and decoding repairs whatever the bytes are.
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// Collects messages into frames of at most ``WireLimits/frameBytes``.
///
/// A frame is `u32 length` and that many bytes of messages; a message is `u8 kind`, `u16 length` and that many bytes
/// of fields. All integers are little-endian. A message never spans frames, so a reader can skip kinds that it does
/// not know and can drop a frame without losing its place.
package struct WireWriter: Sendable {
    /// Whole frames, ready to be sent; the last one may still grow.
    package private(set) var bytes: [UInt8] = []
    private var frameStart = 0

    package init() {}

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        frameStart = 0
    }

    /// Appends one message whose fields `body` writes.
    package mutating func message(kind: UInt8, _ body: (inout WireWriter) -> Void) {
        if bytes.isEmpty { openFrame() }
        let start = bytes.count
        appendMessage(kind: kind, body)
        if bytes.count - frameStart - Self.lengthBytes > WireLimits.frameBytes {
            bytes.removeSubrange(start...)
            openFrame()
            appendMessage(kind: kind, body)
        }
        patch(UInt32(bytes.count - frameStart - Self.lengthBytes), at: frameStart)
    }

    @discardableResult
    package mutating func integer<T: FixedWidthInteger>(_ value: T) -> T {
        // Safe: the bytes of an integer are read inside the closure only.
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        return value
    }

    /// A value of integers without padding, in the machine's byte order; see ``WireReader/value(_:)``.
    ///
    /// Only ``ViewTotals``, ``FrameTotals``, ``StoreHangs``, ``HangTotals``, ``LoopTotals``, the numbers of rows and facts, and the state
    /// file's identity of a program are such; tests hold their sizes against their fields. A field more or less is another ``WireProtocol/version``.
    @discardableResult
    package mutating func value<T: BitwiseCopyable>(_ value: T) -> T {
        // Proof: the bytes are read inside the closure only, and none of them is padding.
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
        return value
    }

    @discardableResult
    package mutating func flag(_ value: Bool) -> Bool {
        bytes.append(value ? 1 : 0)
        return value
    }

    /// A string, cut at a character's boundary if it is over `limit` bytes of UTF-8.
    @discardableResult
    package mutating func string(_ value: String, limit: Int) -> String {
        let text = value.prefix(utf8Bytes: limit)
        integer(UInt16(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        return value
    }

    private static let lengthBytes = 4

    private mutating func openFrame() {
        frameStart = bytes.count
        integer(UInt32(0))
    }

    private mutating func appendMessage(kind: UInt8, _ body: (inout WireWriter) -> Void) {
        bytes.append(kind)
        let length = bytes.count
        integer(UInt16(0))
        body(&self)
        patch(UInt16(bytes.count - length - 2), at: length)
    }

    private mutating func patch<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        for byte in 0..<MemoryLayout<T>.size {
            bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> T(8 * byte))
        }
    }
}

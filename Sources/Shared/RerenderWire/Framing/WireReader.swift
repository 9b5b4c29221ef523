// SPDX-License-Identifier: MIT
// Reads little-endian integers and strings from hostile bytes; never past their end.

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
    /// The first message of the connection is none of ours.
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

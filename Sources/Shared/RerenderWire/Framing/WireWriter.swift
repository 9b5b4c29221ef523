// SPDX-License-Identifier: MIT
// Builds frames: length-prefixed runs of messages, each with its kind and length.

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
    /// Only ``ViewTotals``, ``StoreHangs``, ``HangTotals`` and the state file's identity of a program are such; tests hold
    /// their sizes against their fields. A field more or less is another ``WireProtocol/version``.
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

extension String {
    /// The longest start of the string that fits into `limit` bytes of UTF-8 and splits no character.
    package func prefix(utf8Bytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var bytes = 0
        return prefix { character in
            bytes += character.utf8.count
            return bytes <= limit
        }
    }
}

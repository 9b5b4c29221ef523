// SPDX-License-Identifier: MIT
// The texts of a trace, each kept once: what makes events plain values.

internal import Glibc

/// The texts that a trace's events name.
///
/// Grows with the number of different texts up to ``TraceLimits/texts`` and ``TraceLimits/textBytes``; not with the trace.
package final class TraceTexts {
    /// One value, so that a look-up is one access of the object and not one for each array.
    private var table = TextTable()

    /// What a text reads as that there was no room for.
    package static let overflow = "<more texts>"

    package init() {}

    /// How many there are, the empty one included.
    package var count: Int { table.count }

    /// How many times a text found no room.
    package var overflowed: UInt64 { table.overflowed }

    /// What stands for a text that there is no room for; counts it.
    func overflowText() -> TextID { table.overflowText() }

    /// The text of a number; bytes that are no UTF-8 are replaced.
    package subscript(id: TextID) -> String {
        String(decoding: table.utf8(id), as: UTF8.self)
    }

    /// The number of a text, entered if it is new. A single space is the empty text.
    package func intern(_ text: String) -> TextID {
        var text = text
        return text.withUTF8 { unsafe table.intern(UnsafeRawBufferPointer($0)) }
    }

    /// The number of a text, entered if it is new. A single space is the empty text.
    @inline(__always)
    func intern(_ text: UnsafeRawBufferPointer) -> TextID { unsafe table.intern(text) }
}

@available(*, unavailable)
extension TraceTexts: Sendable {}

/// Texts one after the other, found by their hash.
private struct TextTable {
    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`.
    private var ends: [Int] = [0]
    /// Open addressing: the number of a text, or 0; a power of two, at most half full. The empty text is never looked up.
    private var slots = [UInt32](repeating: 0, count: 1_024)
    private var hashes: [UInt32] = [0]
    /// What stands for all texts that there was no room for; nil until then.
    private var overflowID: TextID?
    private(set) var overflowed: UInt64 = 0

    var count: Int { ends.count }

    func utf8(_ id: TextID) -> ArraySlice<UInt8> {
        let index = Int(id.index)
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }
}

/// Proof of the unsafe parts: all reads are below `text.count` of a buffer that the caller lends for the call.
extension TextTable {
    mutating func intern(_ whole: UnsafeRawBufferPointer) -> TextID {
        let text =
            unsafe whole.count <= TraceLimits.bytesPerText
            ? whole : UnsafeRawBufferPointer(rebasing: whole[..<TraceLimits.bytesPerText])
        guard unsafe text.count > 1 || (text.count == 1 && text[0] != UInt8(ascii: " ")) else { return .empty }
        let hash = unsafe Self.hash(text)
        let (slot, found) = unsafe place(of: text, hash)
        if found { return TextID(index: slots[slot]) }
        guard ends.count < TraceLimits.texts, bytes.count + text.count <= TraceLimits.textBytes else {
            return overflowText()
        }
        return unsafe enter(text, hash, at: slot)
    }

    mutating func overflowText() -> TextID {
        overflowed += 1
        if let overflowID { return overflowID }
        var text = TraceTexts.overflow
        // Beyond the limits by one text.
        let id = text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            let hash = unsafe Self.hash(text)
            let (slot, found) = unsafe place(of: text, hash)
            return unsafe found ? TextID(index: slots[slot]) : enter(text, hash, at: slot)
        }
        overflowID = id
        return id
    }

    private mutating func enter(_ text: UnsafeRawBufferPointer, _ hash: UInt32, at slot: Int) -> TextID {
        let id = TextID(index: UInt32(ends.count))
        unsafe bytes.append(contentsOf: text)
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = id.index
        if ends.count * 2 > slots.count { grow() }
        return id
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        for index in 1..<hashes.count {
            var slot = Int(hashes[index]) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index)
        }
    }

    @inline(__always)
    private func place(of text: UnsafeRawBufferPointer, _ hash: UInt32) -> (slot: Int, found: Bool) {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot])
            if hashes[index] == hash, unsafe isEqual(index, text) { return (slot, true) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (slot, false)
    }

    @inline(__always)
    private func isEqual(_ index: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let start = ends[index - 1]
        let count = text.count
        guard ends[index] - start == count else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let kept = bytes.baseAddress, let text = text.baseAddress else { return false }
            return unsafe memcmp(kept + start, text, count) == 0
        }
    }

    /// Eight bytes at a time; a trace is made by one's own programs, so no secret is needed.
    @inline(__always)
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt32 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = UInt64(truncatingIfNeeded: text.count) &* factor
        var offset = 0
        while offset + 8 <= text.count {
            hash = unsafe (hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
            hash ^= hash >> 29
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = unsafe rest << 8 | UInt64(text[offset])
            offset += 1
        }
        hash = (hash ^ rest) &* factor
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}

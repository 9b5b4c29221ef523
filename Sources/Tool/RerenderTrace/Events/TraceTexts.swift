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

/// Texts one after the other, found by their hash.
private struct TextTable {
    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`.
    private var ends: [Int] = [0]
    /// The numbers of texts by their hashes, or the next words that were free. The empty text is never looked up.
    private var numbers = WordIndex(capacity: 1_024)
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
        let (word, known) = unsafe place(of: text)
        if let known { return TextID(index: known) }
        guard ends.count < TraceLimits.texts, bytes.count + text.count <= TraceLimits.textBytes else {
            return overflowText()
        }
        return unsafe enter(text, at: word)
    }

    mutating func overflowText() -> TextID {
        overflowed += 1
        if let overflowID { return overflowID }
        var text = TraceTexts.overflow
        // Beyond the limits by one text.
        let id = text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            let (word, known) = unsafe place(of: text)
            return unsafe known.map { TextID(index: $0) } ?? enter(text, at: word)
        }
        overflowID = id
        return id
    }

    private mutating func enter(_ text: UnsafeRawBufferPointer, at word: UInt64) -> TextID {
        let id = TextID(index: UInt32(ends.count))
        unsafe bytes.append(contentsOf: text)
        ends.append(bytes.count)
        numbers.set(word, id.index)
        return id
    }

    /// The number of a text, and the word under which it is or belongs.
    @inline(__always)
    private func place(of text: UnsafeRawBufferPointer) -> (word: UInt64, known: UInt32?) {
        var word = unsafe Self.hash(text)
        while let known = numbers[word] {
            if unsafe isEqual(Int(known), text) { return (word, known) }
            word = max(1, word &+ 1)
        }
        return (word, nil)
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

    /// Eight bytes at a time, and never 0; a trace is made by one's own programs, so no secret is needed.
    @inline(__always)
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
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
        return max(1, hash ^ rest)
    }
}

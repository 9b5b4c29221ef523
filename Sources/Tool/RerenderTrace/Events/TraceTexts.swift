// SPDX-License-Identifier: MIT
// The texts of a trace, each kept once: what makes events plain values.

internal import Glibc

/// The texts that a trace's events name.
///
/// Grows with the number of different texts up to ``TraceLimits/texts`` and ``TraceLimits/textBytes``; not with the trace.
final class TraceTexts {
    /// One value, so that a look-up is one access of the object and not one for each array. Nothing is called in an access, and one
    /// thread reads a trace: the runtime need not be asked, which took a twentieth of a report's time.
    @exclusivity(unchecked) private var table = TextTable()

    /// What a text reads as that there was no room for.
    static let overflow = "<more texts>"

    init() {}

    /// How many there are, the empty one included.
    var count: Int { unsafe table.count }

    /// How many times a text found no room.
    var overflowed: UInt64 { unsafe table.overflowed }

    /// What stands for a text that there is no room for; counts it.
    func overflowText() -> TextID { unsafe table.overflowText() }

    /// The text of a number; bytes that are no UTF-8 are replaced.
    subscript(id: TextID) -> String {
        String(decoding: unsafe table.utf8(id), as: UTF8.self)
    }

    /// The number of a text, entered if it is new. A single space is the empty text.
    func intern(_ text: String) -> TextID {
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
    /// The numbers of the texts that were last at places in memory: 0 for none. A reader uses its memory again, mostly for the same.
    private var latest = InlineArray<256, UInt32>(repeating: 0)
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
        let slot = unsafe Self.slot(of: text)
        let last = latest[slot]
        if last != 0, unsafe isEqual(Int(last), text) { return TextID(index: last) }
        let id = unsafe find(text)
        latest[slot] = id.index
        return id
    }

    /// Looks a text up by its bytes, and enters it if it is new.
    private mutating func find(_ text: UnsafeRawBufferPointer) -> TextID {
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

    /// The slot of texts that lie at this address.
    @inline(__always)
    private static func slot(of text: UnsafeRawBufferPointer) -> Int {
        let address = UInt(bitPattern: text.baseAddress)
        return Int(truncatingIfNeeded: (address >> 4 ^ address >> 12) & 255)
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
        if offset == text.count { return max(1, hash) }
        return unsafe max(1, hash ^ ending(of: text))
    }

    /// The last eight bytes, some of which may have been looked at; of a text with less, all.
    @inline(__always)
    private static func ending(of text: UnsafeRawBufferPointer) -> UInt64 {
        let count = text.count
        if count >= 8 { return unsafe text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
        if count >= 4 {
            let (first, last) = unsafe (
                text.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
                text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            )
            return UInt64(first) << 32 | UInt64(last)
        }
        return unsafe UInt64(text[0]) << 16 | UInt64(text[count / 2]) << 8 | UInt64(text[count - 1])
    }
}

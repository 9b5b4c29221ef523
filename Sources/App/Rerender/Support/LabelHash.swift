// SPDX-License-Identifier: MIT
// Hashes the labels of views and the source places of probes, for looking views up.

import RerenderModel
import RerenderWire

/// Hashes labels. Not against attack: a label is the app's own.
enum LabelHash {
    /// A word of the label's UTF-8; equal labels have equal words.
    @inline(__always)
    static func word(of label: String) -> UInt64 {
        let word = unsafe label.utf8.withContiguousStorageIfAvailable { unsafe hash(UnsafeRawBufferPointer($0)) }
        return word ?? slowWord(of: label)
    }

    /// Eight bytes at a step; the bytes are read inside the caller's closure only.
    @inline(__always)
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = step(hash, unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(unsafe bytes[offset])
            offset += 1
        }
        return mixed(step(hash, rest))
    }

    @inline(__always)
    private static func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let mix = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return mix ^ (mix >> 32)
    }

    /// For strings that are not stored as UTF-8, which bridging makes elsewhere and Linux does not.
    private static func slowWord(of label: String) -> UInt64 {
        var copy = label
        copy.makeContiguousUTF8()
        return unsafe copy.utf8.withContiguousStorageIfAvailable { unsafe hash(UnsafeRawBufferPointer($0)) } ?? 0
    }
}

/// Names probes by their place in the source.
enum SiteHash {
    /// A word that no other place has; nil for a place that would not fit into one.
    ///
    /// A literal's address takes 47 bits, so a line of up to 16 has room below it.
    @inline(__always)
    static func word(of file: StaticString, line: UInt32) -> UInt64? {
        guard file.hasPointerRepresentation, line < 1 << 16 else { return nil }
        let address = unsafe UInt64(UInt(bitPattern: file.utf8Start))
        guard address < 1 << 48 else { return nil }
        // The product by an odd number is another one for each word, and so is what is done to it. What differs reaches the lowest bits.
        let product = (address << 16 | UInt64(line)) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }

    static func label(of file: StaticString, line: UInt32) -> String {
        "\(file):\(line)"
    }
}

/// Labels, reasons and names over their limits: two that differ stay different.
enum LongText {
    /// The text itself, or its start and a hash of the whole within `limit` bytes of UTF-8.
    @inline(__always)
    static func bounded(_ text: String, to limit: Int) -> String {
        text.utf8.count <= limit ? text : shortened(text, to: limit)
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        let hash = String(LabelHash.word(of: text), radix: 16)
        let ending = "…" + String(repeating: "0", count: 16 - hash.count) + hash
        return text.prefix(utf8Bytes: limit - ending.utf8.count) + ending
    }

    /// A string of its own storage.
    static func copy(_ text: String) -> String {
        String(decoding: Array(text.utf8), as: UTF8.self)
    }
}

/// Spreads all bits of a word over all bits of the result (the finaliser of MurmurHash3, by Austin Appleby).
@inline(__always)
func mixed(_ word: UInt64) -> UInt64 {
    var mix = word
    mix = (mix ^ (mix >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mix = (mix ^ (mix >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mix ^ (mix >> 33)
}

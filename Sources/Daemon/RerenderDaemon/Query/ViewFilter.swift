// SPDX-License-Identifier: MIT
// Which views an answer is about.

/// Chooses views by their keys.
struct ViewFilter {
    private let key: String?
    /// The wanted part in lower case.
    private let part: [UInt8]

    /// The views of one key, those whose key has a part in it, or all.
    init(key: String? = nil, match: String? = nil) {
        self.key = key
        part = (match ?? "").utf8.map(Self.lower)
    }

    /// Whether every view matches.
    var isOpen: Bool { key == nil && part.isEmpty }

    /// Whether the key is the wanted one and has the part in it. Compares bytes; only ASCII letters have a case.
    func matches(_ text: String) -> Bool {
        if let key, key != text { return false }
        return part.isEmpty || contains(text.utf8.span)
    }

    private func contains(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= part.count else { return false }
        for start in 0...(bytes.count - part.count) where starts(at: start, bytes) { return true }
        return false
    }

    private func starts(at start: Int, _ bytes: Span<UInt8>) -> Bool {
        for offset in part.indices where Self.lower(bytes[start + offset]) != part[offset] { return false }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

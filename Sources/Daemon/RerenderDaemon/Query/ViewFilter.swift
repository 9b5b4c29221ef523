// SPDX-License-Identifier: MIT
// Which views an answer is about.

/// Chooses views by their keys. Costs at most two comparisons for each byte of a key, whatever the key and the part are.
struct ViewFilter {
    private let key: String?
    /// The wanted part in lower case.
    private let part: [UInt8]
    /// For each number of bytes that matched, how many still do where the next one does not (Knuth, Morris, Pratt).
    private let shorter: [Int]

    /// The views of one key, those whose key has a part in it, or all.
    init(key: String? = nil, match: String? = nil) {
        self.key = key
        let part = (match ?? "").utf8.map(Self.lower)
        self.part = part
        shorter = Self.borders(of: part)
    }

    /// Whether every view matches.
    var isOpen: Bool { key == nil && part.isEmpty }

    /// Whether the key is the wanted one and has the part in it. Compares bytes; only ASCII letters have a case.
    func matches(_ text: String) -> Bool {
        if let key, !key.isSame(as: text) { return false }
        return part.isEmpty || contains(text.utf8.span)
    }

    private func contains(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= part.count else { return false }
        var matched = 0
        for index in bytes.indices {
            let byte = Self.lower(bytes[index])
            while matched > 0, part[matched] != byte { matched = shorter[matched] }
            guard part[matched] == byte else { continue }
            matched += 1
            if matched == part.count { return true }
        }
        return false
    }

    /// For each length the longest beginning of the part that ends there too and is shorter.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [Int](repeating: 0, count: part.count + 1)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[length] != part[index] { length = borders[length] }
            if part[length] == part[index] { length += 1 }
            borders[index + 1] = length
        }
        return borders
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

// SPDX-License-Identifier: MIT
// Numbers found by a word: one multiplication and, mostly, one comparison.

/// A table from words that are not zero to numbers; grows, and forgets only everything.
struct WordIndex: Sendable {
    private var keys: [UInt64]
    private var values: [UInt32]
    private(set) var count = 0

    /// Makes a table with room for half of `capacity`, a power of two.
    init(capacity: Int = 64) {
        keys = [UInt64](repeating: 0, count: capacity)
        values = [UInt32](repeating: 0, count: capacity)
    }

    /// The number of a word; nil if it has none.
    @inline(__always)
    subscript(word: UInt64) -> UInt32? {
        let slot = slot(of: word)
        return keys[slot] == word ? values[slot] : nil
    }

    /// Gives a word a number.
    @inline(__always)
    mutating func set(_ word: UInt64, _ value: UInt32) {
        let slot = slot(of: word)
        values[slot] = value
        guard keys[slot] != word else { return }
        keys[slot] = word
        count += 1
        if count * 2 > keys.count { grow() }
    }

    /// The place of a word among elements of a list, the last and new one if the word is new; nil where there is no room.
    @inline(__always)
    mutating func place<Element>(
        of word: UInt64, in list: inout [Element], limit: Int, _ element: @autoclosure () -> Element
    ) -> Int? {
        if let known = self[word] { return Int(known) }
        guard list.count < limit else { return nil }
        set(word, UInt32(list.count))
        list.append(element())
        return list.count - 1
    }

    /// Forgets all words and keeps the room.
    mutating func removeAll() {
        guard count > 0 else { return }
        for slot in keys.indices { keys[slot] = 0 }
        count = 0
    }

    @inline(__always)
    private func slot(of word: UInt64) -> Int {
        let mask = keys.count - 1
        let mixed = (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
        var slot = Int(truncatingIfNeeded: mixed >> 32) & mask
        while keys[slot] != word, keys[slot] != 0 { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let (oldKeys, oldValues) = (keys, values)
        keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
        values = [UInt32](repeating: 0, count: oldKeys.count * 2)
        for (key, value) in zip(oldKeys, oldValues) where key != 0 {
            let slot = slot(of: key)
            keys[slot] = key
            values[slot] = value
        }
    }
}

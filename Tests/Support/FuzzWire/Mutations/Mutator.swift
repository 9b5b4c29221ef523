// SPDX-License-Identifier: MIT
// Changes kept inputs without knowing what they reach: many thousand times a second.

import TestSupport

/// Makes inputs of those that are kept. Each has a number, and depends on the seed, the number and the kept inputs alone.
package struct Mutator: ~Copyable {
    private let kept: [[UInt8]]
    private let target: FuzzTarget
    private let seed: UInt64
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private var generator = SeededGenerator(seed: 0)

    /// - Parameter kept: At least one, none of them empty or longer than the target's longest.
    package init(_ kept: [[UInt8]], for target: FuzzTarget, seed: UInt64) throws(FuzzFinding) {
        try hold(!kept.isEmpty && kept.allSatisfy { !$0.isEmpty && $0.count <= target.longest }, "no inputs to change")
        (self.kept, self.target, self.seed) = (kept, target, seed)
        bytes = .allocate(capacity: target.longest)
        bytes.initialize(repeating: 0)
    }

    deinit { bytes.deallocate() }

    /// The input of that number: never one that is kept as it was.
    ///
    /// Its memory is as long as it is, so that a read behind its end is one behind its memory.
    package mutating func input(_ number: UInt64) -> [UInt8] {
        var first = SeededGenerator(seed: seed &+ number)
        generator = SeededGenerator(seed: first.next())
        let original = kept[below(kept.count)]
        repeat {
            restore(original)
            // Half of them have one change, a quarter two.
            let changes = min(8, 1 + generator.next().trailingZeroBitCount)
            for _ in 0..<changes { change() }
        } while isSame(as: original)
        return Array(UnsafeBufferPointer(rebasing: bytes[..<count]))
    }

    private mutating func restore(_ original: [UInt8]) {
        count = original.count
        for (place, byte) in original.enumerated() { bytes[place] = byte }
    }

    private func isSame(as original: [UInt8]) -> Bool {
        count == original.count && bytes[..<count].elementsEqual(original)
    }

    /// A number from 0 on; 0 where nothing is below.
    private mutating func below(_ limit: Int) -> Int {
        Int(((generator.next() >> 32) * UInt64(max(1, limit))) >> 32)
    }

    // MARK: Changes

    private mutating func change() {
        switch below(12) {
        case 0: bytes[below(count)] ^= 1 << UInt8(below(8))
        case 1: bytes[below(count)] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes[below(count)] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][below(6)]
        case 3, 4: put(number(), width: 1 << below(4), at: below(count))
        case 5: addSmall()
        case 6: remove(range())
        case 7: insert(random())
        case 8: insert(kept[below(kept.count)])
        case 9: overwrite(with: kept[below(kept.count)])
        case 10: repeatPart()
        default: count = 1 + below(count)
        }
    }

    /// One that sizes, sums and signs get wrong.
    private mutating func number() -> UInt64 {
        let edge = UInt64(1) << UInt64(below(64))
        switch below(6) {
        case 0: return edge
        case 1: return edge &- 1
        case 2: return 0 &- edge
        case 3: return UInt64(below(count + 8))
        case 4: return .max &- UInt64(below(16))
        default: return generator.next()
        }
    }

    /// Lowest byte first; cut at the end.
    private func put(_ number: UInt64, width: Int, at place: Int) {
        for byte in 0..<min(width, count - place) {
            bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
        }
    }

    private mutating func addSmall() {
        let (place, width) = (below(count), 1 << below(4))
        let old = (0..<min(width, count - place)).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
        put(old &+ UInt64(1 + below(16)) &* (below(2) == 0 ? 1 : .max), width: width, at: place)
    }

    private mutating func remove(_ range: Range<Int>) {
        guard range.count < count else { return }
        for place in range.upperBound..<count { bytes[place - range.count] = bytes[place] }
        count -= range.count
    }

    private mutating func random() -> [UInt8] {
        var word = generator.next()
        return (0..<1 + below(12)).map { _ in
            defer { word = word >> 8 | word << 56 }
            return UInt8(truncatingIfNeeded: word)
        }
    }

    /// A part of another one, as much as there is room for.
    private mutating func insert(_ other: [UInt8]) {
        let part = range(of: other.count)
        let length = min(part.count, target.longest - count)
        let place = edge(of: count + 1)
        for old in stride(from: count - 1, through: place, by: -1) { bytes[old + length] = bytes[old] }
        for byte in 0..<length { bytes[place + byte] = other[part.lowerBound + byte] }
        count += length
    }

    private mutating func overwrite(with other: [UInt8]) {
        let part = range(of: other.count)
        let place = edge(of: count)
        for byte in 0..<min(part.count, count - place) { bytes[place + byte] = other[part.lowerBound + byte] }
    }

    private mutating func repeatPart() {
        let part = range()
        insert(Array(UnsafeBufferPointer(rebasing: bytes[part])))
    }

    /// A part of the input, often of whole steps.
    private mutating func range() -> Range<Int> { range(of: count) }

    private mutating func range(of count: Int) -> Range<Int> {
        let start = edge(of: count)
        // Short ones are more frequent.
        let longest = min(count - start, 1 << below(10))
        let length = 1 + below(longest)
        let step = target.step
        guard length >= step, step > 1, below(4) > 0 else { return start..<start + length }
        return start..<start + length / step * step
    }

    /// A place below that number, mostly where a step begins.
    private mutating func edge(of limit: Int) -> Int {
        let place = below(limit)
        guard place >= target.head, target.step > 1, below(4) > 0 else { return place }
        return place - (place - target.head) % target.step
    }
}

// SPDX-License-Identifier: MIT
// Defects that the fuzzers must find; `CFuzzer` has one in C. A check that cannot fail says nothing.

extension FuzzTarget {
    /// Each has one defect, and is no target of `Scripts/fuzz` otherwise.
    package static let planted: [FuzzTarget] = [
        FuzzTarget("planted", longest: 8) { PlantedDefect.sink = PlantedDefect.read($0) },
        FuzzTarget("planted-answer", longest: 8) { try hold(!PlantedDefect.isWord($0), "the planted word is there") },
        FuzzTarget("planted-time", longest: 8, seconds: 2) {
            PlantedDefect.repeatForEver(if: PlantedDefect.isWord($0))
        },
    ]
}

/// What is wrong where an input begins with a word.
private enum PlantedDefect {
    /// What was read is used, so that the optimiser leaves it there.
    static nonisolated(unsafe) var sink: UInt8 = 0

    /// Reads one byte behind its memory where the bytes begin with the word: only Address Sanitizer sees that byte.
    static func read(_ bytes: [UInt8]) -> UInt8 {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        defer { copy.deallocate() }
        copy.initialize(repeating: 0, count: bytes.count + 1)
        for (place, byte) in bytes.enumerated() { copy[place] = byte }
        return isWord(bytes) ? copy[bytes.count + 1] : 0
    }

    /// Letter by letter, so that each is a way of its own: who sees the ways through this module finds the word.
    @inline(never)
    static func isWord(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 4, bytes[0] == UInt8(ascii: "R") else { return false }
        sink = 1
        guard bytes[1] == UInt8(ascii: "R") else { return false }
        sink = 2
        guard bytes[2] == UInt8(ascii: "D") else { return false }
        sink = 3
        return bytes[3] == UInt8(ascii: "R")
    }

    /// Takes processor time until somebody ends it.
    static func repeatForEver(if isWord: Bool) {
        while isWord { sink &+= 1 }
    }
}

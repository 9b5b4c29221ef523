// SPDX-License-Identifier: MIT
// A defect in Swift that the fuzzers must find; `CFuzzer` has one in C. A check that cannot fail says nothing.

/// Reads one byte behind its memory where the bytes begin with a word.
///
/// Only who sees the ways through this module finds the word, and only Address Sanitizer sees that byte.
package enum PlantedDefect {
    package static func run(_ bytes: [UInt8]) -> UInt8 {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        defer { copy.deallocate() }
        copy.initialize(repeating: 0, count: bytes.count + 1)
        for (place, byte) in bytes.enumerated() { copy[place] = byte }
        // Letter by letter, so that each is a way of its own.
        if bytes.count > 4, copy[0] == UInt8(ascii: "R") {
            if copy[1] == UInt8(ascii: "R") {
                if copy[2] == UInt8(ascii: "D") {
                    if copy[3] == UInt8(ascii: "R") { return copy[bytes.count + 1] }
                    return 3
                }
                return 2
            }
            return 1
        }
        return 0
    }
}

// SPDX-License-Identifier: MIT
// How answers are written: a document element by element, and a value on a line.

import FoundationEssentials

/// Writes a document with a list, element by element, as `StatsExport.encoder()` writes the whole.
///
/// An encoder holds some ten kilobytes for each view of what it writes, and a busy daemon has 100,000 views.
package struct ListText: Sendable {
    /// Up to the list, with its bracket.
    package let beginning: [UInt8]
    private let rest: [UInt8]
    private let depth: Int
    private var isEmpty = true
    private var hasEnded = false

    private static let encoder = StatsExport.encoder()
    private static let newline = UInt8(ascii: "\n")

    /// - Parameters:
    ///   - document: The document without any element.
    ///   - list: The name of its list.
    ///   - depth: How many brackets are open around it.
    package init(_ document: some Encodable, list: String, depth: Int = 0) throws {
        let text = try Self.text(of: document, depth: depth)
        // No text in a string has a newline, so that this is the list of the document itself.
        let blanks = String(repeating: "  ", count: depth + 1)
        let mark = Array("\n\(blanks)\"\(list)\" : [".utf8)
        let end = text.firstRange(of: mark)?.upperBound ?? text.endIndex
        beginning = Array(text[..<end])
        // An empty list has an empty line.
        rest = Array(text[end...].dropFirst())
        self.depth = depth
    }

    /// What stands before the next element.
    package mutating func separator() -> [UInt8] {
        let start = isEmpty ? [Self.newline] : [UInt8(ascii: ","), Self.newline]
        isEmpty = false
        return start + Self.blanks(depth + 2)
    }

    /// The next element, with what stands before it.
    package mutating func add(_ element: some Encodable) throws -> [UInt8] {
        let text = try Self.text(of: element, depth: depth + 2)
        return separator() + text
    }

    /// The end of the list and of the document; nil where that was asked for before.
    package mutating func end() -> [UInt8]? {
        guard !hasEnded else { return nil }
        hasEnded = true
        return (isEmpty ? [Self.newline] : []) + rest
    }

    private static func blanks(_ depth: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }

    private static func text(of value: some Encodable, depth: Int) throws -> [UInt8] {
        let text = Array(try encoder.encode(value))
        guard depth > 0 else { return text }
        let blanks = blanks(depth)
        var shifted: [UInt8] = []
        shifted.reserveCapacity(text.count * 2)
        for (index, byte) in text.enumerated() {
            shifted.append(byte)
            if byte == newline, index + 1 < text.count, text[index + 1] != newline { shifted += blanks }
        }
        return shifted
    }
}

/// A value on a line of its own.
package enum JSONLine {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The value with sorted keys, and a newline.
    package static func text(_ value: some Encodable) throws -> [UInt8] {
        Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }
}

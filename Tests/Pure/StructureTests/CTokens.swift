// SPDX-License-Identifier: MIT
// Splits C source into words and symbols, without comments and literals.

/// The tokens of a C file.
struct CTokens {
    private(set) var code: [Token] = []
    /// Those of each directive, without its `#`.
    private(set) var directives: [[Token]] = []

    private let bytes: [UInt8]
    private var place = 0
    /// The directive that is being read.
    private var directive: [Token]?
    private var isAtLineStart = true

    init(_ source: String) {
        bytes = Array(source.utf8)
        while place < bytes.count { readNext() }
        endLine()
    }

    private mutating func readNext() {
        let byte = bytes[place]
        if starts("\\\n") {
            place += 2
        } else if byte == UInt8(ascii: "\n") {
            endLine()
            place += 1
        } else if byte <= UInt8(ascii: " ") {
            place += 1
        } else if starts("//") {
            place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        } else if starts("/*") {
            while place < bytes.count, !starts("*/") { place += 1 }
            place += 2
        } else {
            readToken(byte)
            isAtLineStart = false
        }
    }

    private mutating func readToken(_ byte: UInt8) {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            skipLiteral(byte)
        } else if byte == UInt8(ascii: "#"), isAtLineStart {
            directive = []
            place += 1
        } else if byte.isOfWord {
            let start = place
            while place < bytes.count, bytes[place].isOfWord { place += 1 }
            append(.word(String(decoding: bytes[start..<place], as: UTF8.self)))
        } else {
            append(.symbol(byte))
            place += 1
        }
    }

    /// Up to its other quote, and not beyond its line.
    private mutating func skipLiteral(_ quote: UInt8) {
        place += 1
        while place < bytes.count, bytes[place] != quote, bytes[place] != UInt8(ascii: "\n") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
    }

    private mutating func append(_ token: Token) {
        if directive == nil { code.append(token) } else { directive?.append(token) }
    }

    private mutating func endLine() {
        if let directive { directives.append(directive) }
        directive = nil
        isAtLineStart = true
    }

    private func starts(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }
}

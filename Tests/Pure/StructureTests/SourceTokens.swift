// SPDX-License-Identifier: MIT
// Splits Swift source into words and symbols, without comments and literals.

/// A word or a symbol of Swift source.
enum Token: Equatable {
    /// An identifier, a keyword or a number.
    case word(String)
    /// Any other character.
    case symbol(UInt8)

    var word: String? { if case .word(let word) = self { word } else { nil } }

    static func == (token: Token, character: Unicode.Scalar) -> Bool { token == .symbol(UInt8(ascii: character)) }
}

/// Reads tokens. Comments and the text of literals are left out; code inside `\(…)` is not.
struct SourceTokens {
    /// What encloses the reader's place, from outside to inside.
    private enum Context: Equatable {
        /// Code inside `\(…)`, with the number of parentheses that are open in it.
        case interpolation(parentheses: Int)
        case literal(quotes: Int, hashes: Int)
    }

    private let bytes: [UInt8]
    private var place = 0
    private var contexts: [Context] = []
    private var tokens: [Token] = []

    static func of(_ source: String) -> [Token] {
        var reader = SourceTokens(bytes: Array(source.utf8))
        return reader.read()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read() -> [Token] {
        while place < bytes.count {
            if case .literal(let quotes, let hashes)? = contexts.last {
                readLiteral(quotes, hashes)
            } else {
                readCode()
            }
        }
        return tokens
    }

    private mutating func readCode() {
        let byte = bytes[place]
        if byte.isOfWord {
            readWord()
        } else if starts("//") {
            place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        } else if starts("/*") {
            skipComment()
        } else if let opening = literalOpening() {
            contexts.append(.literal(quotes: opening.quotes, hashes: opening.hashes))
            place += opening.quotes + opening.hashes
        } else {
            readSymbol(byte)
        }
    }

    private mutating func readWord() {
        let start = place
        while place < bytes.count, bytes[place].isOfWord { place += 1 }
        tokens.append(.word(String(decoding: bytes[start..<place], as: UTF8.self)))
    }

    private mutating func readSymbol(_ byte: UInt8) {
        place += 1
        if case .interpolation(let parentheses)? = contexts.last {
            if byte == UInt8(ascii: ")"), parentheses == 0 {
                contexts.removeLast()
                return
            }
            let change = byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
            contexts[contexts.count - 1] = .interpolation(parentheses: parentheses + change)
        }
        if byte > UInt8(ascii: " ") { tokens.append(.symbol(byte)) }
    }

    private mutating func readLiteral(_ quotes: Int, _ hashes: Int) {
        if starts(String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)) {
            contexts.removeLast()
            place += quotes + hashes
        } else if starts("\\" + String(repeating: "#", count: hashes)) {
            place += 1 + hashes
            if place < bytes.count, bytes[place] == UInt8(ascii: "(") {
                contexts.append(.interpolation(parentheses: 0))
            }
            place += 1
        } else {
            place += 1
        }
    }

    /// The quotes and hashes of a literal that begins here.
    private func literalOpening() -> (quotes: Int, hashes: Int)? {
        var end = place
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        let hashes = end - place
        return (starts("\"\"\"", at: end) ? 3 : 1, hashes)
    }

    /// Swift's comments nest.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                place += 2
            } else if starts("*/") {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    private func starts(_ text: String) -> Bool { starts(text, at: place) }

    private func starts(_ text: String, at start: Int) -> Bool {
        var at = start
        for byte in text.utf8 {
            guard at < bytes.count, bytes[at] == byte else { return false }
            at += 1
        }
        return true
    }
}

extension UInt8 {
    /// Whether it is a part of a word or a number.
    var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

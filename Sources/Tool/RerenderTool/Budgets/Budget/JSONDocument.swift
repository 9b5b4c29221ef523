// SPDX-License-Identifier: MIT
// A strict JSON parser that keeps the line of each value, so that errors can name it.

/// A value of a JSON document.
struct JSONNode: Hashable, Sendable {
    /// What it is.
    indirect enum Value: Hashable, Sendable {
        case null
        case flag(Bool)
        /// A number as it is written.
        case number(String)
        case text(String)
        case list([JSONNode])
        case object([Member])
    }

    /// A named value of an object.
    struct Member: Hashable, Sendable {
        var name: String
        /// The line of the name.
        var line: Int
        var node: JSONNode
    }

    /// The line where it begins; 1 is the first.
    var line: Int
    var value: Value

    /// What it is, as a text for people.
    var kind: String {
        switch value {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// What is wrong with a document, and where.
struct JSONFault: Error, Hashable, Sendable {
    let line: Int
    let reason: String
}

/// Reads RFC 8259, and nothing beside: no comments, no commas at the end, no name twice in one object.
struct JSONDocument: Sendable {
    /// How deep values may be nested; the documents of people have three or four levels.
    static let deepest = 32

    private let bytes: [UInt8]
    private var at = 0
    private var line = 1

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The document's value. Linear in its length.
    static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONFault(line: 1, reason: "it is not UTF-8")
        }
        var document = JSONDocument(bytes)
        let node = try document.value(depth: 0)
        document.skipBlanks()
        if let byte = document.peek { throw document.fault("\(Self.name(byte)) after the end of the document") }
        return node
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func fault(_ reason: String) -> JSONFault { JSONFault(line: line, reason: reason) }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            if byte == 0x0A { line += 1 }
            at += 1
        }
    }

    private mutating func take(_ wanted: Character) throws(JSONFault) {
        skipBlanks()
        guard peek == wanted.asciiValue else { throw fault("expected '\(wanted)' but found \(found)") }
        at += 1
    }

    /// What comes next, for an error.
    private var found: String { peek.map(Self.name) ?? "the end" }

    private static func name(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "a byte 0x\(String(byte, radix: 16))"
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
        skipBlanks()
        let start = line
        switch peek {
        case UInt8(ascii: "{"): return JSONNode(line: start, value: .object(try members(depth: depth + 1)))
        case UInt8(ascii: "["):
            return JSONNode(
                line: start,
                value: .list(
                    try list(until: "]", depth + 1) { json throws(JSONFault) in try json.value(depth: depth + 1) }))
        case UInt8(ascii: "\""): return JSONNode(line: start, value: .text(try string()))
        case let byte? where Self.isInNumber(byte): return JSONNode(line: start, value: .number(try number()))
        default:
            for (word, value) in [("true", JSONNode.Value.flag(true)), ("false", .flag(false)), ("null", .null)]
            where bytes[at...].starts(with: word.utf8) {
                at += word.utf8.count
                return JSONNode(line: start, value: value)
            }
            throw fault("expected a value but found \(found)")
        }
    }

    private mutating func members(depth: Int) throws(JSONFault) -> [JSONNode.Member] {
        var lines: [String: Int] = [:]
        return try list(until: "}", depth) { json throws(JSONFault) in
            guard json.peek == UInt8(ascii: "\"") else {
                throw json.fault("expected a name in quotes but found \(json.found)")
            }
            let start = json.line
            let name = try json.string()
            if let other = lines.updateValue(start, forKey: name) {
                throw JSONFault(line: start, reason: "duplicate name \"\(name)\", also in line \(other)")
            }
            try json.take(":")
            return JSONNode.Member(name: name, line: start, node: try json.value(depth: depth))
        }
    }

    /// The parts from an opening bracket to the closing one, with commas between them.
    private mutating func list<Part>(
        until end: Character, _ depth: Int, _ part: (inout JSONDocument) throws(JSONFault) -> Part
    ) throws(JSONFault) -> [Part] {
        guard depth <= Self.deepest else { throw fault("it is nested deeper than \(Self.deepest) levels") }
        at += 1
        var parts: [Part] = []
        skipBlanks()
        while peek != end.asciiValue {
            if !parts.isEmpty { try take(",") }
            skipBlanks()
            parts.append(try part(&self))
            skipBlanks()
        }
        at += 1
        return parts
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = at
        while let byte = peek, Self.isInNumber(byte) { at += 1 }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
            throw fault("'\(text.prefix(40))' is not a number")
        }
        return text
    }

    private static func isInNumber(_ byte: UInt8) -> Bool { "0123456789+-.eE".utf8.contains(byte) }
}

extension JSONDocument {
    /// Reads a string whose opening quotation mark is next.
    private mutating func string() throws(JSONFault) -> String {
        at += 1
        var text: [UInt8] = []
        while let byte = peek {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(Character(try escaped())).utf8)
            case ..<0x20: throw fault("\(Self.name(byte)) in a string must be escaped")
            default: text.append(byte)
            }
        }
        throw fault("unterminated string")
    }

    private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
        guard let byte = peek else { throw fault("unterminated string") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default: throw fault("invalid escape '\\\(Character(Unicode.Scalar(byte)))'")
        }
    }

    private mutating func unicode() throws(JSONFault) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), bytes[at...].starts(with: #"\u"#.utf8) else {
            throw fault("unpaired surrogate")
        }
        at += 2
        let second = try hexadecimal()
        guard UTF16.isTrailSurrogate(second) else { throw fault("unpaired surrogate") }
        let (high, low) = (UInt32(first) - 0xD800, UInt32(second) - 0xDC00)
        guard let scalar = Unicode.Scalar(0x10000 + (high << 10 | low)) else { throw fault("unpaired surrogate") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
        let digits = bytes[at...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("'\\u' needs four hexadecimal digits") }
        at += 4
        return value
    }
}

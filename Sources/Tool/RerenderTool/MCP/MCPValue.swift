// SPDX-License-Identifier: MIT
// JSON of the Model Context Protocol: what a client sends, which may be anything, and what it gets.

import FoundationEssentials
import RerenderModel

/// A value of JSON.
enum MCPValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([MCPValue])
    case fields([String: MCPValue])
    /// What no message of the protocol needs: a number with a fraction or beyond `Int`, half of a character, or what is too deep.
    case unusable

    /// What is deeper is not read: no message of the protocol is, and each level takes stack.
    private static let deepest = 8

    /// Reads a document; nil where it is not JSON.
    init?(_ document: [UInt8]) {
        guard let value = try? JSONDecoder().decode(MCPValue.self, from: Data(document)) else { return nil }
        self = value
    }

    /// The member of an object.
    subscript(name: String) -> MCPValue? {
        if case .fields(let fields) = self { fields[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = (try? encoder.encode(self)).map { Array($0) } ?? []
        return bytes + [UInt8(ascii: "\n")]
    }
}

extension MCPValue: Codable {
    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.deepest else {
            self = .unusable
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([MCPValue].self) {
            self = .list(list)
        } else if let fields = try? value.decode([String: MCPValue].self) {
            self = .fields(fields)
        } else {
            self = .unusable
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null, .unusable: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .fields(let fields): try value.encode(fields)
        }
    }
}

extension MCPValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral text: String) { self = .text(text) }

    init(dictionaryLiteral fields: (String, MCPValue)...) {
        self = .fields(Dictionary(fields) { first, _ in first })
    }
}

/// Keeps the text of an answer within what a client takes.
enum MCPText {
    /// The most bytes of a message: 4,000 tokens, at three bytes for each.
    static let mostBytes = 12_000
    /// What is around the text, and the line that says what is missing.
    private static let around = 800

    /// The text, or its first lines and how many are missing.
    ///
    /// - Parameter advice: What shows the rest.
    static func fit(_ text: String, advice: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var (kept, size) = ([Substring](), 0)
        for line in lines {
            size += Self.size(line.unicodeScalars) + 2
            guard size <= mostBytes - around else { break }
            kept.append(line)
        }
        guard kept.count < lines.count else { return text }
        var start = ""
        if kept.isEmpty, let line = lines.first {
            (kept, start) = ([beginning(of: line)], "the end of this line, and ")
        }
        let missing = Counted.text(lines.count - kept.count, "line")
        return kept.joined(separator: "\n") + "\n! cut: \(start)\(missing) more. \(advice)"
    }

    /// How many bytes a text has in a string of JSON, at most.
    private static func size(_ text: some Sequence<Unicode.Scalar>) -> Int {
        text.reduce(0) { $0 + size($1) }
    }

    private static func size(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\"", "\\": 2
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: 6
        default: UTF8.width(scalar)
        }
    }

    private static func beginning(of line: Substring) -> Substring {
        var left = mostBytes - around
        let scalars = line.unicodeScalars.prefix {
            left -= size($0)
            return left > 0
        }
        return Substring(scalars)
    }
}

// SPDX-License-Identifier: MIT
// Text of unknown origin made readable, and safe for a terminal or in the syntax of another program: XML, HTML, CSV, and a shell's.

/// The rules of a syntax that text is written in.
package protocol TextSyntax: Sendable {
    /// Returns a text as the syntax writes it, so that nothing in it has a meaning.
    ///
    /// It gets scalars and not characters: a sign of the syntax and an accent behind it are one `Character`.
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView
}

/// Text in a syntax in which no text of others has a meaning.
///
/// A literal is taken as it is. What is interpolated is escaped, and so is what ``init(_:)`` takes:
///
/// ```swift
/// let line: ShellCommand = "rerenderctl explain \(key)"
/// ```
///
/// Nothing else makes one, and nothing changes one. What writes in a syntax takes its type, so that a text that was not escaped does not
/// compile there.
package struct EscapedText<Syntax: TextSyntax>: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text, for what writes it. It must not be changed: it could get another meaning.
    package let text: String

    fileprivate init(escaped text: String) { self.text = text }

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation parts: Parts) { text = String(parts.text) }

    /// Escapes a text. Linear in its length. A literal is not escaped here either: the compiler takes it for one of this type.
    package init(_ text: String) { self.text = String(Syntax.escaped(text.unicodeScalars)) }

    /// A number, which no syntax escapes.
    package init(_ number: some BinaryInteger) { text = String(number) }

    package static func + (one: Self, other: Self) -> Self { Self(escaped: one.text + other.text) }

    /// The pieces that a literal is made of.
    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = "".unicodeScalars

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text.append(contentsOf: literal.unicodeScalars) }

        package mutating func appendInterpolation(_ other: String) {
            text.append(contentsOf: Syntax.escaped(other.unicodeScalars))
        }

        package mutating func appendInterpolation(_ other: EscapedText) {
            text.append(contentsOf: other.text.unicodeScalars)
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text.append(contentsOf: String(number).unicodeScalars)
        }
    }
}

extension EscapedText: CustomStringConvertible {
    /// The same as ``text``, for sentences that name a command.
    package var description: String { text }
}

extension Sequence {
    /// The texts in one, with a separator between them.
    package func joined<Syntax>(separator: EscapedText<Syntax>) -> EscapedText<Syntax>
    where Element == EscapedText<Syntax> {
        EscapedText(escaped: map(\.text).joined(separator: separator.text))
    }
}

/// Markup. Interpolated text is shown as it is, between tags and in attributes with quotation marks.
package typealias Markup = EscapedText<MarkupSyntax>

/// How XML writes text; HTML and the markup of notifications read it too.
package enum MarkupSyntax: TextSyntax {
    /// A text of an element or an attribute. What XML has no way to write (most control characters, U+FFFE, U+FFFF), and what ``Printable``
    /// escapes, is written as `\u{…}`.
    package static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var escaped = "".unicodeScalars
        for scalar in Printable.text(String(text)).unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&apos;".unicodeScalars)
            case "\u{FFFE}", "\u{FFFF}":
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}

/// A command line, or some words of one, for a POSIX shell, zsh or fish. Each interpolated text is one word.
///
/// A word that begins with a hyphen is still an option to the command: give it behind `--`.
package typealias ShellCommand = EscapedText<ShellSyntax>

/// How a shell's word is written.
package enum ShellSyntax: TextSyntax {
    /// A word, quoted where a shell would change it.
    ///
    /// An apostrophe and a backslash stand outside of the quotation, each behind a backslash: between apostrophes, fish takes a backslash
    /// for an escape, and other shells do not. What is not ASCII is quoted too: it may be replaced by question marks later.
    package static func escaped(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard word.isEmpty || word.first == "=" || !word.allSatisfy(isPlain) else { return word }
        var quoted = "".unicodeScalars
        var isOpen = false
        func toggled(_ wanted: Bool) {
            if isOpen != wanted { quoted.append("'") }
            isOpen = wanted
        }
        for scalar in word {
            let isOutside = scalar == "'" || scalar == "\\"
            toggled(!isOutside)
            if isOutside { quoted.append("\\") }
            quoted.append(scalar)
        }
        if word.isEmpty { toggled(true) }
        toggled(false)
        return quoted
    }

    fileprivate static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z", "-", "_", ".", "/", ":", "=", ",", "@", "%", "+": true
        default: false
        }
    }
}

extension EscapedText<ShellSyntax> {
    package static func line(_ words: [String]) -> Self { words.map { Self($0) }.joined(separator: " ") }

    /// A path that is to be copied; what a terminal would obey in it is shown.
    package static func path(_ path: String) -> Self { Self(Printable.exact(path)) }

    /// Reads a command that came from elsewhere: words with a blank between two, each plain or quoted. Nil for anything that a shell would do more
    /// with.
    package init?(parsing text: String) {
        guard let words = ShellSyntax.words(of: text) else { return nil }
        self = .line(words)
    }
}

extension ShellSyntax {
    /// The words of a command, each plain or quoted, with a blank between two; nil for any other text.
    fileprivate static func words(of text: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var (isOpen, isEscaped) = (false, false)
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                word = (word ?? "".unicodeScalars) + [scalar]
                isEscaped = false
            case "'":
                word = word ?? "".unicodeScalars
                isOpen.toggle()
            case _ where isOpen: word?.append(scalar)
            case "\\": isEscaped = true
            case " ":
                guard let whole = word else { return nil }
                words.append(String(whole))
                word = nil
            default:
                guard isPlain(scalar) else { return nil }
                word = (word ?? "".unicodeScalars) + [scalar]
            }
        }
        guard let last = word, !isOpen, !isEscaped else { return nil }
        return words + [String(last)]
    }

    /// What a verdict asks for next; all of it reads, and nothing else runs or is written.
    private static let asked: Set = ["explain", "hangs", "stats"]
    private static let askedOptions: Set = ["--process", "--sources", "--since", "--from", "--to"]

    /// Whether a command only asks `rerenderctl` for more, as commands of a verdict do.
    fileprivate static func isQuestion(_ text: String) -> Bool {
        guard let words = words(of: text), words.count > 1, words[0] == "rerenderctl", asked.contains(words[1])
        else { return false }
        return words.prefix { $0 != "--" }.allSatisfy { !$0.utf8.starts(with: "-".utf8) || askedOptions.contains($0) }
    }
}

extension KeyedDecodingContainer {
    /// Reads the command of a document, which anybody may have written: nil unless it only asks `rerenderctl` for more and can be printed.
    /// ``Verdict/Finding`` is decoded with this.
    package func decodeIfPresent(_ type: ShellCommand.Type, forKey key: Key) throws -> ShellCommand? {
        guard let text = try decodeIfPresent(String.self, forKey: key), Printable.exact(text) == text,
            ShellSyntax.isQuestion(text)
        else { return nil }
        return ShellCommand(parsing: text)
    }
}

extension EscapedText: Codable where Syntax == ShellSyntax {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let command = Self(parsing: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no plain command"))
        }
        self = command
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Makes text from an app safe to print.
package enum Printable: Sendable {
    /// Returns the text as people read it: ``exact(_:)``, with mangled names made readable as ``MangledNames`` does.
    package static func text(_ text: String) -> String { exact(MangledNames.readable(text)) }

    /// Returns the text with everything escaped that a terminal would obey instead of show. For what must stay what it is, such as a path.
    ///
    /// Escaped as `\u{HEX}` are control characters (C0, DEL, C1), line and paragraph separators, and the
    /// bidirectional controls with which text can be made to look like other text. Linear in the text's length.
    package static func exact(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The longest start of the string that fits into `limit` bytes of UTF-8 and splits no character.
    package func prefix(utf8Bytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var bytes = 0
        return prefix { character in
            bytes += character.utf8.count
            return bytes <= limit
        }
    }
}

// SPDX-License-Identifier: MIT
// Command lines that are there to be copied into a shell.

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
    /// Words as one line.
    package static func line(_ words: [String]) -> Self { words.map { Self($0) }.joined(separator: " ") }

    /// A path that is to be copied; what a terminal would obey in it is shown.
    package static func path(_ path: String) -> Self { Self(Printable.text(path)) }

    /// Reads a command that came from elsewhere: words with a blank between two, each plain or quoted. Nil for anything that a shell would do more
    /// with.
    package init?(parsing text: String) {
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
                guard ShellSyntax.isPlain(scalar) else { return nil }
                word = (word ?? "".unicodeScalars) + [scalar]
            }
        }
        guard let last = word, !isOpen, !isEscaped else { return nil }
        self = .line(words + [String(last)])
    }
}

extension KeyedDecodingContainer {
    /// Reads the command of a document. Nil unless it runs `rerenderctl` and can be printed. ``Verdict/Finding`` is decoded with this.
    package func decodeIfPresent(_ type: ShellCommand.Type, forKey key: Key) throws -> ShellCommand? {
        guard let text = try decodeIfPresent(String.self, forKey: key), Printable.text(text) == text,
            text.hasPrefix("rerenderctl ")
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

// SPDX-License-Identifier: MIT
// Text where only ASCII can be shown.

/// Text for a locale that has no UTF-8, in as many columns.
package enum ASCIIText {
    /// The text with what is not ASCII replaced.
    ///
    /// ASCII stays as it is, also where an accent makes one character of it and what follows: a quotation that was closed is still closed. Nothing is
    /// replaced by an apostrophe, a quotation mark or a backslash, so that what was quoted for a shell is one word still.
    package static func of(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.reduce(into: "") { $0.unicodeScalars += of($1) }
    }

    private static func of(_ character: Character) -> String.UnicodeScalarView {
        if let sign = sign(character) { return String.UnicodeScalarView([sign]) }
        // What fills the columns stands in the place of the first scalar that is replaced.
        let others = character.unicodeScalars.count { $0.isASCII }
        var columns = max(0, DisplayWidth.of(character) - others)
        return character.unicodeScalars.reduce(into: "".unicodeScalars) { ascii, scalar in
            guard !scalar.isASCII else { return ascii.append(scalar) }
            ascii.append(contentsOf: repeatElement("?", count: columns))
            columns = 0
        }
    }

    /// An asterisk replaces the ellipsis: `Ticker.a*.swift:19`.
    private static func sign(_ character: Character) -> Unicode.Scalar? {
        switch character {
        case "…": "*"
        case "←": "<"
        case "→": ">"
        case "µ": "u"
        case "×": "x"
        case "▼": "v"
        case "▲": "^"
        case "─", "–": "-"
        case "·": "."
        default: nil
        }
    }

    /// Whether the locale has UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that has a value decides. Where none has one, nobody
    /// asked for less.
    package static func isUTF8(environment: (String) -> String?) -> Bool {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
        guard let locale = values.first(where: { !$0.isEmpty })?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }
}

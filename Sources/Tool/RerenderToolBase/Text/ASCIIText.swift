// SPDX-License-Identifier: MIT
// Text where only ASCII can be shown.

/// Text for a locale that has no UTF-8, in as many columns.
package enum ASCIIText {
    /// The text with what is not ASCII replaced.
    package static func of(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.reduce(into: "") { $0 += of($1) }
    }

    /// An asterisk replaces the ellipsis: `Ticker.a*.swift:19`.
    private static func of(_ character: Character) -> String {
        switch character {
        case "…": "*"
        case "←": "<"
        case "→": ">"
        case "µ": "u"
        case "×": "x"
        case "▼": "v"
        case "▲": "^"
        case "─": "-"
        case "·": "'"
        case "–": "-"
        default: character.isASCII ? String(character) : String(repeating: "?", count: DisplayWidth.of(character))
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

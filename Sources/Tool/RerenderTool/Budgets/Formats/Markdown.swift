// SPDX-License-Identifier: MIT
// Writes Markdown for GitHub and GitLab. An app's names never become markup.

package import RerenderModel

/// Markdown. Interpolated text is on one line and has no meaning.
package typealias Markdown = EscapedText<MarkdownSyntax>

/// How Markdown writes text.
package enum MarkdownSyntax: TextSyntax {
    /// Text in which nothing has a meaning, on one line. What could be markup where it stands is written as its number; what could not stays as
    /// it is, so that a log can be read.
    package static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        let scalars = Array(Printable.text(String(text)).unicodeScalars)
        return scalars.indices.reduce(into: "".unicodeScalars) { escaped, place in
            if MarkupRule.isMarkup(scalars, at: place) {
                escaped.append(contentsOf: "&#\(scalars[place].value);".unicodeScalars)
            } else {
                escaped.append(scalars[place])
            }
        }
    }
}

extension EscapedText<MarkdownSyntax> {
    /// A name as code.
    ///
    /// Not with backticks: a `|` in them ends a table's cell, and what `\|` means there differs. In HTML every character
    /// that could be markup can be written as its number, and nothing in `<code>` is taken for a mention.
    static func code(_ text: String) -> Markdown { "<code>\(text)</code>" }

    /// A list item for each text.
    static func items(_ texts: [String]) -> [Markdown] { texts.map { "- \($0)" } }

    /// A table. All columns but the first are numbers where `isNumeric`.
    static func table(_ header: [Markdown], _ rows: [[Markdown]], isNumeric: Bool) -> [Markdown] {
        let rule = header.indices.map { isNumeric && $0 > 0 ? "---:" : "---" as Markdown }
        return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
    }

    /// Lines that open on a click, with a blank line on either side as Markdown within HTML needs it.
    static func folded(_ title: Markdown, _ lines: [Markdown]) -> [Markdown] {
        ["<details><summary>\(title)</summary>", ""] + lines + ["", "</details>", ""]
    }
}

/// Whether a character of a text could be markup for CommonMark, GitHub or GitLab.
private enum MarkupRule {
    /// What may be markup anywhere: escapes, entities and tags, code, emphasis, links and pictures, cells of tables, mentions and references,
    /// formulas, and GitLab's `{+ +}`.
    private static let everywhere = Set("\\&<>`*[]!|@#${}".unicodeScalars)
    /// What begins a list, or underlines a heading.
    private static let beginning = Set("-+= ".unicodeScalars)

    static func isMarkup(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        let before = place > 0 ? text[place - 1] : nil
        let after = place + 1 < text.count ? text[place + 1] : nil
        switch text[place] {
        case let scalar where everywhere.contains(scalar): return true
        case let scalar where place == 0 && beginning.contains(scalar): return true
        // Emphasis, but for that within a word: `left_pad`.
        case "_": return !isWord(before) || !isWord(after)
        // Only one right behind something ends what it strikes through: `~8` is a number.
        case "~": return before.map { $0 != " " } ?? false
        // A milestone of GitLab's: `%7`.
        case "%": return isWord(after) && !isWord(before)
        case ":": return isEmojiOrAddress(text, at: place)
        // An item of a list: `1. `. Or an address: `www.`.
        case ".", ")": return (isNumber(text[..<place]) && after ?? " " == " ") || endsInWWW(text[..<place])
        default: return false
        }
    }

    /// `:name:` is a picture, and `https://` makes a link.
    private static func isEmojiOrAddress(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        let rest = text[(place + 1)...]
        if rest.starts(with: "//".unicodeScalars) { return true }
        let name = rest.prefix { isWord($0) || "_+-".unicodeScalars.contains($0) }
        return !name.isEmpty && name.endIndex < text.endIndex && text[name.endIndex] == ":"
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    }

    private static func isNumber(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) }
    }

    private static func endsInWWW(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.count >= 3 && text.suffix(3).allSatisfy { $0 == "w" || $0 == "W" }
    }
}

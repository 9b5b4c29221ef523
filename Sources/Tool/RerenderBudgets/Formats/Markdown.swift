// SPDX-License-Identifier: MIT
// Writes Markdown for GitHub and GitLab. An app's names never become markup.

import RerenderModel

/// Writes pieces of Markdown.
package enum Markdown {
    /// A name as code.
    ///
    /// Not with backticks: a `|` in them ends a table's cell, and what `\|` means there differs. In HTML every character
    /// with a meaning can be written as its number, and nothing in `<code>` is taken for a mention.
    package static func code(_ text: String) -> String {
        "<code>\(escaped(text))</code>"
    }

    /// Text in which nothing has a meaning: on one line, and all but letters, digits and blanks as numbers.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in Printable.text(text).unicodeScalars {
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar == " " || scalar == ","
            if isPlain || scalar.properties.numericType != nil {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "&#\(scalar.value);"
            }
        }
        return escaped
    }

    /// A table; the cells are Markdown already. All columns but the first are numbers where `isNumeric`.
    package static func table(_ header: [String], _ rows: [[String]], isNumeric: Bool) -> [String] {
        let rule = header.indices.map { isNumeric && $0 > 0 ? "---:" : "---" }
        return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    /// Lines that open on a click, with a blank line on either side as Markdown within HTML needs it.
    package static func folded(_ title: String, _ lines: [String]) -> [String] {
        ["<details><summary>\(title)</summary>", ""] + lines + ["", "</details>", ""]
    }
}

// SPDX-License-Identifier: MIT
// Text in XML and HTML.

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

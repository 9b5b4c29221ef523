// SPDX-License-Identifier: MIT
// How text of unknown origin is made readable, and safe for a terminal.

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

// SPDX-License-Identifier: MIT
// Writes comma-separated values (RFC 4180) that a spreadsheet shows and does not run.

import RerenderModel

/// Writes records of RFC 4180: cells quoted where needed, CR LF at the end of each.
package enum CSV {
    /// One cell of a record, safe to write.
    package struct Cell: Hashable, Sendable {
        fileprivate let content: String

        private init(content: String) { self.content = content }

        /// A number, as it is.
        package static func number(_ number: some BinaryInteger) -> Cell { Cell(content: String(number)) }

        /// A text of anybody's: control characters escaped as ``Printable`` does, and an apostrophe before what a
        /// spreadsheet would run as a formula. A text that begins with an apostrophe gets one more, so that a program that
        /// removes one has the text.
        package static func text(_ text: String) -> Cell {
            let safe = Printable.text(text)
            // Some programs drop blanks at the beginning of a cell.
            let first = safe.unicodeScalars.first { !$0.properties.isWhitespace }
            return Cell(content: first.map(isRisky) ?? false ? "'" + safe : safe)
        }

        /// What begins a formula, in the wide forms of East Asian keyboards too, and the apostrophe that protects.
        private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "=", "+", "-", "@", "＝", "＋", "－", "＠", "'": true
            default: false
            }
        }
    }

    /// One record.
    package static func record(_ cells: [Cell]) -> String {
        cells.map { quoted($0.content) }.joined(separator: ",") + "\r\n"
    }

    /// Looks at scalars: a quotation mark with an accent on it is one `Character`. No cell has a line break.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { $0 == "," || $0 == "\"" }) || scalars.first == " " || scalars.last == " " else {
            return text
        }
        var quoted = "\"".unicodeScalars
        for scalar in scalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}

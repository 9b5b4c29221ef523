// SPDX-License-Identifier: MIT
// Comma-separated values (RFC 4180) that a spreadsheet shows and does not run.

import RerenderModel

/// A cell of a record, or records.
package typealias CSVText = EscapedText<CSVSyntax>

/// How RFC 4180 writes a cell.
package enum CSVSyntax: TextSyntax {
    /// A text of anybody's: control characters escaped as ``Printable`` does, and an apostrophe before what a spreadsheet would run as a
    /// formula. A text that begins with an apostrophe gets one more, so that a program that removes one has the text. Quoted where needed.
    package static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var cell = Printable.text(String(text)).unicodeScalars
        // Some programs drop blanks at the beginning of a cell.
        let first = cell.first { !$0.properties.isWhitespace }
        if first.map(isRisky) ?? false { cell.insert("'", at: cell.startIndex) }
        return quoted(cell)
    }

    /// What begins a formula, in the wide forms of East Asian keyboards too, and the apostrophe that protects.
    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠", "'": true
        default: false
        }
    }

    /// No cell has a line break.
    private static func quoted(_ cell: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard cell.contains(where: { $0 == "," || $0 == "\"" }) || cell.first == " " || cell.last == " " else {
            return cell
        }
        var quoted = "\"".unicodeScalars
        for scalar in cell {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return quoted
    }
}

extension EscapedText<CSVSyntax> {
    /// A record: its cells, and CR LF at the end.
    package static func record(_ cells: [CSVText]) -> CSVText { cells.joined(separator: ",") + "\r\n" }
}

// SPDX-License-Identifier: MIT
// Sentences broken into lines that fit a terminal.

/// Breaks text at blanks.
enum Wrap {
    /// The text in lines of at most `width` columns; lines after the first start with `indent` blanks.
    ///
    /// A word that is longer than a line is shortened in its middle.
    static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
        let width = max(width, indent + 8)
        let blanks = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let start = line.isEmpty ? (lines.isEmpty ? "" : blanks) : line + " "
            if !line.isEmpty, DisplayWidth.of(start) + DisplayWidth.of(word) > width {
                lines.append(line)
                line = blanks + Fit.middle(String(word), width - indent)
            } else {
                line = start + Fit.middle(String(word), width - DisplayWidth.of(start))
            }
        }
        return lines + [line]
    }
}

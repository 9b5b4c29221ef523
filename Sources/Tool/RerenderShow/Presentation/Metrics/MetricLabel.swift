// SPDX-License-Identifier: MIT
// The value of a label in Prometheus' format.

/// The value of a label, between its quotation marks.
typealias MetricLabel = EscapedText<MetricLabelSyntax>

/// How Prometheus' format writes the value of a label.
enum MetricLabelSyntax: TextSyntax {
    /// A backslash, a quotation mark and a line feed are escaped.
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var escaped = "".unicodeScalars
        for scalar in text {
            switch scalar {
            case "\\", "\"": escaped.append(contentsOf: ["\\", scalar])
            case "\n": escaped.append(contentsOf: ["\\", "n"])
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}

// SPDX-License-Identifier: MIT
// Colour and weight of text on a terminal.

/// How a piece of text is shown; several at once. Plain unless the output is a terminal.
package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    // The numbers of `cscreen_style`, which leaves what is good as it is.
    package static let plain: Style = []
    package static let bold = Style(rawValue: 1)
    package static let dim = Style(rawValue: 2)
    package static let reverse = Style(rawValue: 4)
    package static let notice = Style(rawValue: 8)
    package static let bad = Style(rawValue: 16)
    package static let good = Style(rawValue: 32)

    private static let codes: [(style: Style, code: String)] = [
        (.bold, "1"), (.dim, "2"), (.reverse, "7"), (.notice, "33"), (.bad, "31"), (.good, "32"),
    ]

    /// The text with the control sequences of this style around it, or as it is when colours are off.
    package func apply(_ text: String, colours: Bool) -> String {
        guard colours, !isEmpty, !text.isEmpty else { return text }
        let codes = Self.codes.filter { contains($0.style) }.map(\.code).joined(separator: ";")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }
}

/// A line with its style.
package struct StyledLine: Hashable, Sendable {
    package var text: String
    package var style: Style = .plain

    package init(text: String, style: Style = .plain) {
        (self.text, self.style) = (text, style)
    }
}

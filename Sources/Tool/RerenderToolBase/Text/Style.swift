// SPDX-License-Identifier: MIT
// Colour and weight of text on a terminal.

/// The style of a piece of text. Plain unless the output is a terminal.
package enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case good = "32"
    case notice = "33"
    case bad = "31"

    /// The text with the control sequences of this style around it, or as it is when colours are off.
    package func apply(_ text: String, colours: Bool) -> String {
        colours && self != .plain && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
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

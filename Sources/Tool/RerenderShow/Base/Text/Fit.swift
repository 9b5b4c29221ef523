// SPDX-License-Identifier: MIT
// Cuts and pads text to a width.

/// Cuts and pads text to columns.
package enum Fit {
    /// Marks omitted text; one column.
    static let ellipsis = "…"

    /// The text in at most `width` columns, with its middle left out where it is longer.
    ///
    /// Names differ at their ends (`Shop/Cart.swift:12`), so both ends stay; the end gets the odd column.
    package static func middle(_ text: String, _ width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 1 else { return width == 1 ? ellipsis : "" }
        let head = prefix(text, (width - 1) / 2)
        let tail = suffix(text, width - 1 - DisplayWidth.of(head))
        return head + ellipsis + tail
    }

    /// The text in at most `width` columns, with its end left out where it is longer.
    package static func end(_ text: String, _ width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 0 else { return "" }
        return prefix(text, width - 1) + ellipsis
    }

    /// The text with blanks up to `width` columns on its right or, for numbers, on its left.
    package static func pad(_ text: String, _ width: Int, toTheRight: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        return toTheRight ? blanks + text : text + blanks
    }

    private static func prefix(_ text: String, _ width: Int) -> String {
        var left = width
        return String(
            text.prefix {
                left -= DisplayWidth.of($0)
                return left >= 0
            })
    }

    private static func suffix(_ text: String, _ width: Int) -> String {
        var left = width
        var tail: [Character] = []
        for character in text.reversed() {
            left -= DisplayWidth.of(character)
            guard left >= 0 else { break }
            tail.append(character)
        }
        return String(tail.reversed())
    }
}

extension Fit {
    /// A number with zeros before it up to `digits`.
    package static func zeros(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

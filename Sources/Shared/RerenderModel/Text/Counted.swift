// SPDX-License-Identifier: MIT
// Writes numbers with their nouns.

/// Writes "1 view", "3 views".
package enum Counted {
    /// The number and the noun in the form that goes with it.
    package static func text(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// The number with thousands separators.
    package static func grouped(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0, text != "-" { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The texts as "a", "a and b", "a, b and c".
    package static func list(_ texts: [String]) -> String {
        guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension UInt64 {
    /// The sum, or the largest number where it does not fit.
    package func clampedSum(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

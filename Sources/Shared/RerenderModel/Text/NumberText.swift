// SPDX-License-Identifier: MIT
// Numbers as people read them: with nouns, as durations, as shares and as rates.

/// Writes "1 view", "3 views".
package enum Counted {
    /// The number and the noun in the form that goes with it.
    package static func text(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// The last line of a list that is cut: `and 3 more views: see --json`.
    ///
    /// - Parameter way: The option or command that shows the others.
    package static func rest(
        _ number: some BinaryInteger, _ one: String, _ many: String? = nil, see way: String
    ) -> String {
        "and \(text(number, "more \(one)", many.map { "more \($0)" })): see \(way)"
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

/// Writes durations in three figures and the unit that suits them.
package enum DurationText {
    /// `812ns`, `4.12µs`, `38.0ms`, `1.50s`, `12m05s`, `3h07m`; cut and not rounded up into the next unit.
    package static func short(_ nanoseconds: UInt64) -> String {
        switch nanoseconds {
        case 0: "0"
        case ..<1_000: "\(nanoseconds)ns"
        case ..<1_000_000: figures(nanoseconds, unit: 1_000) + "µs"
        case ..<1_000_000_000: figures(nanoseconds, unit: 1_000_000) + "ms"
        case ..<60_000_000_000: figures(nanoseconds, unit: 1_000_000_000) + "s"
        default: long(seconds: nanoseconds / 1_000_000_000)
        }
    }

    /// The same rounded up to what is shown, so that "at most" it is true.
    package static func atMost(_ nanoseconds: UInt64) -> String {
        let step: UInt64 =
            switch nanoseconds {
            case ..<1_000: 1
            case ..<60_000_000_000: power(below: nanoseconds) / 100
            case ..<3_600_000_000_000: 1_000_000_000
            default: 60_000_000_000
            }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(step - 1)
        return short(overflow ? nanoseconds : sum / step * step)
    }

    /// The largest power of ten that is not above a number: three figures are shown.
    private static func power(below number: UInt64) -> UInt64 {
        var power: UInt64 = 1
        while number / power >= 10 { power *= 10 }
        return power
    }

    private static func figures(_ nanoseconds: UInt64, unit: UInt64) -> String {
        let whole = nanoseconds / unit
        let thousandths = (nanoseconds % unit) * 1_000 / unit
        switch whole {
        case 100...: return "\(whole)"
        case 10...: return "\(whole).\(thousandths / 100)"
        default: return "\(whole)." + twoDigits(thousandths / 10)
        }
    }

    private static func long(seconds: UInt64) -> String {
        let (minutes, hours) = (seconds / 60, seconds / 3_600)
        return hours > 0
            ? "\(hours)h" + twoDigits(minutes % 60) + "m"
            : "\(minutes)m" + twoDigits(seconds % 60) + "s"
    }

    private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A share of a whole.
package enum Percent {
    /// Whole percents, cut: `<1%` for a little, and `100%` for all of it alone.
    package static func text(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0 else { return "-" }
        // What an app says may be more than its whole, by any factor.
        let percent = UInt128(part) * 100 / UInt128(whole)
        return part > 0 && percent == 0 ? "<1%" : "\(percent)%"
    }
}

package enum RateText {
    /// At most six columns: `60/s`, `0.5/s`, `1.2k/s`; `0` for none and `-` where it is not known yet.
    package static func cell(_ rate: Double?) -> String {
        guard let rate else { return "-" }
        return rate <= 0 ? "0" : number(rate) + "/s"
    }

    /// The number alone: `60`, `0.5`, `1.2k`.
    package static func number(_ rate: Double) -> String {
        if rate <= 0 { return "0" }
        if rate < 0.1 { return "<0.1" }
        for (unit, sign) in [(1, ""), (1e3, "k"), (1e6, "M")] where rate < 999.5 * unit {
            return (rate < 9.95 * unit ? tenths(rate / unit) : "\(Int((rate / unit).rounded()))") + sign
        }
        return ">1G"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Shares of a core as text.
package enum PercentOfCore {
    /// `0.4%`; `<0.1%` for less.
    package static func text(_ percent: Double) -> String {
        let tenths = Int((max(0, min(percent, 9_999)) * 10).rounded())
        return tenths == 0 ? "<0.1%" : "\(tenths / 10).\(tenths % 10)%"
    }
}

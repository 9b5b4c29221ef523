// SPDX-License-Identifier: MIT
// The value of `--duration`.

import ArgumentParser

/// `10`, `1.5`, `90s`, `10m`, `2h`: seconds where no unit is named.
struct RecordDuration: ExpressibleByArgument, Hashable, Sendable {
    let duration: Duration

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    /// From the time that an app needs to be seen at all, to a week.
    private static let range = 0.1...604_800

    init?(argument: String) {
        let unit = argument.last.flatMap { Self.units[$0] }
        let digits = unit == nil ? argument : String(argument.dropLast())
        // Digits and a point alone: Double would take "0x10" and "nan" too.
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
            Self.range.contains(number * (unit ?? 1))
        else { return nil }
        duration = .milliseconds(Int64(number * (unit ?? 1) * 1_000))
    }
}

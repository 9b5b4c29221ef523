// SPDX-License-Identifier: MIT
// A length of time as people type it.

/// A duration written as a number and `s`, `m`, `h` or `d`; seconds without one.
package struct RetentionTime: Hashable, Sendable, CustomStringConvertible {
    package var duration: Duration

    package init(duration: Duration) {
        self.duration = duration
    }

    /// Reads a time of at most a year; nil for any other text.
    package init?(argument text: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text : String(text.dropLast())), number >= 0,
            number <= 366 * 86_400 / (unit ?? 1)
        else { return nil }
        duration = .seconds(number * (unit ?? 1))
    }

    package var description: String {
        let seconds = duration.components.seconds
        return seconds > 0 && seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds)s"
    }
}

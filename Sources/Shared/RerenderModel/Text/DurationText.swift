// SPDX-License-Identifier: MIT
// Writes durations for people.

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

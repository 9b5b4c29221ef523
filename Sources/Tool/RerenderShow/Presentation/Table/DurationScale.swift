// SPDX-License-Identifier: MIT
// One unit for the durations of a column.

/// Writes the durations of a column in one unit, with as many decimals in each, so that a longer one looks longer.
///
/// The unit is that of the longest, or the next smaller one where the shortest would have no figure and the longest has not too many. The longest
/// has three figures at least, and the shortest two, but none has more than three decimals.
package struct DurationScale: Hashable, Sendable {
    private enum Unit: UInt64, CaseIterable {
        case nanosecond = 1
        case microsecond = 1_000
        case millisecond = 1_000_000
        case second = 1_000_000_000

        var name: String {
            switch self {
            case .nanosecond: "ns"
            case .microsecond: "µs"
            case .millisecond: "ms"
            case .second: "s"
            }
        }
    }

    private let unit: Unit
    private let decimals: Int
    private static let mostDecimals = 3
    /// What the longest may have in front of the point.
    private static let mostUnits: UInt64 = 99_999

    /// The scale for some durations in nanoseconds.
    package init(_ nanoseconds: some Sequence<UInt64>) {
        var (least, most) = (UInt64.max, UInt64(0))
        for duration in nanoseconds where duration > 0 { (least, most) = (min(least, duration), max(most, duration)) }
        let unit = Self.unit(least, most)
        self.unit = unit
        decimals =
            unit == .nanosecond ? 0 : max(Self.decimals(least, unit, figures: 2), Self.decimals(most, unit, figures: 3))
    }

    private static func unit(_ least: UInt64, _ most: UInt64) -> Unit {
        guard let place = Unit.allCases.lastIndex(where: { $0.rawValue <= most }), place > 0 else { return .nanosecond }
        let (unit, smaller) = (Unit.allCases[place], Unit.allCases[place - 1])
        let isSeen = scaled(least, unit, mostDecimals) > 0
        return isSeen || most / smaller.rawValue > mostUnits ? unit : smaller
    }

    /// `0.52µs` beside `14.30µs`; cut and not rounded. `0` for none, and `<0.001ms` for less than has a figure.
    package func text(_ nanoseconds: UInt64) -> String {
        guard nanoseconds > 0 else { return "0" }
        let scaled = Self.scaled(nanoseconds, unit, decimals)
        return scaled > 0 ? number(scaled) : "<" + number(1)
    }

    /// A number of the last decimal.
    private func number(_ scaled: UInt64) -> String {
        guard decimals > 0 else { return "\(scaled)\(unit.name)" }
        let digits = String(scaled)
        let whole = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(whole.dropLast(decimals)).\(whole.suffix(decimals))\(unit.name)"
    }

    /// The fewest decimals with which a duration has so many figures.
    private static func decimals(_ nanoseconds: UInt64, _ unit: Unit, figures: Int) -> Int {
        let least = (1..<figures).reduce(UInt64(1)) { number, _ in number * 10 }
        return (0..<mostDecimals).first { scaled(nanoseconds, unit, $0) >= least } ?? mostDecimals
    }

    private static func scaled(_ nanoseconds: UInt64, _ unit: Unit, _ decimals: Int) -> UInt64 {
        let factor = (0..<decimals).reduce(UInt64(1)) { number, _ in number * 10 }
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.rawValue)
        return whole.multipliedReportingOverflow(by: factor).partialValue &+ rest * factor / unit.rawValue
    }
}

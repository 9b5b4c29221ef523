// SPDX-License-Identifier: MIT
// A table of text: fits its columns into a width, draws its rows, and writes the durations of a column in one unit.

/// The columns of a table that fit a width.
package struct Table {
    /// A column that has room.
    package struct Place {
        package let head: ColumnHead
        /// Which of a row's cells it shows.
        package let number: Int
        package let start: Int
        package let width: Int

        /// Its title and a sign behind it, as wide as the column.
        package func title(_ sign: String = "") -> String {
            Fit.pad(Fit.end(head.title + sign, width), width, toTheRight: head.isNumber)
        }

        /// What it shows of a row, and the blanks beside that.
        package func fitted(_ row: [Cell]) -> (text: String, blanks: String) {
            let text = WhyText.fitted(row[number].text, row[number].supplement, width)
            return (text, String(repeating: " ", count: max(0, width - DisplayWidth.of(text))))
        }
    }

    package let places: [Place]

    /// Chooses the columns for a width by the rows that they will show.
    ///
    /// - Parameter margin: Columns of the terminal before the first.
    package init(_ heads: [ColumnHead], _ rows: [[Cell]], width: Int, margin: Int = 0) {
        let layouts = heads.indices.map { heads[$0].layout(rows, $0) }
        var places: [Place] = []
        var start = margin
        for (number, width) in ColumnLayout.widths(layouts, total: max(1, width - margin)).enumerated() {
            guard let width else { continue }
            places.append(Place(head: heads[number], number: number, start: start, width: width))
            start += width + ColumnLayout.gap
        }
        self.places = places
    }

    /// The titles and the rows, without blanks at their ends and without line ends.
    package func lines(_ rows: [[Cell]], colours: Bool) -> [String] {
        let titles = Style.bold.apply(Self.joined(places.map { $0.title() }), colours: colours)
        return [titles] + rows.map { line($0, colours: colours) }
    }

    private func line(_ row: [Cell], colours: Bool) -> String {
        Self.joined(
            places.map { place in
                let (text, blanks) = place.fitted(row)
                let shown = row[place.number].style.apply(text, colours: colours)
                return place.head.isNumber ? blanks + shown : shown + blanks
            })
    }

    private static func joined(_ cells: [String]) -> String {
        var line = cells.joined(separator: String(repeating: " ", count: ColumnLayout.gap))
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The width to which the first column of a small table gives way.
    private static let least = 8

    /// A small table of texts, which has all its columns; the first one gives way where the width is not enough.
    package static func lines(_ titles: [String], _ rows: [[String]], width: Int) -> [String] {
        let heads = titles.enumerated().map { number, title in
            ColumnHead(
                title, number, .essential,
                text: number == 0 ? (minimum: least, readable: least, comfortable: least) : nil, isNumber: false)
        }
        let cells = rows.map { row in row.map { Cell($0) } }
        let needed = heads.indices.reduce(ColumnLayout.gap * (heads.count - 1)) {
            $0 + heads[$1].layout(cells, $1).minimum
        }
        return Table(heads, cells, width: max(width, needed)).lines(cells, colours: false)
    }
}

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

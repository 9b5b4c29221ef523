// SPDX-License-Identifier: MIT
// Fits columns into a width, and draws their rows.

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

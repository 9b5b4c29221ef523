// SPDX-License-Identifier: MIT
// Draws the rows of the screen and their titles.

/// Draws a table of some rows, with what is selected and what needs attention before each.
struct TopTable {
    /// Columns before the first: what is selected, and what needs attention.
    private static let margin = 2

    private let table: Table
    private let width: Int

    /// Chooses the columns for a width by the rows that they will show.
    init(_ columns: [ColumnHead], _ rows: [TopItem], width: Int) {
        table = Table(columns, rows.map(\.cells), width: width, margin: Self.margin)
        self.width = width
    }

    /// The titles, and where a click on one sorts.
    var titles: (line: TopLine, targets: [(columns: Range<Int>, target: TopTarget)]) {
        var line = TopLine(width)
        var targets: [(columns: Range<Int>, target: TopTarget)] = []
        // The most telling one alone, where two columns show the order: the time rather than the share.
        let last = table.places.last { !$0.head.sign.isEmpty }?.number
        for place in table.places {
            let isOrder = place.number == last
            line.pad(to: place.start)
            line.add(place.title(isOrder ? place.head.sign : ""), isOrder ? .bold : .dim)
            let target = place.head.order.map { TopTarget.order($0) } ?? .column(place.number)
            targets.append((place.start..<place.start + place.width, target))
        }
        return (line, targets)
    }

    /// A row: `>` before the selected one, `!` before one that needs attention; one that is fine is dim.
    func line(_ row: TopItem, isSelected: Bool) -> TopLine {
        var line = TopLine(width)
        line.add(isSelected ? ">" : " ", .bold)
        line.add(row.mark == nil ? " " : "!", row.mark ?? .plain)
        for place in table.places {
            line.pad(to: place.start)
            let (cell, shown) = (row.cells[place.number], place.fitted(row.cells))
            if place.head.isNumber { line.add(shown.blanks) }
            if let pieces = cell.pieces, row.mark != nil, shown.text == cell.text {
                for piece in pieces { line.add(piece.text, piece.style) }
            } else {
                line.add(shown.text, row.mark == nil ? .dim : cell.style)
            }
            if !place.head.isNumber { line.add(shown.blanks) }
        }
        guard isSelected else { return line }
        // The whole line in reverse, so that the selection shows without colours, too.
        line.pad(to: width)
        return line.styled(.reverse)
    }
}

// SPDX-License-Identifier: MIT
// Columns of tables, whatever their rows are: titles, cells, and a layout for the width of a terminal.

package struct Cell: Sendable {
    /// What rows are sorted by.
    package enum Weight: Comparable, Sendable {
        case number(Double)
        case text(String)
    }

    /// Safe to print.
    package let text: String
    package let style: Style
    /// Text after it, if there is room. Safe to print.
    package let supplement: String
    /// Text after both, if there is room for all of it. Safe to print.
    package let note: String
    package let weight: Weight
    /// Pieces with styles of their own, as wide as ``text`` together; nil for one style.
    package var pieces: [StyledLine]?

    package init(
        _ text: String, _ style: Style = .plain, supplement: String = "", note: String = "",
        weight: Weight = .number(0)
    ) {
        (self.text, self.style, self.supplement, self.note, self.weight) = (text, style, supplement, note, weight)
    }

    /// A text, which is sorted by itself.
    package static func text(_ text: String, _ style: Style = .plain) -> Cell {
        Cell(text, style, weight: .text(text.lowercased()))
    }

    /// A number as it is shown.
    package static func number(_ text: String, _ weight: Double, _ style: Style = .plain) -> Cell {
        Cell(text, style, weight: .number(weight))
    }

    /// A number, or `-` for none.
    package static func count(_ count: UInt64, _ style: Style = .plain) -> Cell {
        number(count == 0 ? "-" : String(count), Double(count), style)
    }

    /// A duration in the unit of its column, or `-` for none.
    package static func duration(_ nanoseconds: UInt64, in scale: DurationScale, _ style: Style = .plain) -> Cell {
        number(nanoseconds == 0 ? "-" : scale.text(nanoseconds), Double(nanoseconds), style)
    }
}

/// The title of a column, and what it asks of the width of its table.
package struct ColumnHead: Sendable {
    package let title: String
    /// How much it matters: lower ones are the first to get room.
    let rank: Int
    /// What it may cost the others.
    let need: ColumnLayout.Need
    /// The least width.
    let least: Int
    /// How far a text can be squeezed; nil for a column that keeps its width.
    let text: (minimum: Int, readable: Int, comfortable: Int)?
    /// What a text with its supplement should have before an extra column is added; nil where both are as one text.
    let supplemented: Int?
    /// Whether its cells are numbers, which are aligned to the right.
    package let isNumber: Bool
    /// Whether it says something about these rows. One that is sorted by is shown in any case.
    package let isShown: Bool
    /// The order of views that it shows.
    package let order: StatsOrder?
    /// Whether the rows are in its order: then it is essential, and comes right after the key.
    package var isSorted: Bool
    /// The sign of that order, behind the title.
    package var sign = ""

    /// - Parameter isNumber: Nil where all but texts are numbers.
    package init(
        _ title: String, _ rank: Int, _ need: ColumnLayout.Need, least: Int = 0,
        text: (minimum: Int, readable: Int, comfortable: Int)? = nil, supplemented: Int? = nil,
        order: StatsOrder? = nil, isSorted: Bool = false, isShown: Bool = true, isNumber: Bool? = nil
    ) {
        (self.title, self.rank, self.need, self.least, self.text) = (title, rank, need, least, text)
        (self.supplemented, self.order, self.isSorted) = (supplemented, order, isSorted)
        (self.isShown, self.isNumber) = (isShown || isSorted, isNumber ?? (text == nil))
    }

    /// What it is called where somebody chooses it.
    var name: String { title.lowercased() }

    /// What the layout has to know, by the cells of some rows; `number` is its place in these.
    func layout(_ rows: [[Cell]], _ number: Int) -> ColumnLayout.Column {
        var own = title.count + (isSorted ? sign.count : 0)
        var whole = 0
        for row in rows {
            let text = DisplayWidth.of(row[number].text)
            let supplement = DisplayWidth.of(row[number].supplement) + DisplayWidth.of(row[number].note)
            own = max(own, text)
            if supplement > 0 { whole = max(whole, text + supplement) }
        }
        let text = text ?? (.max, .max, .max)
        var layout = ColumnLayout.Column(
            rank: isSorted ? 1 : 2 * rank, isSorted ? .essential : need,
            natural: max(least, own, supplemented == nil ? whole : 0), minimum: text.minimum, readable: text.readable,
            comfortable: text.comfortable)
        guard let supplemented else { return layout }
        // Who writes says more than one number more, and in a narrow table, too.
        layout.readable = max(layout.readable, min(supplemented * 3 / 4, whole))
        layout.comfortable = max(layout.comfortable, min(supplemented, whole))
        layout.natural = max(layout.natural, whole)
        return layout
    }
}

/// A column of rows of one kind.
package struct Column<Row> {
    package var head: ColumnHead
    package let cell: (Row) -> Cell

    package init(_ head: ColumnHead, cell: @escaping (Row) -> Cell) {
        (self.head, self.cell) = (head, cell)
    }
}

package typealias ViewColumn = Column<RankedView>

/// Chooses columns for a width.
///
/// Columns that are essential come first, in the order of their rank, squeezed as far as they may be. Useful ones follow
/// as long as all that is there stays readable, up to the first that has no room: no narrower one of a lower rank takes its place. Then extra
/// ones follow as long as it stays comfortable. What is left widens the columns that had been squeezed.
package struct ColumnLayout: Sendable {
    /// What the layout knows of a column.
    package struct Column: Sendable {
        /// Lower ones are chosen first.
        package var rank: Int
        package var need: Need
        /// The width of its widest cell, its title included.
        package var natural: Int
        /// The least that it can be squeezed to.
        package var minimum: Int
        /// What it should have before a useful column is added.
        package var readable: Int
        /// What it should have before an extra column is added.
        package var comfortable: Int

        /// A column of text that can be shortened, or one that keeps its width.
        package init(
            rank: Int, _ need: Need, natural: Int, minimum: Int = .max, readable: Int = .max, comfortable: Int = .max
        ) {
            (self.rank, self.need, self.natural) = (rank, need, natural)
            self.minimum = min(natural, minimum)
            self.readable = min(natural, readable)
            self.comfortable = min(natural, comfortable)
        }
    }

    /// What a column may cost the others.
    package enum Need: Sendable {
        /// It may squeeze them.
        case essential
        /// It must leave them readable.
        case useful
        /// It must leave them comfortable.
        case extra
    }

    /// Blanks between two columns.
    package static let gap = 2

    /// The widths of the columns that fit `total`, which grow into `most`; nil for one that has no room.
    static func widths(_ columns: [Column], total: Int, growing most: Int) -> [Int?] {
        let fits = widths(columns, total: total)
        return most == total ? fits : grown(columns.indices.filter { fits[$0] != nil }, columns, total: most)
    }

    /// The width of each column; nil for one that has no room.
    package static func widths(_ columns: [Column], total: Int) -> [Int?] {
        let byRank = columns.indices.sorted { columns[$0].rank < columns[$1].rank }
        var chosen: [Int] = []
        for (need, size) in [(Need.essential, \Column.minimum), (.useful, \.readable), (.extra, \.comfortable)] {
            for index in byRank where columns[index].need == need {
                let isFirst = chosen.isEmpty && need == .essential
                let fits = isFirst || width(of: chosen + [index], columns, size) <= total
                guard fits || need != .useful else { return grown(chosen, columns, total: total) }
                if fits { chosen.append(index) }
            }
        }
        return grown(chosen, columns, total: total)
    }

    private static func width(of chosen: [Int], _ columns: [Column], _ size: KeyPath<Column, Int>) -> Int {
        chosen.reduce(0) { $0 + columns[$1][keyPath: size] } + gap * max(0, chosen.count - 1)
    }

    private static func grown(_ chosen: [Int], _ columns: [Column], total: Int) -> [Int?] {
        var widths = [Int?](repeating: nil, count: columns.count)
        for index in chosen { widths[index] = columns[index].minimum }
        var left = total - width(of: chosen, columns, \.minimum)
        while left > 0, let index = mostSqueezed(widths, columns) {
            widths[index] = widths[index].map { $0 + 1 }
            left -= 1
        }
        for size in [\Column.comfortable, \.natural] {
            for index in chosen {
                guard left > 0, let now = widths[index] else { break }
                let more = min(left, max(0, columns[index][keyPath: size] - now))
                widths[index] = now + more
                left -= more
            }
        }
        if left < 0, let first = chosen.first, let now = widths[first] { widths[first] = max(1, now + left) }
        return widths
    }

    /// The column that is farthest from being readable; nil where all are.
    private static func mostSqueezed(_ widths: [Int?], _ columns: [Column]) -> Int? {
        let shares = widths.indices.compactMap { index -> (index: Int, share: Double)? in
            guard let width = widths[index], width < columns[index].readable else { return nil }
            return (index, Double(width) / Double(columns[index].readable))
        }
        return shares.min { $0.share < $1.share }?.index
    }
}

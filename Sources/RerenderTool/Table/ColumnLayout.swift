// SPDX-License-Identifier: MIT
// Which columns a width has room for, and how wide each becomes.

/// Chooses columns for a width.
///
/// Columns that are essential come first, in the order of their rank, squeezed as far as they may be. Others follow
/// as long as what is there can stay comfortable. What is left widens the columns that had been squeezed.
struct ColumnLayout: Sendable {
    /// What the layout knows of a column.
    struct Column: Sendable {
        /// Lower ones are chosen first.
        var rank: Int
        /// Whether it may squeeze others.
        var essential: Bool
        /// The width of its widest cell, its title included.
        var natural: Int
        /// The least that it can be squeezed to.
        var minimum: Int
        /// What it should have before a column that is not essential is added.
        var comfortable: Int

        /// A column that keeps its width.
        static func fixed(rank: Int, essential: Bool, natural: Int) -> Column {
            Column(rank: rank, essential: essential, natural: natural, minimum: natural, comfortable: natural)
        }

        /// A column of text that can be shortened.
        static func text(rank: Int, essential: Bool, natural: Int, minimum: Int, comfortable: Int) -> Column {
            Column(
                rank: rank, essential: essential, natural: natural, minimum: min(natural, minimum),
                comfortable: min(natural, comfortable))
        }
    }

    /// Blanks between two columns.
    static let gap = 2

    /// The width of each column; nil for one that has no room.
    static func widths(_ columns: [Column], total: Int) -> [Int?] {
        let byRank = columns.indices.sorted { columns[$0].rank < columns[$1].rank }
        var chosen: [Int] = []
        for index in byRank where columns[index].essential {
            if chosen.isEmpty || width(of: chosen + [index], columns, \.minimum) <= total { chosen.append(index) }
        }
        for index in byRank where !columns[index].essential {
            if width(of: chosen + [index], columns, \.comfortable) <= total { chosen.append(index) }
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
        for size in [\Column.comfortable, \Column.natural] {
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
}

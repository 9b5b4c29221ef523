// SPDX-License-Identifier: MIT
// Chooses columns and their widths for a terminal width.

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
